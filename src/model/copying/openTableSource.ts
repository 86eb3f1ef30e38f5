import { misuse } from '../../base/errors.ts';
import { rowCountOf } from '../catalog/catalogQueries.ts';
import { rowBatches } from '../importing/batches.ts';
import type { TableSource } from '../importing/journal.ts';
import type { RowSource } from '../importing/rowSource.ts';
import { readCopiedTable } from './copiedTable.ts';
import { TableReader, type TableReaderParts } from './tableReader.ts';

interface TableSourceParts extends TableReaderParts {
  readonly source: TableSource;
}

/** Opens a table to copy its rows. Its columns and its key must be as they were when the copy was planned. */
export async function openTableSource({ source, open, clock, signal }: TableSourceParts): Promise<RowSource> {
  const { table, columns, key, rowCount } = source;
  const present = await readCopiedTable(await open(), table, signal);
  const isSame =
    JSON.stringify(present.columns.map(({ name }) => name)) === JSON.stringify(columns) &&
    JSON.stringify(present.key.map(({ name }) => name)) === JSON.stringify(key.map(({ name }) => name));
  // Without a key, rows are found by their number alone.
  if (!isSame || (key.length === 0 && present.rowCount !== rowCount)) throw tableChanged(table);
  const reader = new TableReader({ source, open, clock, signal });
  return {
    batches: from => rowBatches(reader, from),
    isLive: true,
    share: ({ rows }) => (rowCount === 0 ? undefined : Math.min(1, rows / rowCount)),
    requireUnchanged: async () => undefined,
    isChanged: async ({ rows }) => {
      const now = Number(await rowCountOf(await open(), table, signal));
      return rows !== now || rowCount !== now;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const tableChanged = (table: string) =>
  misuse('source_changed', `The table '${table}' was changed while it was copied, so the rest of it was not read.`);
