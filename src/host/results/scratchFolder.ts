import { randomUUID } from 'node:crypto';
import { access, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Disposable } from '../../base/disposable.ts';
import { lockFile } from '../../model/lockFile.ts';

const prefix = 'sql-projects-';
/** An empty database. Its owner holds the lock on it for as long as it lives. */
const lockName = 'lock.sqlite';
/** Written when the lock is held. Without it, the owner of a folder may be about to lock it. */
const lockedName = 'locked';
/** Holds the path of a file elsewhere that is removed with the folder. */
const leftoverName = 'leftover';
/** The names that {@link partName} makes. */
const partPattern = /^\..+\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\.part$/;

/** For the rows of a window, or for one export. Only this user can read it. If its window is killed, another window removes it. */
export class ScratchFolder {
  #path: Promise<string> | undefined;
  #locking: Promise<void> = Promise.resolve();
  #lock: Disposable | undefined;

  async path(): Promise<string> {
    this.#path ??= makeFolder();
    this.#path.catch(() => (this.#path = undefined));
    const path = await this.#path;
    this.#locking = this.#locking.catch(() => undefined).then(() => this.#ensureLocked(path));
    await this.#locking;
    return path;
  }

  async remove(): Promise<void> {
    await this.#locking.catch(() => undefined);
    // Windows removes no file that is open.
    this.#lock?.dispose();
    this.#lock = undefined;
    if (this.#path) await rm(await this.#path, { recursive: true, force: true });
  }

  /** Makes the folder again if the system has cleaned it up. A window may stay open for weeks. */
  async #ensureLocked(folder: string): Promise<void> {
    const locked = join(folder, lockedName);
    if (await exists(locked)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.#lock?.dispose();
    this.#lock = await lockFolder(folder, 'rwc').catch(() => undefined);
    // A folder that cannot be locked stays if its window is killed: nothing shows that the window is gone.
    if (this.#lock) await writeFile(locked, '');
  }
}

/** The name of an incomplete file beside the file that it will replace. */
export const partName = (name: string): string => `.${name}.${randomUUID()}.part`;

/** If this window is killed, the part file is removed together with the scratch folder. */
export async function removeWithFolder(folder: string, part: string): Promise<void> {
  await writeFile(join(folder, leftoverName), part);
}

async function makeFolder(): Promise<string> {
  await removeOrphans();
  return mkdtemp(join(tmpdir(), prefix));
}

/** Undefined when a living window has locked the folder. The mode `rw` makes no file. */
async function lockFolder(folder: string, mode: 'rw' | 'rwc'): Promise<Disposable | undefined> {
  const file = pathToFileURL(join(folder, lockName));
  file.searchParams.set('mode', mode);
  return lockFile(file);
}

/** Removes the folders of windows that were killed: their rows are private. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(prefix) || !(await isOrphan(folder).catch(() => false))) continue;
    await removeOrphan(folder).catch(() => undefined);
  }
}

/** Tests the lock. A process ID would not do: the system reuses it, and another container may share the temporary folder. */
async function isOrphan(folder: string): Promise<boolean> {
  const { uid } = await lstat(folder);
  // Each user's own windows remove his folders. Nobody else may name files of this user.
  if (process.platform !== 'win32' && uid !== process.getuid?.()) return false;
  if (!(await exists(join(folder, lockedName)))) return false;
  const lock = await lockFolder(folder, 'rw');
  lock?.dispose();
  return lock !== undefined;
}

async function removeOrphan(folder: string): Promise<void> {
  const part = await readFile(join(folder, leftoverName), 'utf8').catch(() => undefined);
  if (part !== undefined && partPattern.test(basename(part))) await rm(part, { force: true });
  await rm(folder, { recursive: true, force: true });
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
