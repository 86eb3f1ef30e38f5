import { closeSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { distinctNames } from '../../../base/distinctNames.ts';
import { misuse } from '../../../base/errors.ts';
import { keyOf } from '../../../sql/text/names.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import { type Column, isBlobType } from '../../../wire/values.ts';
import type { ExportedRows, RowCells } from './formats/rowCells.ts';
import { blobBytes } from './formats/literals.ts';
import type { SqliteFileRequest } from '../rowQueries.ts';
import { sqliteNumberAt, isInteger, numberAt } from './jsonNumbers.ts';
import { scanInFileOrder } from './rowsFile.ts';
import { type CellTest, kindOf, shownText } from './cell.ts';

/** The limit of SQLite in its usual builds. */
const maxColumns = 2000;
/** The share of the work that is done when the types of the columns are known. */
const typingShare = 0.2;

/** Writes rows into a table of a new database file. An unfinished file is removed. */
export async function writeSqliteFile(exported: ExportedRows, request: SqliteFileRequest): Promise<void> {
  const sqlite = await import('node:sqlite');
  const { columns } = exported;
  if (columns.length === 0) throw misuse('no_columns', 'No columns were chosen. A table needs at least one.');
  if (columns.length > maxColumns) {
    throw misuse('too_many_columns', `A table has ${maxColumns} columns at most, and there are ${columns.length}.`);
  }
  // Create the file first, so that an existing file is never removed.
  closeSync(openSync(request.file, 'wx', request.mode));
  let database: DatabaseSync | undefined;
  try {
    const fitting = await fittingColumns(exported);
    database = new sqlite.DatabaseSync(request.file);
    // An unfinished file is removed anyway, so it need not survive a crash.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    await writeTable(exported, fitting, database, request.table);
    database.exec('COMMIT');
    database.close();
  } catch (thrown) {
    if (database?.isOpen) database.close();
    rmSync(request.file, { force: true });
    throw thrown;
  }
}

/** Only the `fitting` columns are declared with a type. */
async function writeTable(
  exported: ExportedRows,
  fitting: ReadonlySet<number>,
  database: DatabaseSync,
  table: string,
): Promise<void> {
  const { file, columns } = exported;
  const into = quoteIdentifier(table);
  const columnNames = columns.map(column => file.columns[column]!.name);
  const distinct = distinctNames(columnNames, keyOf).map(quoteIdentifier);
  const nameOf = new Map(columns.map((column, nth) => [column, distinct[nth]!]));
  const typeOf = (column: number): string => (fitting.has(column) ? declaredType(file.columns[column]!.type) : '');
  const definitions = columns.map(column => `${nameOf.get(column)!} ${typeOf(column)}`.trimEnd());
  database.exec(`CREATE TABLE ${into} (${definitions.join(', ')})`);
  await exported.read(
    (cells, written) => {
      const names = written.map(column => nameOf.get(column)!).join(', ');
      const places = written.map(() => '?').join(', ');
      const insert = database.prepare(`INSERT INTO ${into} (${names}) VALUES (${places})`);
      return () => insert.run(...cells.columns.map((column, at) => boundValue(cells, at, column)));
    },
    { share: [typingShare, 1] },
  );
}

function boundValue(cells: RowCells, at: number, { type }: Column): SQLInputValue {
  const { bytes } = cells;
  switch (cells.kind(at)) {
    case 'null':
      return null;
    case 'boolean':
      return bytes[cells.from(at)] === 0x74 ? 1n : 0n;
    case 'number':
      return sqliteNumberAt(bytes, cells.from(at), cells.to(at));
    case 'json':
      return cells.text(at);
    case 'text': {
      const text = cells.text(at);
      return (isBlobType(type) ? blobBytes(text) : undefined) ?? text;
    }
  }
}

/** The type for CREATE TABLE, or '' if the text might be read as more than a type. */
function declaredType(type: string): string {
  return /^[a-z_][\w ]*(?:\(\s*\d+\s*(?:,\s*\d+\s*)?\))?$/i.test(type) && !isConstraint.test(type) ? type : '';
}

const isConstraint = /\b(?:primary|not|null|unique|check|default|collate|references|generated|as|constraint)\b/i;

/**
 * The columns whose types change none of their values. The type of a column can make SQLite turn texts into numbers, or
 * numbers into texts. A column of a result may hold both: its type may be that of its first value.
 */
async function fittingColumns(exported: ExportedRows): Promise<ReadonlySet<number>> {
  const { file } = exported;
  const typed = exported.columns.filter(column => declaredType(file.columns[column]!.type) !== '');
  const tests = new Map(typed.map(column => [column, testOf(file.columns[column]!.type)]));
  await exported.read(
    (cells, tested) => () => {
      for (const [at, column] of tested.entries()) {
        const test = tests.get(column);
        const from = cells.from(at);
        if (!test || from === -1) continue;
        if (!test(cells.bytes, from, cells.to(at), cells.flags(at))) tests.delete(column);
      }
    },
    { scan: scanInFileOrder, share: [0, typingShare], wants: column => tests.get(column) !== undefined },
  );
  return new Set(tests.keys());
}

/** Tests whether a type leaves a value unchanged, by SQLite's type affinity. Undefined if it changes no value. */
function testOf(type: string): CellTest | undefined {
  if (/int/i.test(type)) return isNotNumericText;
  if (/char|clob|text/i.test(type)) return staysInText;
  if (/blob/i.test(type)) return undefined;
  return /real|floa|doub/i.test(type) ? staysInReal : isNotNumericText;
}

function staysInText(bytes: Buffer, from: number): boolean {
  const kind = kindOf(bytes, from);
  return kind !== 'number' && kind !== 'boolean';
}

/** A whole REAL may be written without a point, but a double does not hold every integer. */
function staysInReal(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'number') return isNotNumericText(bytes, from, to, flags);
  return !isInteger(bytes, from, to) || Number.isSafeInteger(numberAt(bytes, from, to));
}

function isNotNumericText(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'text') return true;
  return !numericText.test(shownText(bytes, from, to, flags) ?? '');
}

/** Each digit can match in one way only, so that a long text is tested in one pass. */
const numericText = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*(?:\0|$)/i;
