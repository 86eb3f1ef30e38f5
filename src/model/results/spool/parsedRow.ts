import { asRecord } from '../../../base/decode.ts';
import { objectsIn } from '../../../base/jsonBytes.ts';
import { parseExact } from '../../../wire/exactJson.ts';
import {
  cutToShow,
  type ShownValue,
  shownLengthOf,
  tagValue,
  type TaggedValue,
} from '../../../protocol/shownValues.ts';
import type { Column, Row } from '../../../wire/values.ts';

/** A row of a spool, or its text if it is not valid JSON. */
export type ParsedRow = { readonly row: Row } | { readonly broken: string };

/** Always `count` rows. A broken row affects no other, and missing rows of a damaged file are empty. */
export function parseRows(bytes: Buffer, count: number): ParsedRow[] {
  const parsed = parseBlock(bytes).slice(0, count);
  while (parsed.length < count) parsed.push({ broken: '' });
  return parsed;
}

function parseBlock(bytes: Buffer): ParsedRow[] {
  const rows = tryParse(`[${bytes.toString('utf8')}]`);
  if (Array.isArray(rows)) return rows.map(row => ({ row: (asRecord(row) ?? {}) as Row }));
  return [...objectsIn(bytes)].map(row => parseRow(row as Buffer));
}

export function parseRow(bytes: Buffer): ParsedRow {
  const text = bytes.toString('utf8');
  const row = asRecord(tryParse(text));
  return row ? { row: row as Row } : { broken: text };
}

function tryParse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export function shownCellsOf(parsed: ParsedRow, columns: readonly Column[]): ShownValue[] {
  const maxLength = shownLengthOf(columns.length);
  return columns.map((_, column) => cutToShow(cellOf(parsed, columns, column), maxLength));
}

/** One whole cell. The first column of a broken row has its text. */
export function cellOf(parsed: ParsedRow, columns: readonly Column[], column: number): TaggedValue {
  if ('broken' in parsed) return column === 0 ? { kind: 'json', text: parsed.broken } : { kind: 'null' };
  const { name, key = name } = columns[column] ?? {};
  return tagValue(key !== undefined && Object.hasOwn(parsed.row, key) ? parsed.row[key] : undefined);
}
