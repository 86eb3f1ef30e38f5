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

/** Starts the built service in a process of its own, with the sample project. */
export async function startServiceProcess(folder: string): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--sample', '--with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  for await (const line of createInterface(child.stdout)) {
    const baseUrl = /^listening (\S+)$/.exec(line)?.[1];
    if (baseUrl) return { baseUrl, folder, stop };
  }
  await exited;
  throw new Error('The local service ended before it listened. Its own message is above.');
}
