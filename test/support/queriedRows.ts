import { after, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { RowsThread } from '../../src/model/results/queries/rowsThread.ts';
import { SpoolQueries } from '../../src/model/results/queries/spoolQueries.ts';
import { Spool } from '../../src/model/results/spool.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { CellRange } from '../../src/protocol/rowQueries.ts';
import { textOf } from '../../src/protocol/shownValues.ts';
import { type Column, exactNumbers } from '../../src/wire/values.ts';
import { startRowsThread } from './rowsThread.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** All tests of a file share a rows thread. */
const sharedThread = startRowsThread();
after(() => sharedThread.dispose());

export interface RowsUnderTest {
  readonly spool: Spool;
  readonly queries: SpoolQueries;
  readonly clock: Clock;
  readonly columns: readonly Column[];
  /** Appends rows, as values or as the text that a service sends. */
  add(...rows: readonly (string | Readonly<Record<string, unknown>>)[]): Promise<void>;
  /** Ends the rows, and names the columns if they are known only then. */
  end(columns?: readonly Column[]): void;
  /** Resolves with the next change. */
  changed(): Promise<void>;
}

export interface RowsOptions {
  readonly thread?: RowsThread;
  readonly clock?: Clock;
  readonly mayGrow?: boolean;
}

/** A spool with rows of these columns, and row queries on it. */
export async function openRows(
  context: TestContext,
  columns: readonly (string | Column)[],
  { thread = sharedThread, clock = systemClock, mayGrow = false }: RowsOptions = {},
): Promise<RowsUnderTest> {
  const folder = temporaryFolder();
  const spool = await Spool.create(folder);
  let named: readonly Column[] = columns.map(column =>
    typeof column === 'string' ? { name: column, type: '' } : column,
  );
  let open = mayGrow;
  let nextChange = Promise.withResolvers<void>();
  const queries = new SpoolQueries({
    thread,
    clock,
    spool: () => spool,
    columns: () => named,
    rowCount: () => spool.rowCount,
    mayGrow: () => open,
    onChange: () => {
      nextChange.resolve();
      nextChange = Promise.withResolvers<void>();
    },
  });
  context.after(async () => {
    queries.dispose();
    await spool.delete();
  });
  return {
    spool,
    queries,
    clock,
    get columns() {
      return named;
    },
    async add(...rows) {
      const texts = rows.map(row => (typeof row === 'string' ? row : JSON.stringify(row, exactNumbers)));
      for (let at = 0; at < texts.length; at += 50) {
        const some = texts.slice(at, at + 50);
        await spool.append({ bytes: Buffer.from(some.join(',')), rowCount: some.length });
      }
      queries.rowsArrived();
    },
    end(known = named) {
      named = known;
      open = false;
      queries.rowsArrived();
    },
    changed: () => nextChange.promise,
  };
}

/** The texts of all rows in the order shown, with NULL as null. */
export async function shownTexts({ queries }: RowsUnderTest): Promise<(string | null)[][]> {
  const rows = await queries.rows(0, queries.shownRows);
  return rows.map(row => row.map(cell => (cell.kind === 'null' ? null : textOf(cell))));
}

export const allCells = ({ queries }: RowsUnderTest, columns: number): CellRange => ({
  firstRow: 0,
  endRow: queries.shownRows,
  columns: Array.from({ length: columns }, (_, column) => column),
});

export const notAborted = { signal: new AbortController().signal };

/** Joins the pieces of a text. */
export async function textOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts).toString('utf8');
}
