import type { AstNode, Select, Stmt, CommonTableExpr, QualifiedName, ResultColumn } from 'sqlite3-parser';
import { shortList } from '../../base/oneLine.ts';
import { boundsOf } from '../effect/namedChange.ts';
import { type SessionPart, sessionPartOf } from '../effect/statementEffect.ts';
import { rangeOf, rangeOfResult } from '../parser/nodeRange.ts';
import type { ParsedStatement } from '../parser/parser.ts';
import { type Visited, nodesIn, commonTableNamed, findNode } from '../parser/walk.ts';
import { columnReferenceOf, columnsNamed } from '../scope/columnReference.ts';
import { columnsOfResult, sourcesOf, namingQuery } from '../scope/query.ts';
import type { Source } from '../scope/sources.ts';
import { TableNames } from '../scope/tableNames.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { lintComparison, lintListComparison, lintRangeComparison } from './comparisonLints.ts';
import { lintJoins } from './joinLints.ts';
import type { Lint } from './lint.ts';
import { LintContext, shownName } from './lintContext.ts';
import { hasOneRow } from './singleRow.ts';

/** A longer statement is data rather than code. */
const maxLength = 256 * 1024;

type NodeRule = (visited: Visited, context: LintContext) => void;

const rulesByNode: Partial<Record<AstNode['type'], NodeRule>> = {
  BinaryExpr: lintComparison,
  BetweenExpr: lintRangeComparison,
  InListExpr: lintListComparison,
  ExprResultColumn: lintElidedAlias,
  Select: lintLimit,
  SelectFrom: lintJoins,
  UpdateStmt: lintJoins,
};

/** The lints of a statement, in the order of the text. A statement with a syntax error has none. */
export function lintStatement(statement: {
  readonly text: string;
  readonly parsed: ParsedStatement;
  readonly schema: TableLookup;
}): Lint[] {
  const { text, parsed, schema } = statement;
  const { ast, fault, tokens } = parsed;
  if (!ast || fault || text.length > maxLength) return [];
  const context = new LintContext(text, tokens, schema);
  lintEffect(ast, context);
  lintViewColumns(ast, context);
  lintResultNames(ast, context);
  lintUnusedCommonTables(ast, context);
  for (const visited of nodesIn(ast)) rulesByNode[visited.node.type]?.(visited, context);
  return context.lints.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Reports LIMIT if the query does not define which rows come first. */
function lintLimit({ node, parent }: Visited, context: LintContext): void {
  const select = node as Select;
  const { limit, orderBy } = select;
  if (!limit || orderBy || parent?.node.type === 'ExistsExpr') return;
  if (hasOneRow({ ...select, limit: undefined }) || isRecursive(select, parent)) return;
  const keyword = context.keywordBefore(rangeOf(limit.expr).start, /^limit$/i);
  const message = 'Without ORDER BY, LIMIT returns rows in no fixed order. Add ORDER BY.';
  context.add('limit_without_order', keyword ?? rangeOf(limit), message);
}

/** Whether a query defines a common table and reads it. LIMIT then ends the recursion, whose order is certain. */
function isRecursive(select: Select, parent: Visited | undefined): boolean {
  if (parent?.node.type !== 'CommonTableExpr' || !select.compounds) return false;
  const name = parent.node.tblName.text;
  const isItself = ({ dbName, objName }: QualifiedName): boolean => !dbName && isSameName(objName.text, name);
  return findNode(select, 'TableSelectTable', ({ tblName }) => isItself(tblName)) !== undefined;
}

/** Reports a statement that changes every row, or that needs a connection of its own. */
function lintEffect(statement: Stmt, context: LintContext): void {
  if (statement.type === 'UpdateStmt' || statement.type === 'DeleteStmt') lintEveryRow(statement, context);
  const part = sessionPartOf(statement);
  if (part === undefined) return;
  const temporary = part === 'temporary' ? context.keywordAtStart(/^temp(?:orary)?$/i) : undefined;
  const range = temporary ?? context.keywordAtStart(/^\w/);
  if (range) context.add('needs_session', range, sessionMessages[part]);
}

const transactionMessage = 'A transaction cannot span several statements. Put the changes into one statement.';

const sessionMessages: Readonly<Record<SessionPart, string>> = {
  transaction: transactionMessage,
  rollback: transactionMessage,
  temporary: 'A temporary object is gone before the next statement. Use WITH instead.',
  attachment: 'A project is one database. Export from one project and import into the other.',
  setting: 'This setting does not reach the next statement. Leave it out.',
};

function lintEveryRow(statement: Extract<Stmt, { type: 'UpdateStmt' | 'DeleteStmt' }>, context: LintContext): void {
  if (boundsOf(statement) === 'some') return;
  const isDelete = statement.type === 'DeleteStmt';
  const { tblName, whereClause } = statement;
  const table = shownName(tblName.objName.text);
  if (whereClause) {
    const message = `This condition is true for every row of ${table}. Write one that selects rows.`;
    context.add('missing_where', rangeOf(whereClause), message);
    return;
  }
  const keyword = context.keywordBefore(tblName.span.offset, /^(?:update|delete)$/i);
  const message = `${isDelete ? 'DELETE' : 'UPDATE'} without WHERE ${isDelete ? 'deletes' : 'changes'} every row of ${table}. Add a WHERE clause.`;
  context.add('missing_where', keyword ?? rangeOf(tblName), message);
}

/** Reports common tables that nothing else reads. */
function lintUnusedCommonTables(statement: Stmt, context: LintContext): void {
  const unused = new Set<CommonTableExpr>();
  const references: { readonly visited: Visited; readonly name: QualifiedName }[] = [];
  for (const visited of nodesIn(statement)) {
    const { node } = visited;
    if (node.type === 'CommonTableExpr') unused.add(node);
    if (node.type === 'TableSelectTable') references.push({ visited, name: node.tblName });
    if (node.type === 'InTableExpr') references.push({ visited, name: node.rhs });
  }
  if (unused.size === 0) return;
  for (const { visited, name } of references) {
    const table = name.dbName ? undefined : commonTableNamed(name.objName.text, visited);
    if (table && !isWithin(visited, table)) unused.delete(table);
    // An unknown name may be a misspelt common table.
    else if (!table && !name.dbName && !context.schema.table(name.objName.text)) return;
  }
  for (const table of unused) {
    const name = shownName(table.tblName.text);
    context.add('unused_common_table', rangeOf(table), `Nothing reads the common table ${name}. Remove it.`);
  }
}

function isWithin(visited: Visited, outer: AstNode): boolean {
  let ancestor: Visited | undefined = visited;
  while (ancestor && ancestor.node !== outer) ancestor = ancestor.parent;
  return ancestor !== undefined;
}

/** The most columns that a message names. */
const maxNames = 3;

/** Reports columns of the result that have the name of an earlier one. */
function lintResultNames(statement: Stmt, context: LintContext): void {
  // The user or the readers of a new object see the columns of this query, if they are not named elsewhere.
  const select = statement.type === 'SelectStmt' ? statement.body : namingQuery(statement);
  const query = select?.select;
  if (!select || query?.type !== 'SelectFrom') return;
  const sources = sourcesOf(query.from, new TableNames(context.schema).within(select.with));
  const keys = new Set<string>();
  for (const column of query.columns) {
    const repeated: string[] = [];
    for (const name of namesOfResult(column, sources, context.text)) {
      const key = keyOf(name);
      if (keys.has(key)) repeated.push(shownName(name));
      keys.add(key);
    }
    if (repeated.length > 0) context.add('duplicate_result_columns', rangeOfResult(column), repeatedMessage(repeated));
  }
}

function repeatedMessage(names: readonly string[]): string {
  const list = shortList(names, maxNames);
  return names.length === 1
    ? `The result already has a column ${list}. Give this one an alias.`
    : `The result already has columns ${list}. List the columns and give them aliases.`;
}

/** The name of a result column, or those of `*`. SQLite names an expression by its text. */
function namesOfResult(column: ResultColumn, sources: readonly Source[], text: string): string[] {
  const names = [...columnsOfResult(column, sources)].map(({ name }) => name);
  if (column.type !== 'ExprResultColumn' || names[0] !== '') return names;
  const { start, end } = rangeOf(column.expr);
  return [text.slice(start, end)];
}

/** Reports an alias without AS that is the name of another column. Most likely a comma is missing before it. */
function lintElidedAlias(visited: Visited, context: LintContext): void {
  const column = visited.node as ResultColumn;
  if (column.type !== 'ExprResultColumn' || column.alias?.type !== 'ElidedAs') return;
  const reference = columnReferenceOf(column.expr);
  const alias = column.alias.name;
  if (!reference || isSameName(reference.name, alias.text)) return;
  const scope = context.scopeOf({ node: column.expr, parent: visited });
  const aliasAsColumn = { type: 'Id', name: alias.text, span: alias.span } as const;
  if (!scope || columnsNamed(aliasAsColumn, scope).length === 0) return;
  const message = `The column ${shownName(alias.text)} is an alias of ${shownName(reference.name)} here. Insert the missing comma, or write AS.`;
  context.add('missing_comma', rangeOf(alias), message);
}

/** Reports the stars among the columns of a view. */
function lintViewColumns(statement: Stmt, context: LintContext): void {
  if (statement.type !== 'CreateViewStmt') return;
  const { select, compounds = [] } = statement.select;
  for (const query of [select, ...compounds.map(compound => compound.select)]) {
    if (query.type !== 'SelectFrom') continue;
    for (const column of query.columns) {
      if (column.type === 'ExprResultColumn') continue;
      const message = 'The columns of this view change with its tables. List the columns.';
      context.add('star_in_view', rangeOfResult(column), message);
    }
  }
}
