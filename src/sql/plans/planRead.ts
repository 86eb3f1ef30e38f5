/** How SQLite finds the rows of a table. `index` is one of the schema, `automatic` one that it makes for the run alone. */
type ReadWay = 'table' | 'rowid' | 'primaryKey' | 'index' | 'automatic' | 'virtual';

/** A line of EXPLAIN QUERY PLAN that reads a table. */
export interface PlanRead {
  /** The alias of the table, or its name. SQLite prints names without quotes. */
  readonly name: string;
  readonly isSearch: boolean;
  readonly way: ReadWay;
  readonly index: string | undefined;
  /** The index has all needed columns, so the table is not read. */
  readonly isCovering: boolean;
  /** The compared columns, such as `(city=? AND total>?)`. */
  readonly terms: string | undefined;
  /** The number of columns that are compared with `=`. */
  readonly equalTerms: number;
  readonly isRange: boolean;
  readonly isLeftJoin: boolean;
  /** Only the first row that fits is read. */
  readonly isExists: boolean;
}

const pattern =
  /^(SCAN|SEARCH) (.+?)( EXISTS)?(?: USING (INTEGER PRIMARY KEY|PRIMARY KEY|AUTOMATIC (?:PARTIAL )?COVERING INDEX|(COVERING )?INDEX (.+?))|( VIRTUAL TABLE INDEX .*?))?(?: (\(.*\)))?( LEFT-JOIN)?$/s;

/** A longer line is not of SQLite, which names a few columns. */
const maxLineLength = 4000;

/** Undefined for a line that reads no table. */
export function planReadOf(detail: string): PlanRead | undefined {
  if (detail.length > maxLineLength || /^SCAN (?:(?:\d+ )?CONSTANT ROW|\d+-ROW VALUES)/.test(detail)) return undefined;
  const match = pattern.exec(detail);
  if (!match) return undefined;
  const [, verb, name = '', exists, using, covering, index, virtual, terms, leftJoin] = match;
  return {
    name,
    isSearch: verb === 'SEARCH',
    way: virtual === undefined ? wayOf(using) : 'virtual',
    index,
    isCovering: covering !== undefined,
    terms,
    equalTerms: terms?.match(/(?<![<>])=\?/g)?.length ?? 0,
    isRange: terms !== undefined && /[<>]/.test(terms),
    isLeftJoin: leftJoin !== undefined,
    isExists: exists !== undefined,
  };
}

function wayOf(using: string | undefined): ReadWay {
  if (using === undefined) return 'table';
  if (using === 'INTEGER PRIMARY KEY') return 'rowid';
  if (using === 'PRIMARY KEY') return 'primaryKey';
  return using.startsWith('AUTOMATIC') ? 'automatic' : 'index';
}
