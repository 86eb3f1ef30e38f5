import { spawnSync } from 'node:child_process';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Lists the processes whose command line contains a folder. */
export function processesOf(folder: string): FoundProcess[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter(line => line.includes(folder))
    .map(line => ({ pid: Number.parseInt(line, 10), command: line }));
}
