import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { arrayOf, asCount, asString, type Infer, object, oneOf, parseJson } from '../../base/decode.ts';
import { WorkQueue } from '../../base/workQueue.ts';
import type { Profile } from '../../model/profiles.ts';
import { replaceFile } from '../../model/replaceFile.ts';

const decodeStoredSchema = object({
  format: oneOf([1]),
  /** When it was fetched, in milliseconds since the epoch. */
  fetchedAt: asCount,
  /** The CREATE statements of everything in the project. */
  statements: arrayOf(asString),
});

export type StoredSchema = Omit<Infer<typeof decodeStoredSchema>, 'format'>;

/** A schema within the catalog's limit is shorter, unless nearly each of its characters needs an escape. */
const maxFileBytes = 64 * 1024 * 1024;

/** A hash: no address and no project can be read from the name. */
export function schemaFileName({ id, source, origin, baseUrl, pathPrefix, holderId, projectName }: Profile): string {
  // The local service has another port after each start, and its project ids are its own.
  const address = source === 'local' ? [] : [origin, baseUrl, pathPrefix];
  const place = JSON.stringify([id, ...address, holderId, projectName]);
  return `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`;
}

/**
 * The schemas of a workspace's projects on disk, so that completion needs no network at the start. A schema has names and
 * statements, no rows and no key. A file that cannot be read or written is ignored.
 */
export class SchemaFiles {
  readonly #folder: string | undefined;
  readonly #changes = new WorkQueue();

  constructor(storage: string | undefined) {
    this.#folder = storage === undefined ? undefined : join(storage, 'schemas');
  }

  async read(name: string): Promise<StoredSchema | undefined> {
    if (this.#folder === undefined) return undefined;
    try {
      await using file = await open(join(this.#folder, name));
      if ((await file.stat()).size > maxFileBytes) return undefined;
      return decodeStoredSchema(parseJson(await file.readFile('utf8')));
    } catch {
      return undefined;
    }
  }

  write(name: string, { fetchedAt, statements }: StoredSchema): Promise<void> {
    return this.#change(async folder => {
      const text = JSON.stringify({ format: 1, fetchedAt, statements });
      if (Buffer.byteLength(text) > maxFileBytes) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(join(folder, name), text);
    });
  }

  /** Removes all other files: those of projects that were removed, and what a killed window left half written. */
  keepOnly(names: ReadonlySet<string>): Promise<void> {
    return this.#change(async folder => {
      const others = (await readdir(folder)).filter(name => !names.has(name));
      for (const name of others) await rm(join(folder, name), { force: true });
    });
  }

  /** Changes come one after another. A failed change does not stop the next. */
  async #change(change: (folder: string) => Promise<void>): Promise<void> {
    const folder = this.#folder;
    if (folder !== undefined) await this.#changes.run(() => change(folder)).catch(() => undefined);
  }
}
