import type { FromClause, QualifiedName, Stmt, With } from 'sqlite3-parser';
import { placeholders } from '../parameters/placeholders.ts';
import { parseStatement } from '../parser/parser.ts';
import { quoteIdentifier } from '../text/quoting.ts';

/** A SELECT that counts what a statement would touch. */
export interface TouchedRowsQuery {
  readonly sql: string;
  /** The same for a table without rowids, where `sql` needs them. It can take far longer. */
  readonly withoutRowids?: string;
  /** The places, among the statement's `?`, of the values that it takes. */
  readonly parameters: readonly number[];
}

/**
 * Counts the rows that an UPDATE or DELETE would touch, by the same FROM and WHERE, those of a table that is dropped, and the
 * values of a column that is. Undefined for what touches no rows that are there, `unknown` where they cannot be told.
 */
export function touchedRowsQuery(text: string): TouchedRowsQuery | 'unknown' | undefined {
  const { ast, fault } = parseStatement(text);
  if (!ast) return undefined;
  const query = fault && countOf(ast) ? 'unknown' : countOf(ast);
  if (!query || query === 'unknown') return query;
  const { pieces, withoutRowids } = query;
  const spans = pieces.filter(piece => typeof piece !== 'string');
  const parameters = placeholders(text).flatMap(({ start: mark }, number) =>
    spans.some(([start, end]) => start <= mark && mark < end) ? [number] : [],
  );
  const join = (parts: readonly Piece[]): string =>
    parts.map(piece => (typeof piece === 'string' ? piece : text.slice(...piece))).join('');
  return { sql: join(pieces), parameters, ...(withoutRowids && { withoutRowids: join(withoutRowids) }) };
}

/** A text of our own, or where one stands in the statement. */
type Piece = string | readonly [start: number, end: number];

interface Count {
  readonly pieces: readonly Piece[];
  readonly withoutRowids?: readonly Piece[];
}

function countOf(statement: Stmt): Count | undefined {
  switch (statement.type) {
    case 'DropTableStmt':
      return { pieces: [`SELECT count(*) FROM ${nameOf(statement.tblName)}`] };
    case 'AlterTableStmt': {
      const { body, tblName } = statement;
      if (body.type !== 'DropColumnAlterTableBody') return undefined;
      return { pieces: [`SELECT count(${quoteIdentifier(body.column.text)}) FROM ${nameOf(tblName)}`] };
    }
    case 'UpdateStmt':
    case 'DeleteStmt': {
      const { tblName, whereClause } = statement;
      const names = statement.with ? [spanOf(statement.with), ' '] : [];
      const where = whereClause ? [' WHERE ', spanOf(whereClause)] : [];
      const from = statement.type === 'UpdateStmt' ? statement.from : undefined;
      const target = notOfWith(tblName, statement.with);
      if (from) return countOfJoin(names, target, [...sourceOf(from), ...where]);
      return { pieces: [...names, `SELECT count(*) FROM ${nameOf(target)}`, ...where] };
    }
    default:
      return undefined;
  }
}

/** What is changed is never a name of WITH, which a SELECT would take it for unless it says the database. */
function notOfWith(target: QualifiedName, names: With | undefined): QualifiedName {
  const { dbName, objName, alias = objName } = target;
  const isGiven = names?.ctes.some(({ tblName }) => tblName.text.toLowerCase() === objName.text.toLowerCase());
  return dbName || !isGiven ? target : { ...target, dbName: { ...objName, text: 'main' }, alias };
}

/** A row that joins with several others is touched once. */
function countOfJoin(names: readonly Piece[], target: QualifiedName, joined: readonly Piece[]): Count {
  const table = nameOf(target);
  const row = `${quoteIdentifier((target.alias ?? target.objName).text)}._rowid_`;
  return {
    pieces: [...names, `SELECT count(*) FROM (SELECT DISTINCT ${row} FROM ${table}, `, ...joined, ')'],
    withoutRowids: [...names, `SELECT count(*) FROM ${table} WHERE EXISTS (SELECT 1 FROM `, ...joined, ')'],
  };
}

/** What stands behind FROM. Several tables join among themselves first, as they do in the UPDATE. */
function sourceOf(from: FromClause): Piece[] {
  const { offset, length } = from.span;
  const source: Piece = [offset + 'FROM'.length, offset + length];
  return from.joins?.length ? ['(', source, ')'] : [source];
}

const spanOf = ({ span: { offset, length } }: { span: { offset: number; length: number } }): Piece => [
  offset,
  offset + length,
];

function nameOf({ dbName, objName, alias }: QualifiedName): string {
  const path = [dbName, objName].flatMap(part => (part ? [quoteIdentifier(part.text)] : [])).join('.');
  return alias ? `${path} AS ${quoteIdentifier(alias.text)}` : path;
}
