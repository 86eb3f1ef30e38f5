import type { DeleteStmt, UpdateStmt } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { type Finding, type Fix, type FixContext, insertion, quickFix, replacement } from './fix.ts';

/** Adds a condition on the primary key to a statement that changes every row. */
export function whereFixes(finding: Finding, { tree, schema }: FixContext): Fix[] {
  if (tree.type !== 'UpdateStmt' && tree.type !== 'DeleteStmt') return [];
  const { tblName, whereClause } = tree;
  const table = schema.table(tblName.objName.text);
  const key = table?.primaryKey.length ? table.primaryKey : (table?.hiddenColumns.slice(0, 1) ?? []);
  if (key.length === 0) return [];
  // The columns of other tables in FROM may have the same names.
  const isJoined = tree.type === 'UpdateStmt' && tree.from !== undefined;
  const qualifier = isJoined ? `${quoteIdentifierIfNeeded((tblName.alias ?? tblName.objName).text)}.` : '';
  const condition = key.map(name => `${qualifier}${quoteIdentifierIfNeeded(name)} = ?`).join(' AND ');
  const edit = whereClause
    ? replacement(rangeOf(whereClause), condition)
    : insertion(endBeforeWhere(tree), ` WHERE ${condition}`);
  const title = whereClause ? `Change to ${condition}` : `Insert WHERE ${condition}`;
  return [quickFix(finding, title, [edit])];
}

function endBeforeWhere(statement: UpdateStmt | DeleteStmt): number {
  const parts =
    statement.type === 'UpdateStmt'
      ? [...statement.sets.map(({ expr }) => expr), ...(statement.from ? [statement.from] : [])]
      : [statement.tblName, ...(statement.indexed ? [statement.indexed] : [])];
  return Math.max(...parts.map(part => rangeOf(part).end));
}
