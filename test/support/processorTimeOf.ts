import { readFileSync } from 'node:fs';

/** The time that the main thread of a process has spent on a processor, in milliseconds. Other processes do not count. */
export function processorTimeOf(pid: number): number {
  const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
