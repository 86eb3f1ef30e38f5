import { primaryKeyOf } from '../catalog/primaryKey.ts';
import { affinityOf, exceedsInteger, isForNumbers, isNumericText } from '../../sql/lints/affinity.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import type { ImportTarget, MappedColumn } from './importOptions.ts';
import type { SourceRow, SourceValue } from './sourceRow.ts';

/** Maps the columns of a file to those of a table: by name, or in their order if the file has no names. */
export function mapColumns(
  names: readonly string[],
  columns: readonly CatalogColumn[],
  hasNames: boolean,
): MappedColumn[] {
  const targets = importableColumns(columns);
  if (!hasNames) {
    return targets.slice(0, names.length).map(({ name, type }, source) => ({ source, target: name, type }));
  }
  const byName = new Map(targets.map(column => [keyOf(column.name), column]));
  const byLooseName = new Map(targets.map(column => [looseKeyOf(column.name), column]));
  const taken = new Set<CatalogColumn>();
  return names.flatMap((name, source) => {
    const target = byName.get(keyOf(name)) ?? byLooseName.get(looseKeyOf(name));
    if (target === undefined || taken.has(target)) return [];
    taken.add(target);
    return [{ source, target: target.name, type: target.type }];
  });
}

/**
 * Makes the function that converts rows of a source to rows for the table. A row has a fault if a column cannot hold its value. Only text files need
 * conversions: the values of a database file have types, so an empty text there stays a text.
 */
export function rowConverter(
  { columns, checksNumbers, mode, key }: ImportTarget,
  isTextFile: boolean,
): (row: SourceRow) => SourceRow {
  const forNumbers = columns.flatMap(({ source, target, type = '' }) =>
    checksNumbers && isForNumbers(type)
      ? [
          {
            source,
            target,
            isReal: affinityOf(type) === 'real',
            isBoolean: /^bool/i.test(type),
            // With NULL as its key, each upsert would add the row again.
            findsRow: (mode === 'upsert' || mode === 'update') && key.some(name => isSameName(name, target)),
          },
        ]
      : [],
  );
  return row => {
    if (row.fault) return row;
    let cells: SourceValue[] | undefined;
    for (const { source, target, isReal, isBoolean, findsRow } of forNumbers) {
      const cell = row.cells[source] ?? null;
      const number =
        isTextFile && typeof cell === 'string' && !(findsRow && cell === '') ? numberOf(cell, isBoolean) : cell;
      if (typeof number === 'string' ? !isNumericText(number) : number instanceof Uint8Array)
        return { ...row, fault: { kind: 'notNumber', column: target } };
      if (!isReal && typeof number === 'string' && exceedsInteger(number))
        return { ...row, fault: { kind: 'integerTooLarge', column: target } };
      if (number !== cell) (cells ??= [...row.cells])[source] = number;
    }
    return cells ? { ...row, cells, isPlain: false } : row;
  };
}

/** In text files, an empty value is a missing number, and `true` and `false` may be booleans. */
function numberOf(text: string, isBoolean: boolean): string | null {
  if (text === '') return null;
  if (isBoolean && /^true$/i.test(text)) return '1';
  return isBoolean && /^false$/i.test(text) ? '0' : text;
}

/** Columns that can be written: SQLite computes generated ones. */
export const importableColumns = (columns: readonly CatalogColumn[]): readonly CatalogColumn[] =>
  columns.filter(({ generated }) => generated !== true);

/** Columns that need a value in an insert: NOT NULL without a default. SQLite numbers a single INTEGER PRIMARY KEY itself. */
export function missingColumns(columns: readonly CatalogColumn[], mapped: readonly MappedColumn[]): string[] {
  const given = new Set(mapped.map(({ target }) => keyOf(target)));
  const keys = columns.filter(({ primaryKey }) => primaryKey > 0);
  return importableColumns(columns).flatMap(column => {
    const numbersItself = keys.length === 1 && column.primaryKey > 0 && /^integer$/i.test(column.type);
    const isRequired = column.notNull && column.defaultValue === null && !numbersItself;
    return isRequired && !given.has(keyOf(column.name)) ? [column.name] : [];
  });
}

/** The key that rows are matched with at first: the primary key, if the file has all of its columns. */
export function proposedKey(columns: readonly CatalogColumn[], mapped: readonly MappedColumn[]): string[] {
  const key = primaryKeyOf(columns);
  const given = new Set(mapped.map(({ target }) => keyOf(target)));
  return key.every(name => given.has(keyOf(name))) ? key : [];
}

/** `Customer Name` and `customer_name` mean the same column. */
const looseKeyOf = (name: string): string => keyOf(name).replaceAll(/[\s_-]+/g, '');
