import type { SQLOutputValue, StatementColumnMetadata } from 'node:sqlite';
import type { RowsOutcome } from '../../engine.ts';
import { columnsOf, distinctNames, lengthOf, noteTypes, rowWriter } from './rowText.ts';

/** Rows that are written as one text. Large enough for speed, small enough that the first ones leave at once. */
const batchRows = 256;
/** Values that are long make shorter batches: a text has a longest length, and memory an end. */
const batchLength = 1_000_000;

/** The outcome of a statement with rows. They are taken from their source as the batches are read. */
export function rowBatches(columns: readonly StatementColumnMetadata[], rows: Iterable<SQLOutputValue[]>): RowsOutcome {
  const names = distinctNames(columns.map(({ name }) => name));
  const types = columns.map(({ type }) => type);
  const toText = rowWriter(names);
  return {
    kind: 'rows',
    replayed: false,
    columns: () => columnsOf(names, types),
    batches: {
      async *[Symbol.asyncIterator]() {
        let comma = '';
        let batch: SQLOutputValue[][] = [];
        // The first row goes alone, so that it is seen while the next ones are still being found.
        let size = 1;
        let length = 0;
        for (const row of rows) {
          batch.push(row);
          length += lengthOf(row);
          if (batch.length < size && length < batchLength) continue;
          noteTypes(types, batch);
          yield Buffer.from(comma + toText(batch));
          comma = ',';
          batch = [];
          length = 0;
          size = batchRows;
        }
        noteTypes(types, batch);
        if (batch.length > 0) yield Buffer.from(comma + toText(batch));
      },
    },
  };
}
