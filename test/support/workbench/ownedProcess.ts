import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { waitUntil } from './waitUntil.ts';

export interface OwnedProcessOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Standard output and standard error are appended to this file. */
  logFile: string;
}

export interface OwnedProcess {
  /** Null while it runs, then the exit code or the signal. */
  readonly outcome: () => number | string | null;
  readonly exited: Promise<number | string>;
  /** Ends the process and its descendants. Safe to call twice. */
  stop(): Promise<void>;
}

/** Leaders of the process groups that end with this process. */
const groups = new Set<number>();

/** Starts a process whose group ends with this process. Code-server's extension hosts are grandchildren. */
export function startOwned(command: string, args: readonly string[], options: OwnedProcessOptions): OwnedProcess {
  endGroupsWithThisProcess();
  const log = openSync(options.logFile, 'a');
  // The child writes to the file directly, so the log is complete even when this process is busy or gone.
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
  };
  const child = spawn(command, args, spawnOptions);
  closeSync(log);
  const group = child.pid;
  if (group !== undefined) groups.add(group);
  const outcome = (): number | string | null => child.exitCode ?? child.signalCode;
  const exited = once(child, 'exit').then(() => outcome() ?? 'an unknown outcome');
  // A failed start must not become an unhandled rejection when no caller awaits the exit.
  exited.catch(() => {});
  return { outcome, exited, stop: () => (group === undefined ? Promise.resolve() : stopGroup(group)) };
}

async function stopGroup(group: number): Promise<void> {
  const gone = { what: `the processes of group ${group} did not end` };
  try {
    if (!signalGroup(group, 'SIGTERM')) return;
    await waitUntil(() => !signalGroup(group, 0), gone);
  } catch {
    signalGroup(group, 'SIGKILL');
    await waitUntil(() => !signalGroup(group, 0), gone);
  } finally {
    groups.delete(group);
  }
}

/** Returns false when the group has no process left. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

let watching = false;

function endGroupsWithThisProcess(): void {
  if (watching) return;
  watching = true;
  process.on('exit', endGroups);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endGroups();
      // Another listener decides how this process ends. Without one, the signal ends it.
      if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
    });
  }
}

function endGroups(): void {
  for (const group of groups) signalGroup(group, 'SIGKILL');
}
