import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'sql-projects-';

/** A folder of this window's own for rows that are being looked at. Made when it is first needed, removed with the window. */
export class ScratchFolder {
  #path: Promise<string> | undefined;

  async path(): Promise<string> {
    this.#path ??= makeScratchFolder();
    this.#path.catch(() => (this.#path = undefined));
    const path = await this.#path;
    // Systems clean their temporary folders, also under windows that stay open for weeks.
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#path) await rm(await this.#path, { recursive: true, force: true });
  }
}

/** A folder that nobody else reads. Should its window be killed, another one removes it. */
export async function makeScratchFolder(): Promise<string> {
  await removeOrphans();
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** A window that was killed could not clean up, and rows are nobody else's business. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1]) : Number.NaN;
    // What cannot be removed belongs to another user, whose own window will see to it.
    if (pid > 0 && !isRunning(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
