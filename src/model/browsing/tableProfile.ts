import type { Project } from '../../client/index.ts';
import type { ColumnProfile } from '../../protocol/profile.ts';
import type { Arrangement } from '../../protocol/rowQueries.ts';
import { cutToShow, shownLength, tagValue, textOf } from '../../protocol/shownValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type Column, Real, type Row, type SqlParameter, type SqlValue } from '../../wire/values.ts';
import { barOf, barWidth } from '../results/thread/aggregate/numberHistogram.ts';
import { bound } from '../boundSql.ts';
import { filterTerms } from './filterTerms.ts';
import { whereClause } from './tableStatements.ts';

interface ProfiledColumn {
  readonly project: Pick<Project, 'query'>;
  readonly table: string;
  readonly columns: readonly Column[];
  /** The filter of the column itself does not count. */
  readonly arrangement: Arrangement;
  readonly column: number;
  readonly signal: AbortSignal;
}

const isNumber = (value: string): string => `typeof(${value}) IN ('integer', 'real')`;

/** The figures of a column of a table, from the service. */
export async function tableProfile(profiled: ProfiledColumn): Promise<Omit<ColumnProfile, 'top'>> {
  const value = quoteIdentifierIfNeeded(profiled.columns[profiled.column]!.name);
  const [row = {}] = await select(profiled, figuresOf(value));
  const cells = countIn(row, 'rows');
  const reals = countIn(row, 'reals');
  const numbers = countIn(row, 'integers') + reals;
  const texts = countIn(row, 'texts');
  const { average, min, max, least, greatest } = row;
  const median = await medianOf(profiled, value, numbers);
  return {
    column: profiled.column,
    figures: {
      cells,
      nulls: cells - countIn(row, 'present'),
      numbers,
      distinct: countIn(row, 'distinct'),
      ...textField('average', average),
      ...textField('min', min),
      ...textField('max', max),
    },
    texts,
    blobs: countIn(row, 'blobs'),
    ...(median !== undefined && { median }),
    ...(texts > 0 && { shortest: countIn(row, 'shortest'), longest: countIn(row, 'longest') }),
    bars: numbers === 0 ? [] : await barsOf(profiled, value, [Number(least), Number(greatest)], reals === 0),
  };
}

function figuresOf(value: string): string {
  const isText = `typeof(${value}) = 'text'`;
  // The bytes of a picture say nothing as the greatest value.
  const isShown = `FILTER (WHERE typeof(${value}) <> 'blob')`;
  return [
    'SELECT count(*) AS rows',
    `count(${value}) AS present`,
    `count(DISTINCT ${value} COLLATE BINARY) AS "distinct"`,
    ...['integer', 'real', 'text', 'blob'].map(
      type => `count(*) FILTER (WHERE typeof(${value}) = '${type}') AS ${type}s`,
    ),
    `avg(${value}) FILTER (WHERE ${isNumber(value)}) AS average`,
    `min(${value} COLLATE BINARY) ${isShown} AS min`,
    `max(${value} COLLATE BINARY) ${isShown} AS max`,
    `min(${value}) FILTER (WHERE ${isNumber(value)}) AS least`,
    `max(${value}) FILTER (WHERE ${isNumber(value)}) AS greatest`,
    `min(length(${value})) FILTER (WHERE ${isText}) AS shortest`,
    `max(length(${value})) FILTER (WHERE ${isText}) AS longest`,
  ].join(',\n  ');
}

async function medianOf(profiled: ProfiledColumn, value: string, numbers: number): Promise<string | undefined> {
  if (numbers === 0) return undefined;
  const limit = `\nORDER BY 1 LIMIT ${numbers % 2 === 0 ? 2 : 1} OFFSET ${Math.floor((numbers - 1) / 2)}`;
  const rows = await select(profiled, `SELECT ${value} AS middle`, { only: isNumber(value), end: limit });
  const middle = rows.map(row => row['middle']);
  const [one, other = one] = middle.map(Number);
  if (one === undefined || other === undefined || middle.some(number => typeof number === 'bigint')) return undefined;
  return String(one === other ? one : one / 2 + other / 2);
}

async function barsOf(
  profiled: ProfiledColumn,
  value: string,
  [least, greatest]: readonly [number, number],
  hasOnlyIntegers: boolean,
): Promise<ColumnProfile['bars']> {
  if (!Number.isFinite(least) || !Number.isFinite(greatest)) return [];
  const width = barWidth(least, greatest, hasOnlyIntegers);
  const real = new Real(width);
  const share = `${value} / ?`;
  // CAST cuts towards 0.
  const bar = `SELECT CAST(${share} AS INTEGER) - (${share} < CAST(${share} AS INTEGER)) AS bar, count(*) AS rows`;
  const rows = await select(profiled, bar, {
    only: isNumber(value),
    end: '\nGROUP BY 1',
    params: [real, real, real],
  });
  const counts = new Map(rows.map(row => [countIn(row, 'bar'), countIn(row, 'rows')]));
  const first = Math.min(...counts.keys());
  const length = Math.max(...counts.keys()) - first + 1;
  return Array.from({ length }, (_, nth) => barOf(first + nth, counts.get(first + nth) ?? 0, width, hasOnlyIntegers));
}

interface SelectEnd {
  readonly only?: string;
  readonly end?: string;
  readonly params?: readonly SqlParameter[];
}

function select(
  profiled: ProfiledColumn,
  values: string,
  { only, end = '', params = [] }: SelectEnd = {},
): Promise<Row[]> {
  const { project, table, columns, arrangement, column, signal } = profiled;
  const filters = arrangement.filters.filter(filter => filter.column !== column);
  const terms = filterTerms(columns, { ...arrangement, filters });
  const where = whereClause([...terms, ...(only === undefined ? [] : [bound`${only}`])]);
  const statement = bound`${values}\nFROM ${quoteIdentifierIfNeeded(table)}${where}${end}`;
  return project.query(statement.sql, [...params, ...statement.params], { signal, decode: row => row });
}

const countIn = (row: Row, name: string): number => Number(row[name] ?? 0);

const textField = (name: 'average' | 'min' | 'max', value: SqlValue | undefined) =>
  value === undefined || value === null ? {} : { [name]: textOf(cutToShow(tagValue(value), shownLength)) };
