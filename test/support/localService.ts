import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const cli = join(import.meta.dirname, '../../dist/service.mjs');

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly folder: string;
  stop(): Promise<void>;
}

/** The built service as its users start it: a process of its own, with the sample project in a data folder. */
export async function startServiceProcess(folder: string): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--sample'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  // An orphan would hold the port and the files.
  const end = (): boolean => child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.off('exit', end);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await exited;
    }
  };
  for await (const line of createInterface(child.stdout)) {
    const baseUrl = /^listening (\S+)$/.exec(line)?.[1];
    if (baseUrl) return { baseUrl, folder, stop };
  }
  await exited;
  throw new Error('The local service ended before it listened. Its own message is above.');
}
