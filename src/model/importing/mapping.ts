import { isForNumbers } from '../../sql/lints/affinity.ts';
import { keyOf } from '../../sql/text/names.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import { isNoNumber } from '../editing/valueChecks.ts';
import type { ImportTarget, MappedColumn } from './importOptions.ts';
import type { RowFault, SourceRow } from './sourceRow.ts';

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

/** Finds why a row cannot be imported: it cannot be read, or has a value that its column cannot hold. */
export function rowFaults({ columns, checksNumbers }: ImportTarget): (row: SourceRow) => RowFault | undefined {
  const checked = checksNumbers ? columns.filter(({ type }) => type !== undefined && isForNumbers(type)) : [];
  return ({ fault, cells }) => {
    const column = fault ? undefined : checked.find(({ source }) => isNoNumber(cells[source] ?? null));
    return column ? { kind: 'notNumber', column: column.target } : fault;
  };
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
  const key = columns.filter(({ primaryKey }) => primaryKey > 0).toSorted((a, b) => a.primaryKey - b.primaryKey);
  const given = new Set(mapped.map(({ target }) => keyOf(target)));
  return key.every(({ name }) => given.has(keyOf(name))) ? key.map(({ name }) => name) : [];
}

/** `Customer Name` and `customer_name` mean the same column. */
const looseKeyOf = (name: string): string => keyOf(name).replaceAll(/[\s_-]+/g, '');
