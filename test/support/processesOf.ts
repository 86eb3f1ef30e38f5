import { spawnSync } from 'node:child_process';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

interface ListedProcess extends FoundProcess {
  readonly parent: number;
}

export function processesOf(folder: string): FoundProcess[] {
  return allProcesses().filter(({ command }) => command.includes(folder));
}

/** Lists the processes whose command line contains a file, below a process whose command line contains a folder. */
export function processesBelow(folder: string, file: string): FoundProcess[] {
  const all = new Map(allProcesses().map(found => [found.pid, found]));
  const isBelow = ({ parent }: ListedProcess): boolean => {
    const above = all.get(parent);
    return above !== undefined && (above.command.includes(folder) || isBelow(above));
  };
  return [...all.values()].filter(found => found.command.includes(file) && isBelow(found));
}

function allProcesses(): ListedProcess[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return Array.from(stdout.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm), ([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}
