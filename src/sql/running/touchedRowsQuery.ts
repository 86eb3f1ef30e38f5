import type { FromClause, QualifiedName, Stmt, With } from 'sqlite3-parser';
import { placeholders } from '../parameters/placeholders.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifier } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';

/** A SELECT that counts the rows that a statement would touch. */
export interface TouchedRowsQuery {
  readonly sql: string;
  /** A SELECT that shows the first of them. It has the same parameters. */
  readonly rows: string;
  /** For a table without rowids, if `sql` needs rowids. It can take far longer. */
  readonly withoutRowids?: string;
  /** Which parameters of the statement the query has, by their indexes. */
  readonly parameters: readonly number[];
}

/**
 * Counts the rows that an UPDATE or DELETE would touch, the rows of a dropped table, or the values of a dropped column.
 * Undefined if the statement touches no existing rows. `unknown` if they cannot be counted.
 */
export function touchedRowsQuery(text: string): TouchedRowsQuery | 'unknown' | undefined {
  const { ast, fault } = parseStatement(text);
  const query = ast && countQueryOf(ast);
  if (!query) return undefined;
  if (fault) return 'unknown';
  const { withClause = [], counted = '*', from, fromWithRowids } = query;
  const ranges = [...withClause, ...from].filter(piece => typeof piece !== 'string');
  const isCopied = (offset: number): boolean => ranges.some(({ start, end }) => start <= offset && offset < end);
  const select = (what: string, source: readonly QueryPart[]): string =>
    [...withClause, `SELECT ${what} FROM `, ...source]
      .map(piece => (typeof piece === 'string' ? piece : text.slice(piece.start, piece.end)))
      .join('');
  return {
    sql: select(`count(${counted})`, fromWithRowids ?? from),
    rows: `${select('*', from)} LIMIT ${maxShownRows}`,
    parameters: placeholders(text).flatMap(({ start }, index) => (isCopied(start) ? [index] : [])),
    ...(fromWithRowids && { withoutRowids: select('count(*)', from) }),
  };
}

const maxShownRows = 1000;

/** New text, or a range of the statement to copy. */
type QueryPart = string | TextRange;

interface CountQuery {
  readonly withClause?: readonly QueryPart[];
  /** All rows unless set. */
  readonly counted?: string;
  readonly from: readonly QueryPart[];
  /** Counts faster, in a table with rowids. */
  readonly fromWithRowids?: readonly QueryPart[];
}

function countQueryOf(statement: Stmt): CountQuery | undefined {
  switch (statement.type) {
    case 'DropTableStmt':
      return { from: [tableReference(statement.tblName)] };
    case 'AlterTableStmt': {
      const { body, tblName } = statement;
      if (body.type !== 'DropColumnAlterTableBody') return undefined;
      return { counted: quoteIdentifier(body.column.text), from: [tableReference(tblName)] };
    }
    case 'UpdateStmt':
    case 'DeleteStmt': {
      const { tblName, whereClause } = statement;
      const withClause = statement.with ? [rangeOf(statement.with), ' '] : [];
      const where = whereClause ? [' WHERE ', rangeOf(whereClause)] : [];
      const from = statement.type === 'UpdateStmt' ? statement.from : undefined;
      const target = unhiddenTarget(tblName, statement.with);
      if (from) return { withClause, ...joinOf(target, [...sourceOf(from), ...where]) };
      return { withClause, from: [tableReference(target), ...where] };
    }
    default:
      return undefined;
  }
}

/** UPDATE and DELETE ignore a common table with the name of their table. SELECT ignores it only if the database is named. */
function unhiddenTarget(target: QualifiedName, withClause: With | undefined): QualifiedName {
  const { dbName, objName, alias = objName } = target;
  const name = keyOf(objName.text);
  const isHidden = withClause?.ctes.some(({ tblName }) => keyOf(tblName.text) === name);
  return dbName || !isHidden ? target : { ...target, dbName: { ...objName, text: 'main' }, alias };
}

/** Counts a row once, although it may join with several others. */
function joinOf(target: QualifiedName, joined: readonly QueryPart[]): CountQuery {
  const table = tableReference(target);
  const rowid = `${quoteIdentifier((target.alias ?? target.objName).text)}._rowid_`;
  return {
    from: [`${table} WHERE EXISTS (SELECT 1 FROM `, ...joined, ')'],
    fromWithRowids: [`(SELECT DISTINCT ${rowid} FROM ${table}, `, ...joined, ')'],
  };
}

/** The tables of FROM. UPDATE joins them with each other before it joins them with its table, hence the parentheses. */
function sourceOf(from: FromClause): QueryPart[] {
  const { start, end } = rangeOf(from);
  const source = { start: start + 'FROM'.length, end };
  return from.joins?.length ? ['(', source, ')'] : [source];
}

function tableReference({ dbName, objName, alias }: QualifiedName): string {
  const path = [dbName, objName].flatMap(part => (part ? [quoteIdentifier(part.text)] : [])).join('.');
  return alias ? `${path} AS ${quoteIdentifier(alias.text)}` : path;
}
