import type { Select } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { type Visited, walk } from '../parser/walk.ts';
import { isSameName } from '../text/names.ts';
import type { LintContext } from './lintContext.ts';
import { hasOneRow } from './singleRow.ts';

/** Reports LIMIT if the query does not define which rows come first. */
export function lintLimit({ node, parent }: Visited, context: LintContext): void {
  const select = node as Select;
  const { limit, orderBy } = select;
  if (!limit || orderBy || parent?.node.type === 'ExistsExpr') return;
  if (hasOneRow({ ...select, limit: undefined }) || isRecursive(select, parent)) return;
  const keyword = context.keywordBefore(rangeOf(limit.expr).start, /^limit$/i);
  const message = 'Without ORDER BY, LIMIT returns rows in no fixed order. Add ORDER BY.';
  context.add('limit_without_order', keyword ?? rangeOf(limit), message);
}

/** Whether a query is that of a common table and reads itself. LIMIT then ends the recursion, whose order is certain. */
function isRecursive(select: Select, parent: Visited | undefined): boolean {
  if (parent?.node.type !== 'CommonTableExpr' || !select.compounds) return false;
  const name = parent.node.tblName.text;
  let readsItself = false;
  walk(select, ({ node }) => {
    readsItself ||=
      node.type === 'TableSelectTable' && !node.tblName.dbName && isSameName(node.tblName.objName.text, name);
    return !readsItself;
  });
  return readsItself;
}
