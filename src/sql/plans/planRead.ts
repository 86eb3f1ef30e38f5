/** A line of EXPLAIN QUERY PLAN. The lines below it with a greater depth are its parts. */
export interface PlanLine {
  readonly detail: string;
  readonly depth: number;
}

/** The rows of EXPLAIN QUERY PLAN. SQLite lists the parts of a line right after it. A row whose parent is missing is no part. */
export function planLines(rows: readonly Readonly<Record<string, unknown>>[]): PlanLine[] {
  const depths = new Map<unknown, number>();
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return { detail: typeof detail === 'string' ? detail : '', depth };
  });
}

/** How SQLite finds the rows of a table. `index` is one of the schema, `automatic` one that it makes for the run alone. */
type ReadWay = 'table' | 'rowid' | 'primaryKey' | 'index' | 'automatic' | 'virtual';

/** A line of EXPLAIN QUERY PLAN that reads a table. */
export type PlanRead = NonNullable<ReturnType<typeof planReadOf>>;

const pattern =
  /^(SCAN|SEARCH) (.+?)( EXISTS)?(?: USING (INTEGER PRIMARY KEY|PRIMARY KEY|AUTOMATIC (?:PARTIAL )?COVERING INDEX|(COVERING )?INDEX (.+?))|( VIRTUAL TABLE INDEX .*?))?(?: (\(.*\)))?( LEFT-JOIN)?$/s;

/** A longer line is not of SQLite, which names a few columns. */
const maxLineLength = 4000;

/** Undefined for a line that reads no table. */
export function planReadOf(detail: string) {
  if (detail.length > maxLineLength || /^SCAN (?:(?:\d+ )?CONSTANT ROW|\d+-ROW VALUES)/.test(detail)) return undefined;
  const match = pattern.exec(detail);
  if (!match) return undefined;
  const [, verb, name = '', exists, using, covering, index, virtual, terms, leftJoin] = match;
  return {
    /** The alias of the table, or its name. SQLite prints names without quotes. */
    name,
    isSearch: verb === 'SEARCH',
    way: virtual === undefined ? wayOf(using) : 'virtual',
    index,
    /** The index has all needed columns, so the table is not read. */
    isCovering: covering !== undefined,
    /** The compared columns, such as `(city=? AND total>?)`. */
    terms,
    /** The number of columns that are compared with `=`. */
    equalTerms: terms?.match(/(?<![<>])=\?/g)?.length ?? 0,
    isRange: terms !== undefined && /[<>]/.test(terms),
    isLeftJoin: leftJoin !== undefined,
    /** Only the first row that fits is read. */
    isExists: exists !== undefined,
  };
}

function wayOf(using: string | undefined): ReadWay {
  if (using === undefined) return 'table';
  if (using === 'INTEGER PRIMARY KEY') return 'rowid';
  if (using === 'PRIMARY KEY') return 'primaryKey';
  return using.startsWith('AUTOMATIC') ? 'automatic' : 'index';
}
