import { readFileSync } from 'node:fs';

/** What a process has in memory, in megabytes: all of it, and with what it shares with others counted in parts. */
export function memoryOf(pid: number): { whole: number; shared: number } {
  const kilobytes = (file: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0);
  return { whole: kilobytes('status', 'VmRSS') / 1024, shared: kilobytes('smaps_rollup', 'Pss') / 1024 };
}
