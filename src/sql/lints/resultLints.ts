import type { ResultColumn, Stmt } from 'sqlite3-parser';
import { shortList } from '../../base/oneLine.ts';
import { rangeOf, rangeOfResult } from '../parser/nodeRange.ts';
import type { Visited } from '../parser/walk.ts';
import { columnReferenceOf, columnsNamed } from '../scope/columnReference.ts';
import { columnsOfResult, sourcesOf, namingQuery } from '../scope/query.ts';
import type { Source } from '../scope/sources.ts';
import { TableNames } from '../scope/tableNames.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { type LintContext, shownName } from './lintContext.ts';

/** The most columns that a message names. */
const maxNames = 3;

/** Reports columns of the result that have the name of an earlier one. */
export function lintResultNames(statement: Stmt, context: LintContext): void {
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
export function lintElidedAlias(visited: Visited, context: LintContext): void {
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
export function lintViewColumns(statement: Stmt, context: LintContext): void {
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
