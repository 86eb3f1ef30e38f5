import type { AstNode, QualifiedName, With } from 'sqlite3-parser';
import { effectOf } from '../effect/statementEffect.ts';
import { isCommonTable } from '../effect/touchedTables.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, queriedTable } from '../parser/walk.ts';
import { firstWords } from '../shadow/statementWords.ts';
import { keyOf } from '../text/names.ts';
import { splitStatements } from '../text/splitter.ts';

/** A name with the database in front of it, if the statement has one there. */
export interface TableName {
  readonly database: string | undefined;
  readonly name: string;
}

/** A statement that only reads, by its tree: a SELECT, a VALUES, or one of them after EXPLAIN. */
export interface ReadingSelect {
  readonly kind: 'select';
  /** The offset after EXPLAIN. */
  readonly start: number;
  /** The tables, views and table-valued functions, each time the statement names them. Common tables are not among them. */
  readonly tables: readonly TableName[];
  readonly commonTables: readonly string[];
  readonly functions: readonly string[];
  /** The tables of columns such as `main.customers.email`. */
  readonly qualifiedColumns: readonly TableName[];
  /** The WITH clause of the whole statement: its common tables, and the offset in front of the first one. */
  readonly with: { readonly commonTables: readonly string[]; readonly start: number } | undefined;
}

export interface Pragma {
  readonly kind: 'pragma';
  readonly name: TableName;
  readonly hasArgument: boolean;
}

/** Why a text is not a statement that only reads. */
export type NoRead =
  | { readonly kind: 'empty' | 'several' | 'illFormed' | 'writes' | 'explainsOther' }
  | {
      readonly kind: 'syntax';
      /** Empty where the text ends too early. */
      readonly token: string;
    };

/** Reads a text as one statement that reads, or as a PRAGMA, which may read. */
export function readingStatementOf(text: string): ReadingSelect | Pragma | NoRead {
  // SQLite ends a text at a NUL character, and replaces half a surrogate pair.
  if (text.includes('\0') || !text.isWellFormed()) return { kind: 'illFormed' };
  const statements = splitStatements(text);
  if (statements.length !== 1) return { kind: statements.length === 0 ? 'empty' : 'several' };
  const { ast, fault } = parseStatement(text);
  if (fault || !ast) return { kind: 'syntax', token: fault?.token ?? '' };
  const explains = ast.type === 'ExplainStmt';
  const statement = explains ? ast.stmt : ast;
  const { kind, certain, readOnly, dangers } = effectOf(text);
  const reads = certain && kind === 'read' && readOnly && dangers.length === 0;
  if (reads && statement.type === 'SelectStmt') {
    const { with: clause } = statement.body;
    return {
      kind: 'select',
      start: statement.span.offset,
      with: clause && {
        commonTables: clause.ctes.map(({ tblName }) => tblName.text),
        start: endOfWith(text, clause),
      },
      ...namesIn(statement),
    };
  }
  if (statement.type === 'PragmaStmt' && !explains) {
    return { kind: 'pragma', name: tableNameOf(statement.name), hasArgument: statement.body !== undefined };
  }
  return { kind: explains ? 'explainsOther' : 'writes' };
}

/** The keys of the common tables within the query of a view. */
export function commonTablesOfView(statement: string): ReadonlySet<string> {
  const { ast, fault } = parseStatement(statement);
  return new Set(ast && !fault ? namesIn(ast).commonTables.map(keyOf) : []);
}

type Names = Pick<ReadingSelect, 'tables' | 'commonTables' | 'functions' | 'qualifiedColumns'>;

function namesIn(root: AstNode): Names {
  const tables: TableName[] = [];
  const commonTables: string[] = [];
  const functions: string[] = [];
  const qualifiedColumns: TableName[] = [];
  for (const visited of nodesIn(root)) {
    const { node } = visited;
    const table = queriedTable(node);
    if (table && !isCommonTable(table, visited)) tables.push(tableNameOf(table));
    if (node.type === 'CommonTableExpr') commonTables.push(node.tblName.text);
    if (node.type === 'FunctionCallExpr' || node.type === 'FunctionCallStarExpr') functions.push(node.name.name);
    if (node.type === 'QualifiedExpr' && node.schema) {
      qualifiedColumns.push({ database: node.schema.text, name: node.table.text });
    }
  }
  return { tables, commonTables, functions, qualifiedColumns };
}

const tableNameOf = ({ dbName, objName }: QualifiedName): TableName => ({
  database: dbName?.text,
  name: objName.text,
});

/** `WITH RECURSIVE`. */
const maxWithWords = 2;

/** The offset after WITH and RECURSIVE. */
function endOfWith(text: string, { span, recursive }: With): number {
  const words = firstWords(text.slice(span.offset), maxWithWords);
  return span.offset + (words[recursive ? 1 : 0]?.end ?? 0);
}
