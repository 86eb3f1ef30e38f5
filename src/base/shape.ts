/** Reading `unknown`: each function gives the value in the wanted shape, or undefined. None throws. */

export type UnknownRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): UnknownRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : undefined;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Every element in the wanted shape, or undefined. */
export function asArrayOf<T>(value: unknown, read: (element: unknown) => T | undefined): T[] | undefined {
  const found: T[] = [];
  for (const element of asArray(value) ?? [undefined]) {
    const read1 = read(element);
    if (read1 === undefined) return undefined;
    found.push(read1);
  }
  return found;
}

/** The JSON value of a text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
