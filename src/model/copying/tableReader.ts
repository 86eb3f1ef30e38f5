import { bound, type BoundSql } from '../boundSql.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { Project } from '../../client/index.ts';
import { refusalOf, retryAfterOf } from '../importing/refusal.ts';
import {
  type SourceValue,
  firstPlace,
  mayBeRaw,
  type Place,
  type RowBlock,
  type SourceReader,
  sqlOf,
  textOfBytes,
} from '../importing/sourceRow.ts';
import { tablePageRequest, pageRow, type PageRow, type ReadTable, storedValue, LongValue } from './pageStatement.ts';
import { asString } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { rowsAfter, rowWith } from './rowsAfter.ts';

/** A page is one answer. It is kept until its rows are encoded, so it is as small as a batch. */
const wantedPageSize = 512 * 1024;
const maxPageSize = 2 * 1024 * 1024;
const firstPageRows = 200;
const maxPageRows = 10_000;

/** A restarted service answers after some seconds. */
const maxAttempts = 8;
const firstWaitMs = 500;
const maxWaitMs = 8000;

export interface TableReaderParts {
  readonly source: ReadTable;
  readonly open: () => Promise<Project>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface WholeRow extends PageRow {
  readonly cells: readonly SourceValue[];
}

/**
 * Reads a table of a project page by page, in the order of its key. Each page is a statement of its own that begins after the
 * last row, so no answer stays open while rows are written, and a restart of the service between two pages loses nothing.
 */
export class TableReader implements SourceReader {
  readonly #parts: TableReaderParts;

  constructor(parts: TableReaderParts) {
    this.#parts = parts;
  }

  get columns(): readonly string[] {
    return this.#parts.source.columns;
  }

  async *blocks(from: Place): AsyncGenerator<RowBlock> {
    let place = from;
    let pageRows = firstPageRows;
    for (;;) {
      const { rows, isLast } = await this.#page(place, pageRows);
      if (rows.length > 0) {
        const block = blockOf(rows, place);
        yield block;
        place = block.placeAfter(rows.length - 1);
        pageRows = nextPageRows(rows);
      }
      if (isLast) return;
    }
  }

  /** The rows after a place. They are requested again while the service does not answer. */
  async #page(place: Place, maxRows: number): Promise<{ rows: readonly WholeRow[]; isLast: boolean }> {
    const { source, open, clock, signal } = this.#parts;
    let read = source;
    let waitMs = firstWaitMs;
    for (let attempt = 1; ; attempt++) {
      const rows: PageRow[] = [];
      const hasRaw = (): boolean => read === source && rows.some(({ cells }) => cells.some(mayBeRaw));
      try {
        const isCut = await this.#read(await open(), read, tablePageRequest(read, place, maxRows), rows);
        if (!hasRaw()) return { rows: await this.#completeRows(rows, place), isLast: !isCut && rows.length < maxRows };
        read = { ...source, hasHexTexts: true };
      } catch (thrown) {
        signal.throwIfAborted();
        if (hasRaw()) {
          read = { ...source, hasHexTexts: true };
          continue;
        }
        // Rows before a fault are whole, and the next page begins after them.
        if (rows.length > 0 && source.sliceBytes === undefined)
          return { rows: await this.#completeRows(rows, place), isLast: false };
        const refusal = refusalOf(thrown);
        if ((refusal !== 'unknown' && refusal !== 'later') || attempt === maxAttempts) throw thrown;
        await delay(clock, Math.max(waitMs, retryAfterOf(thrown) ?? 0), signal);
        waitMs = Math.min(2 * waitMs, maxWaitMs);
      }
    }
  }

  async #completeRows(rows: readonly PageRow[], from: Place): Promise<WholeRow[]> {
    const whole: WholeRow[] = [];
    for (const [index, row] of rows.entries()) {
      whole.push({ ...row, cells: await readLongValues(this.#parts, row, from.rows + index) });
    }
    return whole;
  }

  /** Whether the page was cut off because its rows are larger than those before them. */
  async #read(project: Project, source: ReadTable, { sql, params }: BoundSql, rows: PageRow[]): Promise<boolean> {
    const { signal } = this.#parts;
    let size = 0;
    await using scanner = await project.stream(sql, params, { isReadOnly: true, signal });
    for await (const row of scanner) {
      const found = pageRow(source, row);
      rows.push(found);
      size += found.size;
      if (size >= maxPageSize) return true;
    }
    const fault = scanner.err();
    if (fault) throw fault;
    return false;
  }
}

function nextPageRows(rows: readonly PageRow[]): number {
  const size = rows.reduce((sum, row) => sum + row.size, 0);
  return Math.max(1, Math.min(maxPageRows, Math.floor((wantedPageSize * rows.length) / Math.max(1, size))));
}

const blockOf = (rows: readonly WholeRow[], from: Place): RowBlock => ({
  rows: rows.map(({ cells }, index) => ({ line: from.rows + index + 1, cells })),
  placeAfter: index => ({
    rows: from.rows + index + 1,
    line: from.rows + index + 2,
    bytes: 0,
    key: rows[index]!.key.map(storedValue),
  }),
  texts: { textOf: index => rows[index]!.cells.map(sqlOf).join(', ') },
});

/** The values of a row, with the long ones, which are fetched on their own. `rowNumber` finds a row without a key. */
async function readLongValues(
  parts: TableReaderParts,
  row: PageRow,
  rowNumber: number,
): Promise<readonly SourceValue[]> {
  const { source } = parts;
  if (!row.cells.some(cell => cell instanceof LongValue)) return row.cells as readonly SourceValue[];
  const cells: SourceValue[] = [];
  for (const [place, cell] of row.cells.entries()) {
    if (!(cell instanceof LongValue)) {
      cells.push(cell);
      continue;
    }
    const bytes = await readBytes(parts, rowSql(source, row, rowNumber), source.columns[place]!, cell.sizeBytes);
    cells.push(cell.kind === 'blob' ? bytes : textOfBytes(bytes));
  }
  return cells;
}

/** The bytes of one value, slice by slice, so that no answer is too long. */
async function readBytes(
  { source, open, signal }: TableReaderParts,
  { sql: from, params }: BoundSql,
  column: string,
  sizeBytes: number,
): Promise<Uint8Array> {
  const sliceBytes = source.sliceBytes!;
  const bytes = `CAST(${quoteIdentifier(column)} AS BLOB)`;
  const slices: Buffer[] = [];
  let length = 0;
  for (;;) {
    const project = await open();
    const [slice] = await project.query(
      `SELECT hex(substr(${bytes}, ?, ?)) AS slice FROM ${quoteIdentifier(source.table)}${from}`,
      [length + 1, sliceBytes, ...params],
      { decode: found => asString(found['slice']), isReadOnly: true, signal },
    );
    if (slice === undefined) throw rowChanged(source.table);
    const read = Buffer.from(slice, 'hex');
    slices.push(read);
    length += read.length;
    if (read.length < sliceBytes) break;
  }
  if (length !== sizeBytes) throw rowChanged(source.table);
  return Buffer.concat(slices);
}

const rowSql = (source: ReadTable, row: PageRow, rowNumber: number): BoundSql =>
  source.key.length > 0
    ? bound` WHERE ${rowWith(source.key, row.key.map(storedValue))}`
    : rowsAfter({ key: [], readColumns: source.columns }, { ...firstPlace, rows: rowNumber }, 1);

const rowChanged = (table: string) =>
  misuse('source_changed', `A row of the table '${table}' was changed while its long values were read.`);
