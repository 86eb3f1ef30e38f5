import { readFileSync } from 'node:fs';

/** Measures the memory of a process in megabytes: resident, and with shared pages counted in proportion. */
export function memoryOf(pid: number): { whole: number; shared: number } {
  const kilobytes = (file: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0);
  return { whole: kilobytes('status', 'VmRSS') / 1024, shared: kilobytes('smaps_rollup', 'Pss') / 1024 };
}
