import { closeBrace, isAt, openBrace, pastBlankBytes, quote } from '../../base/jsonBytes.ts';
import type { RowBatch } from '../../client/index.ts';
import type { Column } from '../../wire/values.ts';
import { RowWalker } from '../results/thread/rowWalker.ts';

/** The first column of a run on several projects. It names the project of a row. */
export const projectColumnName = 'project';

/** As SQLite numbers repeated names, the statement's own column `project` becomes `project:1`, and that one `project:2`. */
export function columnNameInRun(name: string): string {
  const match = /^project(?::([1-9]\d{0,8}))?$/.exec(name);
  return match ? `${projectColumnName}:${Number(match[1] ?? 0) + 1}` : name;
}

/** The walker needs quotes after the rows. */
const padding = Buffer.from('""""');
const comma = Buffer.from(',');

/** Puts the name of a project before the other values of its rows, which keep their bytes. */
export class ProjectColumn {
  readonly #start: Buffer;
  #walker: RowWalker | undefined;
  /** The columns that are renamed, by the walker's slots. */
  #renamed: readonly string[] = [];

  constructor(project: string) {
    this.#start = Buffer.from(`{"${projectColumnName}":${JSON.stringify(project)}`);
  }

  /** Whether the row has the name of this project. */
  isIn(row: Uint8Array): boolean {
    const past = row[this.#start.length];
    return isAt(row, 0, this.#start) && (past === comma[0] || past === closeBrace);
  }

  /** `columns` are those of the project. */
  addTo({ bytes, rowCount }: RowBatch, columns: readonly Column[]): RowBatch {
    const walker = (this.#walker ??= this.#newWalker(columns));
    const batch = Buffer.concat([bytes, padding]);
    const pieces: Uint8Array[] = [];
    for (let at = batch.indexOf(openBrace); at !== -1;) {
      const past = walker.read(batch, at, bytes.length);
      pieces.push(comma, this.#start);
      if (batch[pastBlankBytes(batch, at + 1)] !== closeBrace) pieces.push(comma);
      this.#copyRenamed(walker.from, batch.subarray(0, past), at + 1, pieces);
      at = batch.indexOf(openBrace, past);
    }
    return { bytes: Buffer.concat(pieces).subarray(1), rowCount };
  }

  #newWalker(columns: readonly Column[]): RowWalker {
    const names = columns.map(({ name }) => name).filter(name => columnNameInRun(name) !== name);
    this.#renamed = [...new Set([projectColumnName, ...names])];
    return new RowWalker(this.#renamed, undefined, new Set());
  }

  /** Copies the rest of a row. `values` are the places of the values whose keys are renamed. */
  #copyRenamed(values: Int32Array, row: Buffer, from: number, pieces: Uint8Array[]): void {
    const slots = [...values.keys()].filter(slot => values[slot] !== -1);
    let copied = from;
    for (const slot of slots.toSorted((one, other) => values[one]! - values[other]!)) {
      const keyEnd = row.lastIndexOf(quote, values[slot]! - 1);
      pieces.push(row.subarray(copied, row.lastIndexOf(quote, keyEnd - 1)));
      pieces.push(Buffer.from(JSON.stringify(columnNameInRun(this.#renamed[slot]!))));
      copied = keyEnd + 1;
    }
    pieces.push(row.subarray(copied));
  }
}
