import { monotonicClock, type Clock } from '../../src/base/clock.ts';
import type { Client } from '../../src/client/index.ts';
import type { BrowsedTable } from '../../src/model/browsing/browsedTable.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import { DiskBudget } from '../../src/model/results/diskBudget.ts';
import type { RowsThread } from '../../src/model/results/queries/rowsThread.ts';
import type { StatementRun } from '../../src/model/results/statementRun.ts';
import { type SearchNote, tableSearch } from '../../src/model/searching/searchRun.ts';
import type { SearchKind } from '../../src/model/searching/searchStatement.ts';
import { type ShownValue, textOf } from '../../src/protocol/shownValues.ts';
import { disposable } from './disposable.ts';

interface SearchOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly folder: string;
  readonly thread: RowsThread;
  readonly text: string;
  readonly kind?: SearchKind;
  /** Views have names that begin with `view`. */
  readonly tables: readonly string[];
  readonly limits?: Partial<Parameters<typeof tableSearch>[0]['limits']>;
  readonly clock?: Clock;
  /** Called when the columns of a table were read, before it is searched. */
  readonly onColumns?: (table: string) => Promise<unknown>;
}

const searchLimits = { tableMs: 60_000, tableCells: 1000, allCells: 10_000 };

const namedTable = (name: string): BrowsedTable => ({ name, kind: name.startsWith('view') ? 'view' : 'table' });

/** A search that is not started yet. It calls its notes by their kinds. */
export function openSearch(options: SearchOptions) {
  const {
    client,
    projectId,
    folder,
    thread,
    text,
    kind = 'contains',
    tables,
    limits,
    clock = monotonicClock,
  } = options;
  const project = client.project(projectId);
  const catalog = new Catalog(() => Promise.resolve(project));
  const notes: SearchNote[] = [];
  const search = tableSearch({
    project,
    columnsOf: async table => {
      const columns = await catalog.freshColumns(table);
      await options.onColumns?.(table);
      return columns;
    },
    request: { text, kind, tables: tables.map(namedTable) },
    limits: { ...searchLimits, ...limits },
    names: ['Table', 'Column', 'Row', 'Value', 'Note'],
    noteText: note => {
      notes.push(note);
      return note.kind;
    },
    folder,
    thread,
    disk: new DiskBudget(() => Infinity),
    clock,
  });
  return Object.assign(disposable(search.run), {
    progress: () => search.progress,
    cellAt: (row: number) => search.cellAt(row),
    notes,
  });
}

const text = (value: ShownValue | undefined): string => (!value || value.kind === 'null' ? 'null' : textOf(value));

/** The rows of a search: table, column, row, value and note, with NULL as `null`. The column of notes comes with the first note. */
export async function foundRows(run: StatementRun): Promise<string[]> {
  const rows = await run.rows(0, run.rowCount);
  return rows.map(row => Array.from({ length: 5 }, (_, column) => text(row[column])).join('|'));
}
