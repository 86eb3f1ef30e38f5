import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockDatabase } from '../../base/databaseLock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { serviceFileName } from '../../wire/serviceFile.ts';
import type { Engine } from '../engine.ts';
import { SqliteEngine, type SqliteEngineOptions } from '../engines/sqlite/sqliteEngine.ts';
import { FolderAdministration } from './folderAdministration.ts';
import { Registry } from './registry.ts';

/** An open data folder. It belongs to this process alone until it is closed. */
export interface DataFolder {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly administration: FolderAdministration;
  close(): Promise<void>;
}

export interface DataFolderOptions extends SqliteEngineOptions {
  /** How long to wait for another process that has the folder. */
  readonly lockWaitMs?: number;
}

/** Opens a data folder; a missing one is made, for its owner's eyes only. Gives undefined when another process has it. */
export function openDataFolder(folder: string, options: DataFolderOptions = {}): DataFolder | undefined {
  const lock = lockFolder(folder, options.lockWaitMs);
  if (!lock) return undefined;
  try {
    // A service that had the folder before was killed: its file leads nowhere.
    rmSync(join(folder, serviceFileName), { force: true });
    const registry = new Registry(join(folder, 'registry.sqlite'));
    const engine = new SqliteEngine(join(folder, 'projects'), options);
    const administration = new FolderAdministration({ registry, engine, folder });
    const close = async (): Promise<void> => {
      await engine.close();
      registry.close();
      lock.dispose();
    };
    return { engine, registry, administration, close };
  } catch (thrown) {
    lock.dispose();
    throw thrown;
  }
}

/** Locks a folder for this process. */
function lockFolder(folder: string, waitMs = 0): Disposable | undefined {
  try {
    makeWritable(folder);
    return lockDatabase(new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: waitMs }));
  } catch (cause) {
    const message = `The data folder ${folder} cannot be used: ${messageOf(cause)}. Choose a folder that you may write to.`;
    throw new Error(message, { cause });
  }
}

function makeWritable(folder: string): void {
  makeFolder(resolve(folder));
  // The dot refuses a file of that name.
  accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Makes one folder after another. The recursive mkdir of Node.js never ends where the system forbids it, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw thrown;
  }
}
