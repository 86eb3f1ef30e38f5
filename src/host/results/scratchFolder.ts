import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of this window's own for rows that are being looked at. Made when it is first needed, removed with the window. */
export class ScratchFolder {
  #path: Promise<string> | undefined;

  async path(): Promise<string> {
    this.#path ??= mkdtemp(join(tmpdir(), 'sql-projects-'));
    const path = await this.#path;
    // Systems clean their temporary folders, also under windows that stay open for weeks.
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#path) await rm(await this.#path, { recursive: true, force: true });
  }
}
