import { distinctNames } from '../../base/distinctNames.ts';
import { parseStatement } from '../../sql/parser/parser.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import type { CursorPlace } from './cursors.ts';
import type { KnownSchema } from './projectAccess.ts';
import type { ReadRequest } from './readRows.ts';

/** SQLite builds limit the depth of an expression. */
const maxTypedColumns = 100;

/** No table has this name. */
const pageName = 'agent_page_of_rows';

/** Undefined for statements that cannot stand in parentheses, such as PRAGMA and EXPLAIN. */
export function pagedStatement(sql: string) {
  const [range, ...others] = splitStatements(sql);
  if (!range || others.length > 0) return undefined;
  const { ast, fault } = parseStatement(sql, range.start, range.end);
  if (fault || ast?.type !== 'SelectStmt') return undefined;
  const select = sql.slice(range.start, range.end - (range.terminated ? 1 : 0));
  // The line breaks end a comment at the end of the statement.
  return {
    select,
    page: (offset: number, limit: number): string => `SELECT * FROM (\n${select}\n) LIMIT ${limit} OFFSET ${offset}`,
    /** A page whose columns are numbered, with a further one: the first letter of the type of each value. */
    typedPage: (columnCount: number, offset: number, limit: number): string => {
      const columns = Array.from({ length: columnCount }, (_, index) => `c${index}`);
      const kinds = columns.map(column => `substr(typeof(${column}), 1, 1)`).join(' || ');
      const list = columns.join(', ');
      return `WITH ${pageName}(${list}) AS (\n${select}\n) SELECT ${list}, ${kinds} AS kinds FROM ${pageName} LIMIT ${limit} OFFSET ${offset}`;
    },
    countSql: `SELECT count(*) AS rows FROM (\n${select}\n)`,
  };
}

type PagedStatement = NonNullable<ReturnType<typeof pagedStatement>>;

/** If the columns are known, the page has the types of its values. Without them, a BLOB in a column of texts looks like a text. */
export async function pageRequest(
  paged: PagedStatement,
  { params, offset }: Pick<CursorPlace, 'params' | 'offset'>,
  { readSchema }: KnownSchema,
): Promise<ReadRequest> {
  const { outcome, columns } = await (await readSchema()).shadow.check(paged.select);
  const isTyped = outcome === 'prepared' && columns.length > 0 && columns.length <= maxTypedColumns;
  if (!isTyped) return { params, sqlFor: limit => paged.page(offset, limit) };
  return {
    params,
    names: distinctNames(columns.map(({ name }) => name)),
    sqlFor: limit => paged.typedPage(columns.length, offset, limit),
  };
}
