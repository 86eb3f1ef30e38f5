import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../base/clock.ts';
import { lockDatabase } from '../../base/databaseLock.ts';
import { messageOf } from '../../base/errors.ts';
import { SqliteEngine, type SqliteEngineOptions } from '../engines/sqlite/sqliteEngine.ts';
import { FolderAdministration } from './folderAdministration.ts';
import { retireServiceFile } from './ownServiceFile.ts';
import { makePrivate } from './privateFolder.ts';
import { Registry } from './registry.ts';

/** An open data folder. It belongs to this process alone until it is closed. */
export interface DataFolder {
  /** Its path, without symbolic links. */
  readonly path: string;
  readonly engine: SqliteEngine;
  readonly registry: Registry;
  readonly administration: FolderAdministration;
  /** False if somebody has deleted or replaced the folder. */
  isHeld(): boolean;
  close(): Promise<void>;
}

interface DataFolderOptions extends SqliteEngineOptions {
  /** How long to wait for another process that has the folder. */
  readonly lockWaitMs?: number;
  /** Called when other users could open the folder. */
  readonly warn?: (message: string) => void;
}

/** Makes a missing folder, for its owner alone. Returns undefined if another process has the folder. */
export function openDataFolder(folder: string, options: DataFolderOptions = {}): DataFolder | undefined {
  const { clock = systemClock, warn = () => {}, lockWaitMs = 0 } = options;
  const path = withReason(folder, () => makeWritable(folder));
  makePrivate(path, warn);
  const lockFile = join(path, 'lock.sqlite');
  const lock = withReason(folder, () => lockDatabase(new DatabaseSync(lockFile, { timeout: lockWaitMs })));
  if (!lock) return undefined;
  const identity = identityOf(lockFile);
  try {
    // A service that was killed has left its service file.
    retireServiceFile(path);
    const registry = new Registry(join(path, 'registry.sqlite'), clock);
    const engine = new SqliteEngine(join(path, 'projects'), options);
    const administration = new FolderAdministration(registry, engine, path);
    const close = async (): Promise<void> => {
      await engine.close();
      registry.close();
      lock.dispose();
    };
    return { path, engine, registry, administration, isHeld: () => identityOf(lockFile) === identity, close };
  } catch (thrown) {
    lock.dispose();
    throw thrown;
  }
}

function withReason<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const message = `The data folder ${folder} cannot be used: ${messageOf(cause)}. Choose a folder that you may write to.`;
    throw new Error(message, { cause });
  }
}

/** A new file at the same path has another identity. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Returns the path without symbolic links: somebody may change a link later. */
function makeWritable(folder: string): string {
  makeFolder(resolve(folder));
  // The dot refuses a file of that name.
  accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  return realpathSync(folder);
}

/** Makes one folder after another. The recursive mkdir of Node.js never ends where the system forbids it, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have made it since the check.
    if (!existsSync(folder)) throw thrown;
  }
}
