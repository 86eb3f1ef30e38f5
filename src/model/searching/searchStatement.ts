import type { Project } from '../../client/index.ts';
import { textOf, tagValue } from '../../protocol/shownValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { Row, SqlParameter, SqlValue } from '../../wire/values.ts';
import { bound, type BoundSql, joined } from '../boundSql.ts';
import { type BrowsedTable, tieBreakersOf } from '../browsing/browsedTable.ts';
import { filterTerms } from '../browsing/filterTerms.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import { tableSql } from '../catalog/editableTable.ts';

/** Which values are found, as the filters of the same names find them. */
export type SearchKind = 'contains' | 'equals' | 'startsWith';

export interface SearchRequest {
  readonly text: string;
  readonly kind: SearchKind;
  readonly tables: readonly BrowsedTable[];
}

/** A cell with the value. */
export interface FoundCell {
  readonly table: BrowsedTable;
  readonly column: string;
  /** The position of the column in the table. */
  readonly columnIndex: number;
  /** The value, or the part of a long text around the match. */
  readonly value: SqlValue;
  /** The values that identify the row. Empty for a view, and for a key that is NULL or too long. */
  readonly key: readonly { readonly column: string; readonly value: SqlValue }[];
  /** Whether the key is the row id, which is no column. */
  readonly isRowId: boolean;
}

interface SearchStatement extends BoundSql {
  /** The cells with the value. A row without any shows that about `rowsPerSign` more rows were searched. */
  readonly foundIn: (row: Row) => FoundCell[];
}

/**
 * A random one of so many rows is in the answer without a match. Between two rows of an answer, the service serves other calls
 * and notices that a search has ended. The number of such rows shows how far the search has come.
 */
export const rowsPerSign = 4096;

/** The result and the expression stay within the limits of all services. Wider tables have several statements. */
const maxColumns = 50;

const lengthBeforeMatch = 30;
const maxLength = 200;
const maxKeyLength = 500;
const maxBlobBytes = 100;

/** The statements that search a table, each for some of its columns. */
export function searchStatements(
  table: BrowsedTable,
  columns: readonly CatalogColumn[],
  { text, kind }: Pick<SearchRequest, 'text' | 'kind'>,
): SearchStatement[] {
  const key = table.kind === 'view' ? [] : tieBreakersOf(table, columns);
  const keyTerms = key.map((name, nth) => bound`${keyValue(quoteIdentifierIfNeeded(name))} AS k${nth}`);
  const isRowId = key.length === 1 && !columns.some(({ name }) => isSameName(name, key[0]!));
  const groups = Array.from({ length: Math.ceil(columns.length / maxColumns) }, (_, group) =>
    columns.slice(group * maxColumns, (group + 1) * maxColumns),
  );
  return groups.map(group => {
    const tests = group.map(column => filterTerms([column], { filters: [{ kind, column: 0, text }] })[0]!);
    const values = group.map(({ name }, nth) => {
      const value = foundValue(quoteIdentifierIfNeeded(name), kind, text);
      return bound`CASE WHEN ${tests[nth]!} THEN ${value} END AS v${nth}`;
    });
    const selected = joined([...keyTerms, ...values], ',\n  ');
    const where = joined(tests, '\n  OR ');
    const { sql, params } =
      bound`SELECT ${selected}\nFROM ${tableSql(table.name)}\nWHERE ${where}\n  OR random() % ${rowsPerSign} = 0`;
    return {
      sql,
      params,
      foundIn: row => {
        const keyValues = key.map((column, nth) => ({ column, value: row[`k${nth}`] ?? null }));
        const isWhole = keyValues.every(({ value }) => value !== null);
        return group.flatMap((column, nth): FoundCell[] => {
          const value = row[`v${nth}`] ?? null;
          if (value === null) return [];
          const columnIndex = columns.indexOf(column);
          return [{ table, column: column.name, columnIndex, value, key: isWhole ? keyValues : [], isRowId }];
        });
      },
    };
  });
}

/** The key of a row for people, in the form of one value. */
export function shownKey({ key }: FoundCell): SqlValue {
  const [first, ...others] = key;
  if (!first) return null;
  return others.length === 0 ? first.value : key.map(({ value }) => textOf(tagValue(value))).join(', ');
}

/** The place of a row without a key, counted from 0 in the order of the row ids. Undefined if the row is gone. */
export async function placeOfRow(
  project: Pick<Project, 'query'>,
  { table, key }: FoundCell,
): Promise<number | undefined> {
  const { column: rowId, value } = key[0]!;
  const sql = `SELECT count(*) AS rows, max(${rowId}) AS last FROM ${tableSql(table.name)} WHERE ${rowId} <= ?`;
  const [found] = await project.query(sql, [value as SqlParameter], row => row);
  return found?.['last'] === value ? Number(found['rows']) - 1 : undefined;
}

/** A BLOB becomes the literal by which filters know it. */
const blobLiteral = (bytes: string): string => `'x''' || lower(hex(${bytes})) || ''''`;

const keyValue = (name: string): string =>
  `CASE WHEN length(${name}) > ${maxKeyLength} THEN NULL WHEN typeof(${name}) = 'blob' THEN ${blobLiteral(name)} ELSE ${name} END`;

/** The value in a row that matches. A part of a long text has ellipses. */
function foundValue(name: string, kind: SearchKind, text: string): BoundSql {
  const isWithin = kind === 'contains';
  const start = isWithin ? `max(instr(lower(${name}), lower(?)) - ${lengthBeforeMatch}, 1)` : '1';
  const part = `CASE WHEN ${start} > 1 THEN '…' ELSE '' END || substr(${name}, ${start}, ${maxLength})`;
  const end = `CASE WHEN length(${name}) >= ${start} + ${maxLength} THEN '…' ELSE '' END`;
  const blob = blobLiteral(`substr(${name}, 1, ${maxBlobBytes})`);
  return {
    sql: `CASE typeof(${name}) WHEN 'text' THEN ${part} || ${end} WHEN 'blob' THEN ${blob} ELSE ${name} END`,
    params: isWithin ? [text, text, text] : [],
  };
}
