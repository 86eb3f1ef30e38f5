import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { DisposableStore } from '../../src/base/disposable.ts';
import { ServiceLease } from '../../src/host/local/serviceLease.ts';
import type { KeeperFiles } from '../../src/host/local/startKeeper.ts';
import { processesOf } from './processesOf.ts';
import { waitUntil } from './workbench/waitUntil.ts';

const source = join(import.meta.dirname, '../../src/service');

export interface KeptFolder {
  readonly files: KeeperFiles;
  readonly folder: string;
  /** A claim on the service, as each window has one. It ends with the test. */
  readonly lease: () => ServiceLease;
  /** What must end before the test may. */
  readonly owned: DisposableStore;
  /** Resolves when no process works for the folder any more. */
  readonly empty: () => Promise<void>;
}

/** A folder for a local service that windows share. When the test ends, nothing of it may be left running. */
export async function keptFolder(context: TestContext): Promise<KeptFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'kept-'));
  const files = { folder, keeper: join(source, 'keeper/keeper.ts'), service: join(source, 'cli.ts') };
  const owned = new DisposableStore();
  const empty = async (): Promise<void> => {
    // Sooner than a keeper that nobody takes hold of would end by itself.
    await waitUntil(() => processesOf(folder).length === 0, { what: 'processes are left' });
  };
  context.after(async () => {
    owned.dispose();
    await empty();
    await rm(folder, { recursive: true, force: true });
  });
  const lease = (): ServiceLease => owned.add(new ServiceLease(files));
  return { files, folder, lease, owned, empty };
}
