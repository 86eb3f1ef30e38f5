import assert from 'node:assert/strict';

/** The CPU time of work on this thread. Time in which the thread waits for a processor does not count. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  return cpuMsSince(before);
}

/** As `cpuMs`, for work that ends later. Everything that the thread does until then counts. */
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

/** This number of measurements is enough to find one that no other process disturbed. */
const maxMeasurements = 5;

/** Fails if work takes more CPU time than the limit for an idle machine. */
export async function assertWithin(limitMs: number, measureMs: () => number | Promise<number>): Promise<void> {
  await assertBelow(limitMs, async () => (await measureMs()) / slowness());
}

/**
 * Fails if no measurement is below the limit. Other processes disturb some of them, a fault disturbs all. A measurement must not
 * find what the one before it has cached.
 */
export async function assertBelow(limit: number, measure: () => number | Promise<number>): Promise<void> {
  const measured: number[] = [];
  while (measured.length < maxMeasurements) {
    const value = await measure();
    if (value < limit) return;
    measured.push(value);
    // Work that grows faster than its input takes minutes.
    if (value > 100 * limit) break;
  }
  assert.fail(`Measured ${measured.map(value => value.toFixed(1)).join(', ')}; the limit is ${limit}.`);
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
