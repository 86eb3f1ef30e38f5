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
  const { pieces, withoutRowids } = query;
  const ranges = pieces.filter(piece => typeof piece !== 'string');
  const isCopied = (offset: number): boolean => ranges.some(({ start, end }) => start <= offset && offset < end);
  const join = (parts: readonly QueryPart[]): string =>
    parts.map(piece => (typeof piece === 'string' ? piece : text.slice(piece.start, piece.end))).join('');
  return {
    sql: join(pieces),
    parameters: placeholders(text).flatMap(({ start }, index) => (isCopied(start) ? [index] : [])),
    ...(withoutRowids && { withoutRowids: join(withoutRowids) }),
  };
}

/** New text, or a range of the statement to copy. */
type QueryPart = string | TextRange;

interface CountQuery {
  readonly pieces: readonly QueryPart[];
  readonly withoutRowids?: readonly QueryPart[];
}

function countQueryOf(statement: Stmt): CountQuery | undefined {
  switch (statement.type) {
    case 'DropTableStmt':
      return { pieces: [`SELECT count(*) FROM ${tableReference(statement.tblName)}`] };
    case 'AlterTableStmt': {
      const { body, tblName } = statement;
      if (body.type !== 'DropColumnAlterTableBody') return undefined;
      return { pieces: [`SELECT count(${quoteIdentifier(body.column.text)}) FROM ${tableReference(tblName)}`] };
    }
    case 'UpdateStmt':
    case 'DeleteStmt': {
      const { tblName, whereClause } = statement;
      const withClause = statement.with ? [rangeOf(statement.with), ' '] : [];
      const where = whereClause ? [' WHERE ', rangeOf(whereClause)] : [];
      const from = statement.type === 'UpdateStmt' ? statement.from : undefined;
      const target = unhiddenTarget(tblName, statement.with);
      if (from) return countQueryOfJoin(withClause, target, [...sourceOf(from), ...where]);
      return { pieces: [...withClause, `SELECT count(*) FROM ${tableReference(target)}`, ...where] };
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
function countQueryOfJoin(
  withClause: readonly QueryPart[],
  target: QualifiedName,
  joined: readonly QueryPart[],
): CountQuery {
  const table = tableReference(target);
  const rowid = `${quoteIdentifier((target.alias ?? target.objName).text)}._rowid_`;
  return {
    pieces: [...withClause, `SELECT count(*) FROM (SELECT DISTINCT ${rowid} FROM ${table}, `, ...joined, ')'],
    withoutRowids: [...withClause, `SELECT count(*) FROM ${table} WHERE EXISTS (SELECT 1 FROM `, ...joined, ')'],
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
