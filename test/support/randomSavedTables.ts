import type { StoredValue } from '../../src/protocol/editValues.ts';
import { int, real, text } from './savedTable.ts';

/** Tables with random keys, constraints and triggers, and random values for their cells. */

export type RandomNumber = (below: number) => number;

export interface RandomTable {
  readonly script: readonly string[];
  /** The columns of the key, if it is not the row ID. */
  readonly key: readonly string[];
  /** The columns that edits change, besides those of the key. */
  readonly edited: readonly string[];
  /** The key of a row: rows of other numbers have others. */
  readonly keyOf: (number: number) => Readonly<Record<string, StoredValue>>;
}

/** The column that no edit changes, by which a test knows a row whatever its key is. */
export const tagColumn = 'tag';

interface RandomKey {
  readonly columns: readonly string[];
  readonly constraint?: string;
  readonly mayHaveNoRowId: boolean;
  readonly keyOf: RandomTable['keyOf'];
}

const keys: readonly RandomKey[] = [
  {
    columns: ['id INTEGER PRIMARY KEY'],
    mayHaveNoRowId: true,
    keyOf: number => ({ id: int(number) }),
  },
  {
    columns: ['k TEXT COLLATE NOCASE NOT NULL PRIMARY KEY'],
    mayHaveNoRowId: true,
    keyOf: number => ({ k: text(`${number % 2 === 0 ? 'Key' : 'KEY'} ${number}`) }),
  },
  {
    columns: ['x TEXT NOT NULL', 'y INT NOT NULL CHECK (y > 0)'],
    constraint: 'PRIMARY KEY (x, y)',
    mayHaveNoRowId: true,
    keyOf: number => ({ x: text(`x${number % 3}`), y: int(number + 1) }),
  },
  {
    columns: ['k REAL NOT NULL UNIQUE'],
    mayHaveNoRowId: false,
    keyOf: number => ({ k: real(number + 0.5) }),
  },
  {
    columns: [],
    mayHaveNoRowId: false,
    keyOf: () => ({}),
  },
];

export const ignoringTriggers = {
  update: 'CREATE TRIGGER keep_row BEFORE UPDATE ON t WHEN old.n % 5 = 0 BEGIN SELECT RAISE(IGNORE); END',
  delete: 'CREATE TRIGGER keep_deleted BEFORE DELETE ON t WHEN old.n % 5 = 0 BEGIN SELECT RAISE(IGNORE); END',
  insert: 'CREATE TRIGGER leave_out BEFORE INSERT ON t WHEN new.n % 5 = 0 BEGIN SELECT RAISE(IGNORE); END',
} as const;

export function randomTable(random: RandomNumber): RandomTable {
  const key = keys[random(keys.length)]!;
  const isStrict = random(3) === 0;
  const hasNoRowId = key.mayHaveNoRowId && random(2) === 0;
  const conflict = ['', '', ' ON CONFLICT IGNORE', ' ON CONFLICT REPLACE', ' ON CONFLICT FAIL'][random(5)]!;
  const unique = random(2) === 0 ? ` UNIQUE${conflict}` : '';
  const columns = [
    ...key.columns,
    `${tagColumn} TEXT`,
    `a TEXT${unique} CHECK (a <> 'bad')`,
    `b${isStrict ? ' ANY' : ''}`,
    'n INT NOT NULL DEFAULT 1',
    'r REAL',
    'z BLOB',
    `g INT AS (n + 1) ${random(2) === 0 ? 'STORED' : 'VIRTUAL'}`,
    'parent INT REFERENCES parents(id)',
    ...(key.constraint === undefined ? [] : [key.constraint]),
  ];
  const options = [...(isStrict ? ['STRICT'] : []), ...(hasNoRowId ? ['WITHOUT ROWID'] : [])];
  const triggers = [
    ...Object.values(ignoringTriggers).filter(() => random(4) === 0),
    ...(random(3) === 0
      ? ['CREATE TRIGGER log_update AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (old.n); END']
      : []),
  ];
  return {
    script: [
      'CREATE TABLE log(n)',
      'CREATE TABLE parents(id INTEGER PRIMARY KEY)',
      'INSERT INTO parents VALUES (1), (2), (3), (4)',
      `CREATE TABLE t(${columns.join(', ')}) ${options.join(', ')}`,
      ...triggers,
    ],
    key: key.columns.map(column => column.split(' ')[0]!),
    // A row without a key is found by its values. The grid has a BLOB as text if no type says that it is one.
    edited: key.columns.length === 0 ? ['a', 'n', 'r', 'z', 'parent'] : ['a', 'b', 'n', 'r', 'z', 'parent'],
    keyOf: key.keyOf,
  };
}

const longText = 'long '.repeat(2500);

/** A value for a column. One in twenty is refused by a constraint. */
export function randomValue(column: string, random: RandomNumber): StoredValue {
  const isRefused = random(20) === 0;
  switch (column) {
    case 'a': {
      if (isRefused) return text('bad');
      const some = [{ kind: 'null' }, text(`${longText}${random(1000)}`), text('007'), text('')] as const;
      return random(3) === 0 ? some[random(some.length)]! : text(`a${random(60)}`);
    }
    case 'n':
      if (isRefused) return { kind: 'null' };
      return random(6) === 0 ? int(9_007_199_254_740_993n) : int(random(50));
    case 'r':
      return [real(0.1), real(-0.5), real(7), real(1e300), { kind: 'null' } as const][random(5)]!;
    case 'z':
      return random(3) === 0 ? { kind: 'null' } : { kind: 'blob', hex: random(65_536).toString(16).padStart(4, '0') };
    case 'parent':
      return isRefused ? int(99) : random(3) === 0 ? { kind: 'null' } : int(1 + random(3));
    default: {
      const any = [int(5), real(0.5), text('a\0b'), text('5'), text(longText), { kind: 'null' } as const];
      return random(4) === 0 ? { kind: 'blob', hex: '00ff' } : any[random(any.length)]!;
    }
  }
}

/** A value that another client gives a column. No edit has it. */
function otherValue(column: string, number: number): StoredValue {
  switch (column) {
    case 'n':
      return int(1000 + number);
    case 'r':
      return real(1000.25 + number);
    case 'z':
      return { kind: 'blob', hex: `ff${number.toString(16).padStart(6, '0')}` };
    case 'parent':
      return int(4);
    default:
      return text(`other ${number}`);
  }
}

/** A statement of another client: it deletes a row, adds one, or changes a cell or the key of one. No edit wants its keys. */
export function otherWrite(
  { key, edited, keyOf }: RandomTable,
  tag: string,
  number: number,
  random: RandomNumber,
): string {
  const where = `WHERE ${tagColumn} = '${tag}'`;
  const kind = random(8);
  const freeKey = Object.entries(keyOf(500 + number));
  if (kind === 0) return `DELETE FROM t ${where}`;
  if (kind === 1) {
    const values = [...freeKey, [tagColumn, text(`other ${number}`)] as const, ['a', otherValue('a', number)] as const];
    const columns = values.map(([column]) => column).join(', ');
    return `INSERT INTO t(${columns}) VALUES (${values.map(([, value]) => sqlOf(value)).join(', ')})`;
  }
  if (kind === 2 && key.length > 0) {
    return `UPDATE t SET ${freeKey.map(([column, value]) => `${column} = ${sqlOf(value)}`).join(', ')} ${where}`;
  }
  const columns = [...new Set([...edited, 'b'])];
  const column = columns[random(columns.length)]!;
  return `UPDATE t SET ${column} = ${sqlOf(otherValue(column, number))} ${where}`;
}

/** A value in a statement. */
export function sqlOf(value: StoredValue): string {
  switch (value.kind) {
    case 'null':
      return 'NULL';
    case 'blob':
      return `x'${value.hex}'`;
    case 'text':
      return value.text.includes('\0') ? `'a' || char(0) || 'b'` : `'${value.text}'`;
    case 'integer':
      return value.text;
    case 'real':
      return Number.isInteger(Number(value.text)) ? Number(value.text).toExponential() : value.text;
  }
}
