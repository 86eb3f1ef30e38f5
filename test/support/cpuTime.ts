/** The CPU time of work on this thread. Time in which the thread waits for a processor does not count. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  return cpuMsSince(before);
}

/** As `cpuMs`, for work that ends later. Everything that the thread does meanwhile counts. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return cpuMsSince(before);
}

export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The longest CPU time of a turn of the event loop while the work is done. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  const endTurn = (): void => {
    longest = Math.max(longest, cpuMsSince(before));
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work();
  isDone = true;
  endTurn();
  return longest;
}

/** How many times as long as on an idle machine a bare loop takes now. Two threads on one core slow each other down. */
export function slowness(): number {
  return Math.max(1, cpuMs(bareLoop) / idleLoopMs);
}

const idleLoopMs = 10;

function bareLoop(): number {
  let sum = 0;
  for (let round = 0; round < 10_000_000; round++) sum = (Math.imul(sum, 31) + round) | 0;
  return sum;
}
