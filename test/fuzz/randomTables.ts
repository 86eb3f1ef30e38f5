/** Random tables whose keys, types, collations and values are hard to order, and random arrangements of them. */
import type { Arrangement } from '../../src/protocol/rowQueries.ts';
import { oneOf, type Random, upTo } from './random.ts';

export interface RandomTable {
  readonly columns: readonly string[];
  /** The values that each column takes, as SQL text. */
  readonly values: readonly (readonly string[])[];
  readonly create: readonly string[];
}

const types = [
  'INT',
  'REAL',
  'NUMERIC',
  'DATE',
  'TEXT',
  'TEXT COLLATE NOCASE',
  'TEXT COLLATE RTRIM',
  'BLOB',
  '',
] as const;

/** Values of all classes that are equal, nearly equal, or neighbours in SQLite's order. */
const integers = ['0', '1', '1', '-1', '5', '9007199254740993', '9223372036854775807', '-9223372036854775808'] as const;
const reals = ['5.0', '0.1', '100000.5', '-0.0', '1e20', '1e300', '9007199254740992.0', '1e400', '-1e400'] as const;
const texts = [
  ...["'5'", "' 5'", "'1e5'", "''", "'a'", "'A'", "'a '", "'b'", "'B'", "'ä'", "'Ä'", "'z'", "'日本'", "'😀'"],
  ...["'a' || char(0)", "'a' || char(0) || 'b'", "CAST(x'ff' AS TEXT)", "CAST(x'fe' AS TEXT)"],
  ...["replace(hex(zeroblob(600)), '0', 'y')", "replace(hex(zeroblob(600)), '0', 'y') || 'z'"],
] as const;
const blobs = ["x''", "x'00'", "x'00ff'", "x'61'", "x'6100'", 'zeroblob(2000)'] as const;
const values = ['NULL', 'NULL', ...integers, ...reals, ...texts, ...blobs] as const;

/** A strict table refuses values of other types. */
const strictValues: Readonly<Record<string, readonly string[]>> = {
  INT: integers,
  REAL: [...integers.slice(0, 5), ...reals],
  TEXT: texts,
  BLOB: blobs,
  ANY: values,
};

export function randomTable(random: Random, name: string): RandomTable {
  const columns = ['a', 'b', 'c', 'rowid'].slice(0, 2 + upTo(random, 3));
  const isStrict = random() < 0.2;
  const columnTypes = columns.map(() => oneOf(random, isStrict ? Object.keys(strictValues) : types));
  const definitions = columns.map((column, nth) => `${column} ${columnTypes[nth]}${random() < 0.2 ? ' NOT NULL' : ''}`);
  const keys = ['', 'id', 'a', 'a, b', 'b, a', 'b COLLATE BINARY, a COLLATE NOCASE'] as const;
  const key = oneOf(random, keys);
  const isWithoutRowId = key !== '' && random() < 0.4;
  const options = [isWithoutRowId ? 'WITHOUT ROWID' : '', isStrict ? 'STRICT' : ''].filter(Boolean).join(', ');
  const all = key === 'id' ? ['id INTEGER PRIMARY KEY', ...definitions] : definitions;
  const constraint = key === '' || key === 'id' ? '' : `, PRIMARY KEY (${key})`;
  const create = [`CREATE TABLE ${name} (${all.join(', ')}${constraint}) ${options}`];
  for (let nth = 0; nth < upTo(random, 3); nth++) {
    const indexed = oneOf(random, ['a', 'b', 'a DESC', 'b, a', 'a, b DESC'] as const);
    create.push(`CREATE INDEX ${name}_${nth} ON ${name} (${indexed})`);
  }
  const taken = columnTypes.map(type => (isStrict ? strictValues[type]! : values));
  return {
    columns: key === 'id' ? ['id', ...columns] : columns,
    values: key === 'id' ? [integers, ...taken] : taken,
    create,
  };
}

/** Inserts rows of random values. Rows that a constraint refuses are left out. */
export function randomInsert(
  random: Random,
  name: string,
  { columns, values: taken }: RandomTable,
  rowCount: number,
): string {
  const rows = Array.from({ length: rowCount }, () => {
    const row = columns.map((column, nth) => (column === 'id' ? upTo(random, 1_000_000) : oneOf(random, taken[nth]!)));
    return `SELECT ${row.join(', ')}`;
  });
  const names = columns.map(column => `"${column}"`).join(', ');
  return `INSERT OR IGNORE INTO ${name} (${names}) ${rows.join(' UNION ALL ')}`;
}

/** Sort keys and sometimes a filter. The numbers of columns are those of the table. */
export function randomArrangement(random: Random, { columns }: RandomTable): Arrangement {
  const shuffled = columns.map((_, column) => column).toSorted(() => random() - 0.5);
  const sort = shuffled.slice(0, upTo(random, 3)).map(column => ({ column, descending: random() < 0.5 }));
  const filtered = upTo(random, columns.length);
  const filters: Arrangement['filters'] =
    random() < 0.7 ? [] : [{ kind: 'range', column: filtered, from: '0', not: true }];
  return { sort, filters };
}
