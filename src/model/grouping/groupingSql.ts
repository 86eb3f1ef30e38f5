import { distinctNames } from '../../base/distinctNames.ts';
import type { FigureKind, GroupFigure, GroupKey, GroupQuery, Period } from '../../protocol/groups.ts';
import { type Arrangement, unsorted } from '../../protocol/rowQueries.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type Column, isNumberType } from '../../wire/values.ts';
import { bound, type BoundSql } from '../boundSql.ts';
import { whereClause } from '../browsing/tableStatements.ts';
import { filterTerms } from '../browsing/filterTerms.ts';

/** The columns of the groups, named for what they have. */
export function groupColumns(columns: readonly Column[], { keys, figures }: GroupQuery): Column[] {
  const named = [
    ...keys.map(({ column, period }) => {
      const { name, type } = columns[column]!;
      return period ? { name: `${period}(${name})`, type: 'TEXT' } : { name, type };
    }),
    ...figures.map(figure => figureColumn(columns, figure)),
  ];
  const names = distinctNames(named.map(({ name }) => name));
  return named.map(({ type }, nth) => ({ name: names[nth]!, type }));
}

/** The SQL of a figure of a value. */
const figureCalls: Readonly<Record<FigureKind, (value: string) => string>> = {
  rows: () => 'count(*)',
  count: value => `count(${value})`,
  distinct: value => `count(DISTINCT ${value})`,
  sum: value => `sum(${value})`,
  average: value => `avg(${value})`,
  min: value => `min(${value})`,
  max: value => `max(${value})`,
};

/** The others have the type of their column. */
const figureTypes: Readonly<Partial<Record<FigureKind, string>>> = {
  rows: 'INTEGER',
  count: 'INTEGER',
  distinct: 'INTEGER',
  sum: 'NUMERIC',
  average: 'REAL',
};

function figureColumn(columns: readonly Column[], { kind, column = 0 }: GroupFigure): Column {
  const { name, type } = columns[column] ?? { name: '', type: '' };
  return { name: figureCalls[kind](name), type: figureTypes[kind] ?? type };
}

interface GroupedRows {
  /** The statement that gives the rows. */
  readonly source: BoundSql;
  readonly columns: readonly Column[];
  /** Its filters hide rows that the source gives. */
  readonly arrangement?: Arrangement;
}

/** The statement that gives the same groups at the service. */
export function groupingSql({ source, columns, arrangement = unsorted }: GroupedRows, query: GroupQuery): BoundSql {
  const names = groupColumns(columns, query).map(({ name }) => quoteIdentifierIfNeeded(name));
  const values = [
    ...query.keys.map(key => keyExpression(columns, key)),
    ...query.figures.map(figure => figureExpression(columns, figure)),
  ];
  const where = whereClause(filterTerms(columns, arrangement));
  const places = query.keys.map((_, nth) => nth + 1).join(', ');
  const selected = values.map((value, nth) => `  ${value} AS ${names[nth]!}`).join(',\n');
  const from = { ...source, sql: source.sql.replace(/[;\s]+$/, '') };
  const groups = query.keys.length > 0 ? `\nGROUP BY ${places}\nORDER BY ${places}` : '';
  return bound`SELECT\n${selected}\nFROM (\n${from}\n)${where}${groups}`;
}

/** Compares texts byte by byte, whatever the collation of the column. */
function valueOf(columns: readonly Column[], column: number): string {
  const { name, type } = columns[column]!;
  return `${quoteIdentifierIfNeeded(name)}${isNumberType(type) ? '' : ' COLLATE BINARY'}`;
}

function keyExpression(columns: readonly Column[], { column, period }: GroupKey): string {
  if (!period) return valueOf(columns, column);
  const name = quoteIdentifierIfNeeded(columns[column]!.name);
  const day = `substr(${name}, 1, 10)`;
  const isDate = `typeof(${name}) = 'text' AND ${name} GLOB '????-??-??*' AND date(${day}) = ${day}`;
  return `CASE WHEN ${isDate} THEN ${periodExpressions[period](name, day)} END`;
}

const periodExpressions: Readonly<Record<Period, (name: string, day: string) => string>> = {
  year: name => `substr(${name}, 1, 4)`,
  month: name => `substr(${name}, 1, 7)`,
  week: (_name, day) => `date(${day}, 'weekday 0', '-6 days')`,
  day: (_name, day) => day,
};

function figureExpression(columns: readonly Column[], { kind, column = 0 }: GroupFigure): string {
  if (kind === 'rows') return figureCalls.rows('');
  const name = quoteIdentifierIfNeeded(columns[column]!.name);
  const isOfNumbers = kind === 'sum' || kind === 'average';
  const call = figureCalls[kind](isOfNumbers || kind === 'count' ? name : valueOf(columns, column));
  // SQLite would add a text as the number that it begins with, or as 0.
  return isOfNumbers ? `${call} FILTER (WHERE typeof(${name}) IN ('integer', 'real'))` : call;
}
