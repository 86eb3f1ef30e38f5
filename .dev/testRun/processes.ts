/** Finds and ends processes by a variable of their environment, which descendants inherit whatever their group is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Only Linux shows the environment of a process as a file. Elsewhere only the process group of the test file is ended. */
export function processesMarked(variable: string, value: string): FoundProcess[] {
  if (!existsSync('/proc/self/environ')) return [];
  const entry = `${variable}=${value}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(entry))
    .map(name => ({ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').slice(0, 200) }));
}

export function killProcesses(processes: readonly FoundProcess[]): void {
  for (const { pid } of processes) signal(pid, 'SIGKILL');
}

export function killGroup(leader: number | undefined, name: NodeJS.Signals): void {
  if (leader !== undefined) signal(-leader, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
