import type { QualifiedName, Stmt } from 'sqlite3-parser';
import { placeholders } from './parameters.ts';
import { parseStatement } from './parser.ts';
import { quoteIdentifier } from './quoting.ts';

/** A SELECT that counts what a statement would touch. */
export interface TouchedRowsQuery {
  readonly sql: string;
  /** The places, among the statement's `?`, of the values that it takes. */
  readonly parameters: readonly number[];
}

/**
 * Counts the rows that an UPDATE or DELETE would touch, by the same WHERE, those of a table that is dropped, and the values
 * of a column that is. Undefined for what cannot be said so: an UPDATE that joins may touch a row once for several matches.
 */
export function touchedRowsQuery(text: string): TouchedRowsQuery | undefined {
  const { ast, fault } = parseStatement(text);
  if (!ast || fault) return undefined;
  const query = countOf(ast);
  if (!query) return undefined;
  const marks = placeholders(text).map(({ start }) => start);
  const pieces = query.map(piece => (typeof piece === 'string' ? piece : text.slice(...piece)));
  const spans = query.filter(piece => typeof piece !== 'string');
  const parameters = marks.flatMap((mark, number) =>
    spans.some(([start, end]) => start <= mark && mark < end) ? [number] : [],
  );
  return { sql: pieces.join(''), parameters };
}

/** A text of our own, or where one stands in the statement. */
type Piece = string | readonly [start: number, end: number];

function countOf(statement: Stmt): Piece[] | undefined {
  switch (statement.type) {
    case 'DropTableStmt':
      return [`SELECT count(*) FROM ${nameOf(statement.tblName)}`];
    case 'AlterTableStmt': {
      const { body, tblName } = statement;
      if (body.type !== 'DropColumnAlterTableBody') return undefined;
      return [`SELECT count(${quoteIdentifier(body.column.text)}) FROM ${nameOf(tblName)}`];
    }
    case 'UpdateStmt':
    case 'DeleteStmt': {
      if (statement.limit || (statement.type === 'UpdateStmt' && statement.from)) return undefined;
      const { tblName, whereClause } = statement;
      const names = statement.with ? [spanOf(statement.with), ' '] : [];
      const where = whereClause ? [' WHERE ', spanOf(whereClause)] : [];
      return [...names, `SELECT count(*) FROM ${nameOf(tblName)}`, ...where];
    }
    default:
      return undefined;
  }
}

const spanOf = ({ span: { offset, length } }: { span: { offset: number; length: number } }): Piece => [
  offset,
  offset + length,
];

function nameOf({ dbName, objName, alias }: QualifiedName): string {
  const path = [dbName, objName].flatMap(part => (part ? [quoteIdentifier(part.text)] : [])).join('.');
  return alias ? `${path} AS ${quoteIdentifier(alias.text)}` : path;
}
