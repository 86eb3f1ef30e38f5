import { asRecord } from '../../../base/shape.ts';
import { parseExact } from '../../../wire/exactJson.ts';
import type { Row } from '../../../wire/values.ts';
import { rowsIn } from './rowsIn.ts';

/** A row as it was kept, or the text of one that is no JSON. */
export type KeptRow = { readonly row: Row } | { readonly broken: string };

/** The rows of a block. One that cannot be read is told apart, and takes no other with it. */
export function parseRows(bytes: Buffer): KeptRow[] {
  const together = parsed(`[${bytes.toString('utf8')}]`);
  if (Array.isArray(together)) return together.map(row => ({ row: (asRecord(row) ?? {}) as Row }));
  return [...rowsIn(bytes)].map(([start, end]) => parseRow(bytes.subarray(start, end)));
}

export function parseRow(bytes: Buffer): KeptRow {
  const text = bytes.toString('utf8');
  const row = asRecord(parsed(text));
  return row ? { row: row as Row } : { broken: text };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
