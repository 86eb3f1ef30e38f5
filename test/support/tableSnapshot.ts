import type { Project } from '../../src/client/index.ts';
import type { StoredValue } from '../../src/protocol/editValues.ts';
import { tagValue, textOf } from '../../src/protocol/shownValues.ts';
import { exactText, type Row, type SqlValue } from '../../src/wire/values.ts';
import { tagColumn } from './randomSavedTables.ts';

/** All values of a random table at one moment, to compare them with those of a model. */

/** The values of rows as texts, by their tags and columns. */
export type Snapshot = Map<string, Map<string, string>>;

/** All rows with the storage class of each value, generated ones included. */
export async function snapshotOf(project: Pick<Project, 'sql'>): Promise<Snapshot> {
  const { rows: named } = await project.sql(`SELECT name FROM pragma_table_xinfo('t')`);
  const columns = named.map(({ name }) => name as string);
  const values = columns.map(
    (column, index) =>
      `typeof(${column}) AS kind${index}, CASE typeof(${column}) WHEN 'blob' THEN hex(${column}) ELSE ${column} END AS value${index}`,
  );
  const { rows } = await project.sql(`SELECT ${tagColumn}, ${values.join(', ')} FROM t ORDER BY ${tagColumn}`);
  return new Map(
    rows.map(row => [
      tagOf(row),
      new Map(columns.map((column, index) => [column, printed(row[`kind${index}`], row[`value${index}`])])),
    ]),
  );
}

const plain = (value: SqlValue | undefined): string => textOf(tagValue(value));
export const tagOf = (row: Row): string => plain(row[tagColumn]);

const printed = (kind: SqlValue | undefined, value: SqlValue = null): string =>
  kind === 'null' ? 'null' : `${plain(kind)} ${kind === 'blob' ? plain(value).toLowerCase() : exactText(value)}`;

/** A value as it is in a snapshot. */
export function print(value: StoredValue): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'blob':
      return `blob ${value.hex}`;
    case 'real':
      return `real ${exactText(Number(value.text))}`;
    case 'integer':
      return `integer ${value.text}`;
    case 'text':
      return `text ${exactText(value.text)}`;
  }
}

const textOfRow = (row: ReadonlyMap<string, string> | undefined): string => JSON.stringify([...(row ?? [])]);

/** The rows that differ. */
export const changedTags = (before: Snapshot, after: Snapshot): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    tag => textOfRow(before.get(tag)) !== textOfRow(after.get(tag)),
  );

/** The cells of a row that differ, with their later values. */
export const changedCells = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): [string, string][] => [...after].filter(([column, value]) => before.get(column) !== value);

export const isSameSnapshot = (one: Snapshot, other: Snapshot): boolean => changedTags(one, other).length === 0;
