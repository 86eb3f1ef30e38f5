import type { AstNode, Name, OneSelect, QualifiedName, Select, SelectTable, Span, Stmt } from 'sqlite3-parser';
import { matchRank } from '../completion/boundedList.ts';
import { namedChangeOf, type NamedChange } from '../effect/namedChange.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { statementLabel } from '../text/statementLabel.ts';
import type { TextRange } from '../text/textRange.ts';

export type OutlineKind =
  'table' | 'view' | 'index' | 'trigger' | 'column' | 'commonTable' | 'query' | 'change' | 'other';

/** An entry of the outline. Ranges are those of the statement's text. */
export interface OutlineItem extends TextRange {
  readonly name: string;
  readonly detail?: string;
  readonly kind: OutlineKind;
  /** The name within the range. */
  readonly selection: TextRange;
  readonly children: readonly OutlineItem[];
}

/** Nobody writes larger statements by hand. Their text is their name. */
const maxParsedLength = 64 * 1024;
/** The outline shows this much of a name. */
const maxNameLength = 80;

/** The entry of a statement, with its columns and common tables. */
export function outlineOf(statement: string): OutlineItem {
  const ast = statement.length > maxParsedLength ? undefined : parseStatement(statement).ast;
  const described = ast && describe(ast);
  const range = { start: 0, end: statement.length };
  const name = described?.name ?? statementLabel(statement.slice(0, 4 * maxNameLength), maxNameLength);
  return {
    ...range,
    name: name === '' ? '…' : statementLabel(name, maxNameLength),
    kind: described?.kind ?? 'other',
    selection: (described?.at && within(rangeOf(described.at), range)) ?? {
      start: 0,
      end: firstLineEnd(statement),
    },
    children: ast ? childrenOf(ast) : [],
  };
}

interface Description {
  readonly name: string;
  readonly kind: OutlineKind;
  /** The node to which the cursor moves. */
  readonly at?: AstNode;
}

function describe(statement: Stmt): Description | undefined {
  if (statement.type === 'SelectStmt') return { name: queryName(statement.body), kind: 'query' };
  if (statement.type === 'ExplainStmt') {
    const explained = describe(statement.stmt);
    return explained && { ...explained, name: `EXPLAIN ${explained.name}` };
  }
  const named = namedChangeOf(statement);
  if (!named) return undefined;
  const { words, kind } = describeChange(named.change);
  return { name: `${words} ${nameOf(named.name) || '…'}`, kind, at: named.name.objName };
}

function describeChange(change: NamedChange): { readonly words: string; readonly kind: OutlineKind } {
  switch (change.kind) {
    case 'insert':
      return { words: 'INSERT INTO', kind: 'change' };
    case 'update':
      return { words: 'UPDATE', kind: 'change' };
    case 'delete':
      return { words: 'DELETE FROM', kind: 'change' };
    case 'create':
    case 'drop':
      return { words: `${change.kind} ${change.object}`.toUpperCase(), kind: change.object };
    default:
      return { words: 'ALTER TABLE', kind: 'table' };
  }
}

const nameOf = ({ dbName, objName }: QualifiedName): string =>
  dbName ? `${dbName.text}.${objName.text}` : objName.text;

/** A query is known by its first table. */
function queryName({ select, compounds }: Select): string {
  const from = select.type === 'SelectFrom' ? firstTable(select) : undefined;
  const name = select.type === 'SelectValues' ? 'VALUES …' : `SELECT …${from ? ` FROM ${from}` : ''}`;
  return compounds ? `${name} …` : name;
}

function firstTable(select: OneSelect): string | undefined {
  let table: SelectTable | undefined = select.type === 'SelectFrom' ? select.from?.select : undefined;
  while (table?.type === 'SubSelectTable') table = table.from.select;
  if (!table) return undefined;
  if (table.type === 'SelectSelectTable') return table.alias?.name.text ?? '(…)';
  return nameOf(table.tblName);
}

function childrenOf(statement: Stmt): OutlineItem[] {
  if (statement.type === 'CreateTableStmt' && statement.body.type === 'ColumnsAndConstraintsCreateTableBody') {
    return statement.body.columns.map(({ colName, colType, span }) => ({
      ...item(colName, 'column', span),
      detail: colType?.name ?? '',
    }));
  }
  return commonTables(statement, 0);
}

/** Deeper common tables are left out. The call stack is limited. */
const maxDepth = 20;

/** The common tables of a query. The common tables of their own queries are below them. */
function commonTables(root: AstNode, depth: number): OutlineItem[] {
  const items: OutlineItem[] = [];
  if (depth >= maxDepth) return items;
  for (const { node } of nodesIn(root, ({ type }) => type === 'With')) {
    if (node.type !== 'With') continue;
    for (const { tblName, select, span } of node.ctes) {
      items.push({ ...item(tblName, 'commonTable', span), children: commonTables(select, depth + 1) });
    }
  }
  return items;
}

function item(name: Name, kind: OutlineKind, span: Span): OutlineItem {
  const selection = rangeOf(name);
  const range = rangeOf({ span });
  const holdsName = range.start <= selection.start && selection.end <= range.end;
  return {
    ...(holdsName ? range : selection),
    name: name.text || '…',
    kind,
    selection,
    children: [],
  };
}

const within = (range: TextRange, outer: TextRange): TextRange | undefined =>
  range.start >= outer.start && range.end <= outer.end ? range : undefined;

function firstLineEnd(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end;
}

/** A table or view of a schema, or one of its columns. */
export interface SchemaSymbol {
  readonly kind: 'table' | 'view' | 'column';
  readonly name: string;
  /** The table or view itself, or that of the column. */
  readonly table: string;
}

/**
 * The symbols whose names have the characters of a query in this order, as VS Code matches them. Names that begin with the
 * query come first, then those that contain it; tables come before columns.
 */
export function matchingSymbols(schema: Schema, query: string, limit: number): SchemaSymbol[] {
  const wanted = query.toLowerCase();
  const ranked: SchemaSymbol[][] = Array.from({ length: 6 }, () => []);
  const add = (symbol: SchemaSymbol): void => {
    const rank = matchRank(symbol.name.toLowerCase(), wanted);
    if (rank !== undefined) ranked[rank + (symbol.kind === 'column' ? 3 : 0)]!.push(symbol);
  };
  for (const { name, kind, columns } of schema.tables) {
    add({ kind: kind === 'view' ? 'view' : 'table', name, table: name });
    // Without a query the columns of all tables would hide the tables.
    if (wanted !== '') for (const column of columns) add({ kind: 'column', name: column.name, table: name });
  }
  return ranked.flat().slice(0, limit);
}
