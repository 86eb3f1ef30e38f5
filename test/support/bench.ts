/** A bench reports each figure as soon as it is measured. The runner prints the file's name before it. */
export type Bench = (print: (name: string, value: number) => void) => Promise<void>;

export async function millisecondsOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A share of 0.5 gives the median. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
