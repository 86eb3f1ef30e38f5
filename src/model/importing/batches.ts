import type { EncodedSqlRequest, SqlRequest } from '../../wire/sqlRequest.ts';
import { batchSql, encodeRow } from './batchStatement.ts';
import type { ImportTarget } from './importOptions.ts';
import { rowConverter } from './mapping.ts';
import type { SavedBatch, Piece } from './journal.ts';
import type { Place, RowBlock, RowFault, SourceReader, RowTexts, SourceRow } from './sourceRow.ts';

/** With fewer rows in a batch, a refused row is found sooner and no call takes long. */
const maxBatchRows = 10_000;
/** A batch of this many bytes is sent. Each call waits for the disk, and hosted projects take values of 2 MB. */
const maxBatchBytes = 1536 * 1024;

/** A row that cannot be read, or has a value that its column cannot hold. */
export interface UnreadableRow extends ReadableRow {
  readonly fault: RowFault;
}

/** Rows that are sent together, including unreadable rows between them. */
export interface SourceBatch {
  readonly rowCount: number;
  readonly readableCount: number;
  readonly unreadable: readonly UnreadableRow[];
  /** Where the source continues. */
  readonly end: Place;
  readonly request: SqlRequest | EncodedSqlRequest;
  requestOf(piece: Piece): Promise<SqlRequest>;
  /** A readable row as it is written in the source. It is looked up if the service refuses the row. */
  rowAt(index: number): Promise<ReadableRow>;
  /** The batch for the journal, if its rows are in the memory of this thread. */
  readonly savedBatch?: SavedBatch;
}

export interface ReadableRow {
  readonly line: number;
  readonly text: string;
}

export interface BatchOptions {
  readonly from: Place;
  readonly target: ImportTarget;
  /** The size of the first batch, if it has been sent before. */
  readonly firstRowCount: number | undefined;
  /** Whether an unreadable row is a batch of its own, so that all rows before it are sent first. */
  readonly separatesUnreadable: boolean;
}

export async function* rowBatches(reader: SourceReader, options: BatchOptions): AsyncGenerator<LocalBatch> {
  const { from, target, firstRowCount, separatesUnreadable } = options;
  let rowCount = firstRowCount;
  const convert = rowConverter(target, reader.types === undefined);
  let batch = new GrowingBatch(target);
  for await (const block of reader.blocks(from)) {
    for (let index = 0; index < block.rows.length; index++) {
      const row = convert(block.rows[index]!);
      const isAlone = separatesUnreadable && row.fault !== undefined && rowCount === undefined;
      if (isAlone && batch.rowCount > 0) {
        yield batch.end();
        batch = new GrowingBatch(target);
      }
      batch.add(block, index, row);
      const isFull = rowCount === undefined ? isAlone || batch.isFull : batch.rowCount === rowCount;
      if (!isFull) continue;
      yield batch.end();
      batch = new GrowingBatch(target);
      rowCount = undefined;
    }
  }
  if (batch.rowCount > 0) yield batch.end();
}

export function halves({ first, count }: Piece): [Piece, Piece] {
  const half = Math.ceil(count / 2);
  return [
    { first, count: half },
    { first: first + half, count: count - half },
  ];
}

/** Readable rows of a batch that follow each other in a block. */
interface TextRun {
  readonly texts: RowTexts;
  /** The first row in the block, and in the batch. */
  readonly index: number;
  readonly first: number;
}

class GrowingBatch {
  readonly #target: ImportTarget;
  readonly #json: string[] = [];
  readonly #lines: number[] = [];
  readonly #blobs = new Set<number>();
  /** One run for many rows. An object for each row would cost as much as its text. */
  readonly #runs: TextRun[] = [];
  readonly #unreadable: UnreadableRow[] = [];
  #lastRow: { readonly block: RowBlock; readonly index: number } | undefined;
  #bytes = 0;

  constructor(target: ImportTarget) {
    this.#target = target;
  }

  get rowCount(): number {
    return this.#json.length + this.#unreadable.length;
  }

  get isFull(): boolean {
    return this.#bytes >= maxBatchBytes || this.rowCount >= maxBatchRows;
  }

  add(block: RowBlock, index: number, row: SourceRow): void {
    this.#lastRow = { block, index };
    const { line, fault } = row;
    if (fault) {
      const text = block.texts.textOf(index);
      this.#unreadable.push({ line, fault, text });
      this.#bytes += Buffer.byteLength(text);
      return;
    }
    const { json, blobs } = encodeRow(row, this.#target);
    this.#json.push(json);
    this.#bytes += Buffer.byteLength(json);
    this.#lines.push(line);
    blobs?.forEach(place => this.#blobs.add(place));
    const { texts } = block;
    const first = this.#json.length - 1;
    const run = this.#runs.at(-1);
    const continues = run?.texts === texts && index - run.index === first - run.first;
    if (!continues) this.#runs.push({ texts, index, first });
  }

  /** Call this once all rows were added. */
  end(): LocalBatch {
    const runs = this.#runs;
    const textOf = (nth: number): string => {
      const { texts, index, first } = runs.findLast(run => run.first <= nth)!;
      return texts.textOf(index + nth - first);
    };
    const end = this.#lastRow!.block.placeAfter(this.#lastRow!.index);
    const rows = { json: this.#json, lines: this.#lines, blobs: [...this.#blobs], end };
    return localBatch(rows, this.#target, textOf, this.#unreadable);
  }
}

/** A batch whose rows are in the memory of this thread. */
export interface LocalBatch extends SourceBatch {
  readonly request: SqlRequest;
}

function localBatch(
  savedBatch: SavedBatch,
  target: ImportTarget,
  textOf: (index: number) => string,
  unreadable: readonly UnreadableRow[] = [],
): LocalBatch {
  const { json, lines, blobs, end } = savedBatch;
  const sql = batchSql(target, new Set(blobs));
  const requestWith = (some: readonly string[]): SqlRequest => ({ sql, params: [`[${some.join(',')}]`] });
  return {
    rowCount: json.length + unreadable.length,
    readableCount: json.length,
    unreadable,
    end,
    savedBatch,
    get request() {
      return requestWith(json);
    },
    requestOf: async ({ first, count }) => requestWith(json.slice(first, first + count)),
    rowAt: async index => ({ line: lines[index]!, text: textOf(index) }),
  };
}

/** A batch of the journal, with its rows as they were sent. */
export const restoredBatch = (batch: SavedBatch, target: ImportTarget): LocalBatch =>
  localBatch(batch, target, index => (batch.texts ?? batch.json)[index]!);
