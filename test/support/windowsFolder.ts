import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { DisposableStore } from '../../src/base/disposable.ts';
import { ServiceLease } from '../../src/host/local/serviceLease.ts';
import { HandClock } from './handClock.ts';
import { processesOf } from './processesOf.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { waitUntil } from './workbench/waitUntil.ts';

export interface WindowsFolder {
  /** The folder that the windows of one user share. */
  readonly folder: string;
  /** The data folder of their local service, inside it. */
  readonly dataFolder: string;
  /** The command line of the service. */
  readonly script: string;
  /** Gives a new window's lease on the service. It ends with the test. */
  readonly lease: () => ServiceLease;
  /** The clock of all leases. A service on a busy machine is never too slow for it. */
  readonly clock: HandClock;
  /** Ends with the test. */
  readonly owned: DisposableStore;
  /** Resolves when no process works for the folder. */
  readonly empty: () => Promise<void>;
}

/** A folder for the local service that windows share. Its processes end with the test, whether it passes or fails. */
export async function windowsFolder(
  context: TestContext,
  { sample = true }: { sample?: boolean } = {},
): Promise<WindowsFolder> {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const script = join(import.meta.dirname, sample ? '../../src/service/cli.ts' : 'serviceWithoutSample.ts');
  const owned = new DisposableStore();
  const clock = new HandClock();
  const empty = async (): Promise<void> => {
    await waitUntil(() => processesOf(folder).length === 0, { what: 'processes are left' });
  };
  context.after(async () => {
    owned.dispose();
    try {
      await empty();
    } finally {
      for (const { pid } of processesOf(folder)) process.kill(pid, 'SIGKILL');
    }
  });
  const lease = (): ServiceLease => owned.add(new ServiceLease({ folder: dataFolder, script }, clock));
  return { folder, dataFolder, script, lease, clock, owned, empty };
}
