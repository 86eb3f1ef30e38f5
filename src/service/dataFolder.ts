import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { serviceFileName } from '../wire/serviceFile.ts';
import type { Engine } from './engine.ts';
import { SqliteEngine, type SqliteEngineOptions } from './engines/sqlite/sqliteEngine.ts';
import { lockFile } from './fileLock.ts';
import { FolderAdministration } from './folderAdministration.ts';
import { requireOwnFolder } from './ownFolder.ts';
import { Registry } from './registry.ts';

/** What a data folder holds, opened. It belongs to this process alone until it is closed. */
export interface DataFolder {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly administration: FolderAdministration;
  close(): Promise<void>;
}

export interface DataFolderOptions extends SqliteEngineOptions {
  /** How long another process that has the folder, and may be about to end, is waited for, in milliseconds. */
  readonly lockTime?: number;
}

/** Opens a data folder, which is made when it is not there, for its owner's eyes only; undefined when another process has it. */
export function openDataFolder(folder: string, options: DataFolderOptions = {}): DataFolder | undefined {
  const lock = lockOf(folder, options.lockTime);
  if (!lock) return undefined;
  try {
    // A service that had the folder before was killed: its file leads nowhere.
    rmSync(join(folder, serviceFileName), { force: true });
    const registry = new Registry(join(folder, 'registry.sqlite'));
    const engine = new SqliteEngine(join(folder, 'projects'), options);
    const close = async (): Promise<void> => {
      await engine.close();
      registry.close();
      lock.dispose();
    };
    return { engine, registry, administration: new FolderAdministration({ registry, engine, folder }), close };
  } catch (thrown) {
    lock.dispose();
    throw thrown;
  }
}

function lockOf(folder: string, patience?: number): Disposable | undefined {
  requireOwnFolder(folder);
  try {
    return lockFile(join(folder, 'lock.sqlite'), patience);
  } catch (cause) {
    throw new Error(`The data folder ${folder} cannot be used: ${messageOf(cause)}.`, { cause });
  }
}
