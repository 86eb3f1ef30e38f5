import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'sql-projects-';
/** Holds the path of a file outside of the scratch folder that goes with the folder. */
const leftoverName = 'leftover';
/** The names that {@link partName} makes. */
const partPattern = /^\..+\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\.part$/;

/** A temporary folder of this window for the rows of its results. Made with the first use, removed with the window. */
export class ScratchFolder {
  #path: Promise<string> | undefined;

  async path(): Promise<string> {
    this.#path ??= makeScratchFolder();
    this.#path.catch(() => (this.#path = undefined));
    const path = await this.#path;
    // Systems clean their temporary folders, even those of windows that stay open for weeks.
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#path) await rm(await this.#path, { recursive: true, force: true });
  }
}

/** Makes a folder that only this user can read. If its window is killed, another window removes it. */
export async function makeScratchFolder(): Promise<string> {
  await removeOrphans();
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** The name of a file beside another one, which takes the place of that when it is complete. */
export const partName = (name: string, id: string): string => `.${name}.${id}.part`;

/** Has a part file removed with the scratch folder, if this window is killed before it removes the file itself. */
export async function removeWithFolder(folder: string, part: string): Promise<void> {
  await writeFile(join(folder, leftoverName), part);
}

/** Removes the folders of windows that were killed: their rows are private. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1]) : Number.NaN;
    // A folder that cannot be removed belongs to another user, whose own windows remove it.
    if (pid > 0 && !isRunning(pid)) await removeOrphan(join(tmpdir(), name)).catch(() => undefined);
  }
}

async function removeOrphan(folder: string): Promise<void> {
  const { uid } = await lstat(folder);
  // In a shared temporary folder, another user must not be able to name files of this user.
  const isOwn = uid === process.getuid?.() || process.platform === 'win32';
  const part = isOwn ? await readFile(join(folder, leftoverName), 'utf8').catch(() => undefined) : undefined;
  if (part !== undefined && partPattern.test(basename(part))) await rm(part, { force: true });
  await rm(folder, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
