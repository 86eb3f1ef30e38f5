import type { Select, Stmt } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { type Visited, nodesIn } from '../parser/walk.ts';
import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { coarseTokens } from '../text/tokens.ts';

interface Parsed {
  readonly text: string;
  readonly tree: Stmt;
}

/** Whether a statement may contain another query. The columns of that query have names. */
export const mayNameResults = (text: string): boolean => /.\bselect\b/is.test(text);

/**
 * Whether all names of columns stay. Without an alias, a column is named by the text of its expression, with all space and
 * comments. A table or view keeps these names. Elsewhere they count if the statement itself may use one of them.
 */
export function hasSameResultNames(before: Parsed, after: Parsed): boolean {
  const namesBefore = resultNames(before);
  const namesAfter = resultNames(after);
  const changed = namesBefore.flatMap((name, index) => (name === namesAfter[index] ? [] : [name, namesAfter[index]!]));
  if (changed.length === 0) return true;
  const { type } = before.tree;
  if (type === 'CreateViewStmt' || type === 'CreateTableStmt') return false;
  const keys = new Set(changed.map(withoutSpace));
  for (const { kind, start, end } of coarseTokens(before.text)) {
    const word = before.text.slice(start, end);
    // SQLite numbers columns with the same name, as in "a+1:1".
    if (kind === 'quoted' && keys.has(withoutSpace(unquoted(word).replace(/:\d+$/, '')))) return false;
    // A natural join compares names that the text does not mention.
    if (kind === 'word' && word.toLowerCase() === 'natural') return false;
  }
  return true;
}

const withoutSpace = (name: string): string => keyOf(name.replaceAll(/\s/g, ''));

/** The names that come from the text of expressions, in the order of the text. */
function resultNames({ text, tree }: Parsed): string[] {
  const names: string[] = [];
  for (const visited of nodesIn(tree)) {
    const query = namedQuery(visited);
    if (query?.select.type !== 'SelectFrom') continue;
    for (const column of query.select.columns) {
      if (column.type !== 'ExprResultColumn' || column.alias) continue;
      const { type } = column.expr;
      if (type !== 'Id' && type !== 'QualifiedExpr') names.push(nameFromText(text, rangeOf(column.expr)));
    }
  }
  return names;
}

/** The query that gives the columns of a node their names. */
function namedQuery({ node }: Visited): Select | undefined {
  switch (node.type) {
    case 'CreateViewStmt':
    case 'CommonTableExpr':
      return node.columns ? undefined : node.select;
    case 'AsSelectCreateTableBody':
    case 'SelectSelectTable':
      return node.select;
    default:
      return undefined;
  }
}

/** SQLite takes the text up to the next token, with comments but without the space at the end. */
function nameFromText(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  for (const { kind, start: offset } of coarseTokens(text.slice(end))) {
    if (kind !== 'space' && kind !== 'comment') return text.slice(start, end + offset).trim();
  }
  return text.slice(start).trim();
}
