import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const cli = join(import.meta.dirname, '../../src/service/cli.ts');

export interface Ended {
  readonly code: number | null;
  /** What it was asked for. */
  readonly output: string;
  /** What it said besides. */
  readonly notes: string;
}

/** Runs a command of the service's program to its end, as a process. */
export async function runCommand(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [output, notes, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, output, notes };
}
