import { randomUUID } from 'node:crypto';
import { boundTerm } from '../model/boundSql.ts';
import { storedValue } from '../model/copying/pageStatement.ts';
import { halves, rowBatches } from '../model/importing/batches.ts';
import type { ImportTarget } from '../model/importing/importOptions.ts';
import type { Piece } from '../model/importing/journal.ts';
import { refusalOf } from '../model/importing/refusal.ts';
import { rowLengthOf, type SourceValue, type Place, RawText, type SourceReader } from '../model/importing/sourceRow.ts';
import type { SqlParameter } from '../client/index.ts';
import { quoteIdentifier } from '../sql/text/quoting.ts';
import type { FileTable } from './fileRows.ts';
import type { TransferProgress } from './progress.ts';
import type { SendPlan } from './uploadChecks.ts';
import { slicesTable, type UploadTarget } from './uploadState.ts';

/** A longer row has a statement of its own. Its long values are sent in slices before it. */
const maxRowBytes = 512 * 1024;
const sliceBytes = 1024 * 1024;

interface SentTable {
  readonly plan: SendPlan;
  readonly rows: FileTable;
  /** Identifies the table in idempotency keys. */
  readonly nth: number;
  /** The place after the rows that the project has. */
  readonly from: Place;
}

/** Writes the rows of a file into a project. The idempotency key of a statement follows from the place of its rows. */
export class RowSender {
  readonly #target: UploadTarget;
  readonly #progress: TransferProgress;
  readonly #hasJsonb: boolean;

  constructor(target: UploadTarget, progress: TransferProgress, hasJsonb: boolean) {
    this.#target = target;
    this.#progress = progress;
    this.#hasJsonb = hasJsonb;
  }

  async send({ plan, rows, nth, from }: SentTable): Promise<void> {
    const { table } = plan;
    const target: ImportTarget = {
      table: table.name,
      mode: 'insert',
      columns: sentColumns(plan),
      key: [],
      hasJsonb: this.#hasJsonb,
    };
    const batches = rowBatches(sendableRows(rows), {
      from,
      target,
      firstRowCount: undefined,
      separatesUnreadable: true,
    });
    let place = from;
    for await (const batch of batches) {
      const first = place.rows;
      const keyOf = (piece: Piece): string => `${this.#target.id}-${nth}-${first + piece.first}-${piece.count}`;
      if (batch.readableCount === 0) {
        await this.#sendLongRow(plan, (await rows.rowAfter(place)).cells, keyOf({ first: 0, count: 1 }));
      } else {
        await this.#sendPiece({ first: 0, count: batch.readableCount }, async piece => {
          const { sql, params } = await batch.requestOf(piece);
          await this.#target.write(sql, params ?? [], keyOf(piece));
        });
      }
      place = batch.end;
      this.#progress.rows('writing', table.name, { added: batch.rowCount, total: place.rows });
    }
    this.#progress.table('writing', table.name, place.rows);
  }

  /** Halves a piece that the service refuses as too large. */
  async #sendPiece(piece: Piece, send: (piece: Piece) => Promise<void>): Promise<void> {
    try {
      await send(piece);
    } catch (thrown) {
      if (refusalOf(thrown) !== 'size' || piece.count === 1) throw thrown;
      for (const half of halves(piece)) await this.#sendPiece(half, send);
    }
  }

  async #sendLongRow(plan: SendPlan, cells: readonly SourceValue[], key: string): Promise<void> {
    const columns = sentColumns(plan);
    await this.#target.run(`DELETE FROM ${slicesTable}`);
    const inlineBytes = Math.floor(sliceBytes / columns.length);
    const values: string[] = [];
    const params: SqlParameter[] = [];
    for (const { source: place } of columns) {
      const cell = cells[place] ?? null;
      const bytes = bytesOf(cell);
      if (bytes && bytes.length > inlineBytes) {
        await this.#sendSlices(place, bytes);
        values.push(joinedSlices(place, cell));
      } else {
        const term = boundTerm(storedValue(cell));
        values.push(term.sql);
        params.push(...term.params);
      }
    }
    const names = columns.map(({ target }) => quoteIdentifier(target)).join(', ');
    const sql = `INSERT INTO ${quoteIdentifier(plan.table.name)} (${names}) VALUES (${values.join(', ')})`;
    await this.#target.write(sql, params, key);
    await this.#target.run(`DELETE FROM ${slicesTable}`);
  }

  async #sendSlices(place: number, bytes: Uint8Array): Promise<void> {
    const sql = `INSERT OR REPLACE INTO ${slicesTable} (place, n, bytes) VALUES (?, ?, unhex(?))`;
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const hex = Buffer.from(bytes.subarray(at, at + sliceBytes)).toString('hex');
      await this.#target.write(sql, [place, at, hex], randomUUID());
    }
  }
}

function sentColumns({ table, leavesOutRowIds }: SendPlan): ImportTarget['columns'] {
  const columns = table.columns.map((target, source) => ({ source, target }));
  return leavesOutRowIds ? columns.slice(1) : columns;
}

export const slicesTableSql = `CREATE TABLE ${slicesTable} (place INTEGER, n INTEGER, bytes BLOB, PRIMARY KEY (place, n))`;

/** Joins bytes as texts: `group_concat` keeps each byte, and SQLite has no such function for BLOBs. */
function joinedSlices(place: number, cell: SourceValue): string {
  const joined = `(SELECT group_concat(CAST(bytes AS TEXT), '' ORDER BY n) FROM ${slicesTable} WHERE place = ${place})`;
  return cell instanceof Uint8Array && !(cell instanceof RawText) ? `CAST(${joined} AS BLOB)` : joined;
}

function bytesOf(cell: SourceValue): Uint8Array | undefined {
  if (typeof cell === 'string') return Buffer.from(cell);
  return cell instanceof Uint8Array ? cell : undefined;
}

/** Marks long rows as unreadable: batches leave such rows out, and each is sent by itself. */
const sendableRows = (table: FileTable): SourceReader => ({
  columns: table.columns,
  async *blocks(from) {
    for await (const block of table.blocks(from)) {
      const rows = block.rows.map(row =>
        rowLengthOf(row.cells) > maxRowBytes ? { line: row.line, cells: [], fault: { kind: 'tooLong' } as const } : row,
      );
      yield { ...block, rows };
    }
  },
});
