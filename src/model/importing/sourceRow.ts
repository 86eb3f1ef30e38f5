import type { Infer } from '../../base/decode.ts';
import { sqlLiteral } from '../../sql/text/quoting.ts';
import type { decodePlace } from './journal.ts';

/** A value of a file. Texts stay as they are spelled; only database files have other types. */
export type SourceValue = string | null | bigint | number | Uint8Array;

/** The bytes of a text that is not valid UTF-8. No string holds it. */
export class RawText extends Uint8Array {}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that bytes of a database stand for. */
export function textOfBytes(bytes: Uint8Array): string | RawText {
  try {
    return decoder.decode(bytes);
  } catch {
    return new RawText(bytes);
  }
}

/** Whether the bytes of a text may be invalid UTF-8, so that they must be read as bytes. */
export const mayBeRaw = (value: unknown): boolean => typeof value === 'string' && value.includes('\u{fffd}');

export const sqlOf = (value: SourceValue): string =>
  value instanceof RawText ? `CAST(${sqlLiteral(value)} AS TEXT)` : sqlLiteral(value);

/** A value of a key, as it is stored. */
export type SourceKeyValue = NonNullable<Place['key']>[number];

/** Why a row cannot be read. Messages are made where people read them. */
export type RowFault =
  | { readonly kind: 'fieldCount'; readonly found: number; readonly expected: number }
  | { readonly kind: 'openQuote' }
  | { readonly kind: 'textAfterQuote'; readonly column: number }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'encoding' }
  | { readonly kind: 'invalidJson'; readonly message: string }
  | { readonly kind: 'notAnObject' }
  | { readonly kind: 'unknownField' | 'repeatedField'; readonly name: string }
  /** The column of the table that takes numbers. */
  | { readonly kind: 'notNumber' | 'integerTooLarge'; readonly column: string };

export interface SourceRow {
  /** The line on which it begins, from 1; for a database file, the number of the row. */
  readonly line: number;
  readonly cells: readonly SourceValue[];
  /** Set if all cells are texts without single quotes, backslashes and control characters. */
  readonly isPlain?: boolean;
  /** The places of cells that are strings in JSON, where numbers are spelled without quotes. */
  readonly strings?: readonly number[];
  readonly fault?: RowFault;
}

/** A place in a file or table, after a row. A reader can begin there. */
export type Place = Infer<typeof decodePlace>;

export const firstPlace: Place = { rows: 0, line: 1, bytes: 0 };

/** Rows that were read together. */
export interface RowBlock {
  readonly rows: readonly SourceRow[];
  placeAfter(index: number): Place;
  /** The texts outlive the block, whose values are dropped once they are encoded. */
  readonly texts: RowTexts;
}

/** The rows of a block as they are written in the file, for the file of rejected rows. */
export interface RowTexts {
  textOf(index: number): string;
}

export interface SourceReader {
  readonly columns: readonly string[];
  /** For a database file: column types as SQL text that store the values unchanged. */
  readonly types?: readonly string[];
  /** The number of rows, if it is known before they are read. Readers of text files measure their progress in bytes. */
  countRows?(): Promise<number>;
  blocks(from: Place): AsyncGenerator<RowBlock>;
}

/** About how much memory a row takes. */
export function rowLengthOf(cells: readonly SourceValue[]): number {
  let length = 0;
  for (const cell of cells) length += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return length;
}

/** The longest row to import, in characters. A service accepts no longer statements. */
export const maxRowLength = 4 * 1024 * 1024;
