import type * as Sqlite from 'node:sqlite';
import type { Disposable } from '../base/disposable.ts';
import { ProjectError } from '../base/errors.ts';
import { asRecord } from '../base/shape.ts';

const busy = 5;

/**
 * Holds a file for this process alone, or gives undefined when another one has it and keeps it for so many milliseconds. It is
 * SQLite's lock on an empty database, which the system takes back when the process ends, however it ends.
 */
export function lockFile(file: string, patience = 0): Disposable | undefined {
  // Asked for at run time: a static import would end an old runtime with a sentence that nobody understands.
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined;
  if (!sqlite) throw runtimeTooOld();
  const database = new sqlite.DatabaseSync(file, { timeout: patience });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (asRecord(thrown)?.['errcode'] === busy) return undefined;
    throw thrown;
  }
  return { dispose: () => database.close() };
}

function runtimeTooOld(): ProjectError {
  const message = `Node.js ${process.versions.node}, which runs this, has no SQLite.`;
  return new ProjectError('misuse', 'runtime_too_old', message);
}
