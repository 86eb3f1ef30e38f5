import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

/** How often to look whether a process has ended, in milliseconds. */
const lookMs = 20;

/**
 * Ends the process that a service left behind when it was killed: it still has the files open. The service holds the lock of
 * the data folder, so no other one works with that process.
 */
export async function endOrphan(pidFile: string, argument: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  // The number may belong to another program now.
  if (pid > 0 && (await commandOf(pid)).includes(argument)) {
    process.kill(pid, 'SIGKILL');
    while ((await commandOf(pid)) !== '') await delay(lookMs);
  }
  await rm(pidFile, { force: true });
}

/** The program of a process with its arguments; empty when there is none, or when it has ended. */
async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return (await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args='])).stdout;
  } catch {
    return '';
  }
}
