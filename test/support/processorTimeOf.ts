import { readFileSync } from 'node:fs';

/** The time that the main thread of a process has spent on a processor, in milliseconds. Other processes do not count. */
export function processorTimeOf(pid: number): number {
  const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** An idle process spends less. */
const workMs = 50;

/** Resolves when one of the processes has worked from now on. */
export async function workOf(pids: readonly number[]): Promise<void> {
  const before = pids.map(processorTimeOf);
  while (!pids.some((pid, nth) => processorTimeOf(pid) - before[nth]! > workMs)) await new Promise(setImmediate);
}
