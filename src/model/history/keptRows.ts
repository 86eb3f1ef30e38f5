import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { savedFiles } from '../results/spool/savedSpool.ts';

/** Orphans are removed after this time. */
const orphanMs = 60 * 60 * 1000;

/** The rows of results that were closed, in files beside the entries. They have a budget of their own. */
export class KeptRows {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = keptRowsFolder(folder);
  }

  /** The index is written last, so it shows that the rows are complete. */
  names(): ReadonlySet<string> {
    return new Set(this.#files().flatMap(file => (file.endsWith(indexEnding) ? [nameOf(file)] : [])));
  }

  /** The names of rows that are older than an hour, also of incomplete ones. */
  oldNames(): string[] {
    const limit = Date.now() - orphanMs;
    return this.#sizes().flatMap(({ name, changedAt }) => (changedAt < limit ? [name] : []));
  }

  remove(name: string): void {
    for (const file of savedFiles(join(this.#folder, `${name}.rows`))) rmSync(file, { force: true });
  }

  /** Removes the oldest rows beyond the budget. */
  prune(maxBytes: number): void {
    let total = 0;
    for (const { name, bytes } of this.#sizes().toSorted((one, other) => other.changedAt - one.changedAt)) {
      total += bytes;
      if (total > maxBytes) this.remove(name);
    }
  }

  #sizes(): { readonly name: string; readonly bytes: number; readonly changedAt: number }[] {
    return [...new Set(this.#files().map(nameOf))].map(name => {
      const files = savedFiles(join(this.#folder, `${name}.rows`));
      const stats = files.flatMap(file => statSync(file, { throwIfNoEntry: false }) ?? []);
      const bytes = stats.reduce((sum, { size }) => sum + size, 0);
      return { name, bytes, changedAt: Math.max(0, ...stats.map(({ mtimeMs }) => mtimeMs)) };
    });
  }

  #files(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }
}

const indexEnding = '.rows.index';

const nameOf = (file: string): string => file.slice(0, file.indexOf('.'));

/** The folder of the rows, within that of the history. */
export const keptRowsFolder = (folder: string): string => join(folder, 'rows');

/** The file of an entry's rows, as `RestoredRun` opens it. */
export const keptRowsFile = (folder: string, run: string): string => join(keptRowsFolder(folder), `${run}.rows`);
