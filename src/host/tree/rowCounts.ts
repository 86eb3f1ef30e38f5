import { Debouncer } from '../../base/debouncer.ts';
import type { Clock } from '../../base/clock.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';

type CountedCatalog = Pick<Catalog, 'rowCount'>;

interface CountedFolder {
  readonly counts: Map<string, bigint>;
  readonly ending: AbortController;
  /** The tables still to count, in the order of the tree. */
  waiting: string[];
  state: 'idle' | 'counting' | 'failed';
}

/** Counts may arrive quickly, so the tree is painted only after this delay. */
const showDelayMs = 200;

/**
 * Counts the rows of a folder's tables, one table after another. A fault ends this: the tree shows faults elsewhere. `show` shows the
 * new counts of a folder.
 */
export function tableRowCounts(show: (folderId: string) => void, clock: Clock) {
  const folders = new Map<string, CountedFolder>();
  /** Drops the counts of a folder, or of all folders, and ends their counting. */
  const forget = (folderId?: string): void => {
    for (const [id, { ending }] of folders) {
      if (folderId !== undefined && id !== folderId) continue;
      ending.abort();
      folders.delete(id);
    }
  };
  return {
    forget,
    dispose: () => forget(),
    countOf: (folderId: string, table: string): bigint | undefined => folders.get(folderId)?.counts.get(table),

    /**
     * Counts the tables that have no count yet. During a count, only changes what it still has to count, and settles at once.
     * After a fault, counts nothing until `forget`.
     */
    async request(folderId: string, catalog: CountedCatalog, tables: readonly string[]): Promise<void> {
      const folder = folders.get(folderId) ?? newFolder();
      folders.set(folderId, folder);
      const { counts, ending } = folder;
      folder.waiting = tables.filter(table => !counts.has(table));
      if (folder.state !== 'idle' || folder.waiting.length === 0) return;
      const painting = new Debouncer({ delayMs: showDelayMs, clock, run: () => show(folderId) });
      folder.state = 'counting';
      try {
        for (let table = folder.waiting.shift(); table !== undefined; table = folder.waiting.shift()) {
          if (counts.has(table)) continue;
          const count = await catalog.rowCount(table, ending.signal);
          if (ending.signal.aborted) break;
          counts.set(table, count);
          painting.schedule();
        }
        folder.state = 'idle';
      } catch {
        folder.state = 'failed';
      }
      if (ending.signal.aborted) painting.dispose();
      else painting.flush();
    },
  };
}

const newFolder = (): CountedFolder => ({
  counts: new Map(),
  ending: new AbortController(),
  waiting: [],
  state: 'idle',
});
