import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { isNumericText } from '../../sql/lints/affinity.ts';
import type { ImportFormat, SourceOptions, TextEncoding } from './importOptions.ts';
import { DelimitedScanner, isBlankRow } from './readers/delimitedScanner.ts';
import { tablesOf } from './readers/sqliteReader.ts';
import type { SourceFile } from './sourceFile.ts';
import { bomLength, TextPieces } from './sourceText.ts';

const headBytes = 256 * 1024;
const sampledRows = 100;
const sqliteMagic = 'SQLite format 3\0';
/** If several delimiters fit equally, the first one wins. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];

/** Detects how the rows are written in a file. The user can change all of it. */
export async function detectSource(file: SourceFile): Promise<SourceOptions> {
  const head = await file.head(headBytes);
  const none = { encoding: 'utf-8', delimiter: ',', quote: '"', hasHeader: true, nullText: null, table: '' } as const;
  if (Buffer.from(head.subarray(0, sqliteMagic.length)).toString('latin1') === sqliteMagic) {
    const [table] = await tablesOf(file.path);
    return { ...none, format: 'sqlite', table: table ?? '' };
  }
  const encoding = detectEncoding(head);
  const pieces = new TextPieces(encoding);
  const text = pieces.decode(head.subarray(bomLength(head, encoding)));
  const format = detectFormat(file.path, text);
  if (format === 'json' || format === 'ndjson') return { ...none, format, encoding };
  return { ...none, format, encoding, ...detectDelimited(text, format, file.sizeBytes <= headBytes) };
}

function detectEncoding(head: Uint8Array): TextEncoding {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) if (bomLength(head, encoding) > 0) return encoding;
  // In UTF-16, each ASCII character has a zero byte. Texts in other encodings have no zero bytes.
  let even = 0;
  let odd = 0;
  for (const [index, byte] of head.subarray(0, 4096).entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const enough = Math.min(head.length, 4096) / 8;
  if (odd > enough && even < odd / 4) return 'utf-16le';
  if (even > enough && odd < even / 4) return 'utf-16be';
  return isUtf8(wholeCharacters(head)) ? 'utf-8' : 'windows-1252';
}

function wholeCharacters(head: Uint8Array): Uint8Array {
  const cut = head.findLastIndex(byte => byte < 0x80 || byte >= 0xc0);
  return cut >= head.length - 4 && head[cut]! >= 0xc0 ? head.subarray(0, cut) : head;
}

function detectFormat(path: string, text: string): Exclude<ImportFormat, 'sqlite'> {
  const content = text.trimStart();
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return 'csv';
    case '.tsv':
    case '.tab':
      return 'tsv';
    case '.ndjson':
    case '.jsonl':
      return 'ndjson';
  }
  if (/^\[\s*(?:\{|\]|$)/.test(content)) return 'json';
  if (/^\{\s*(?:"|\}|$)/.test(content)) return 'ndjson';
  return content.split('\n', 1)[0]!.includes('\t') && !content.split('\n', 1)[0]!.includes(',') ? 'tsv' : 'csv';
}

type DetectedRows = Pick<SourceOptions, 'delimiter' | 'quote' | 'hasHeader'>;

function detectDelimited(text: string, format: 'csv' | 'tsv', isLast: boolean): DetectedRows {
  const quote = detectQuote(text);
  const candidates = format === 'tsv' ? ['\t'] : delimiters;
  let best: { delimiter: string; rows: readonly (readonly string[])[]; score: number } | undefined;
  for (const delimiter of candidates) {
    const rows = sampleRows({ text, isLast, delimiter, quote });
    const score = consistencyOf(rows);
    if (!best || score > best.score) best = { delimiter, rows, score };
  }
  return { delimiter: best!.delimiter, quote, hasHeader: looksLikeHeader(best!.rows) };
}

/** Detects single quotes only if the text has no double quotes, and values begin and end with single ones. */
function detectQuote(text: string): string {
  if (text.includes('"')) return '"';
  const starts = text.match(/(?:^|[\n,;\t|])'/g)?.length ?? 0;
  const ends = text.match(/'(?:[\r\n,;\t|]|$)/g)?.length ?? 0;
  return starts > 1 && starts === ends ? "'" : '"';
}

function sampleRows(scanned: ConstructorParameters<typeof DelimitedScanner>[0]): string[][] {
  const scanner = new DelimitedScanner(scanned);
  const rows: string[][] = [];
  let row = scanner.row(0);
  while (row && rows.length < sampledRows) {
    if (!isBlankRow(row) && !row.fault) rows.push([...row.cells]);
    row = scanner.row(row.end);
  }
  return rows;
}

/** The share of rows with the most frequent number of values; 0 if that number is one. A tie goes to more values. */
function consistencyOf(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  let fields = 1;
  let count = 0;
  for (const [length, rowCount] of counts) {
    if (rowCount <= count) continue;
    fields = length;
    count = rowCount;
  }
  return fields > 1 ? count / rows.length + fields / 1_000_000 : 0;
}

/** A header has a different text for each column, and no number or date. Its first text may be empty. */
function looksLikeHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return false;
  const names = first.map(cell => cell.trim());
  const isNamed = names.every((name, index) => index === 0 || name !== '');
  return isNamed && new Set(names).size === names.length && !names.some(isValue);
}

const isValue = (text: string): boolean => isNumericText(text) || /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b/.test(text);
