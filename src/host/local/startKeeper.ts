import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ProjectError } from '../../base/errors.ts';
import { decodeKeeperStart } from '../../wire/keeper.ts';

export interface KeeperFiles {
  /** The local service's own folder. */
  readonly folder: string;
  /** The two files that this Node.js runs. */
  readonly keeper: string;
  readonly service: string;
}

/**
 * Starts a keeper of the folder and waits until there is one, this or another. It is detached: it lives as long as any
 * window is connected to it, and this one may be the first to close.
 */
export async function startKeeper({ folder, keeper, service }: KeeperFiles): Promise<void> {
  // VS Code's own program is Node.js when it is asked to be.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(process.execPath, [keeper, folder, service], {
    ...{ env, detached: true, windowsHide: true },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.unref();
  let failed: unknown;
  // Its output ends then as well.
  child.once('error', thrown => (failed = thrown));
  try {
    for await (const line of createInterface(child.stdout)) {
      const start = decodeKeeperStart(line);
      if (start?.outcome === 'failed') throw new ProjectError('transport', start.code, start.message);
      if (start) return;
    }
  } finally {
    child.stdout.destroy();
  }
  const cause = { cause: failed };
  throw new ProjectError('transport', 'local_service_failed', 'Its process ended before it was ready.', cause);
}
