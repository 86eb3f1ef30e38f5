import type { ResultColumn, OneSelect, Select } from 'sqlite3-parser';
import { fittingSignatures } from '../functions/builtInFunctions.ts';
import { nodesIn } from '../parser/walk.ts';

/** Whether a query has one row at most, by its text alone: it is limited to one, has no FROM, or is an aggregate. */
export function hasOneRow({ select, compounds, limit }: Select): boolean {
  if (limit?.expr.type === 'NumericLiteral' && limit.expr.value === '1') return true;
  return !compounds && hasOneRowByItself(select);
}

function hasOneRowByItself(select: OneSelect): boolean {
  if (select.type === 'SelectValues') return select.values.length === 1;
  if (!select.from) return true;
  return !select.groupBy && select.columns.some(column => isAggregate(column));
}

/** Whether an aggregate function is called. Calls with OVER and calls in subqueries do not count. */
function isAggregate(column: ResultColumn): boolean {
  return nodesIn(column, ({ type }) => type === 'Select').some(({ node }) => {
    if (node.type !== 'FunctionCallExpr' && node.type !== 'FunctionCallStarExpr') return false;
    const count = node.type === 'FunctionCallExpr' ? (node.args?.length ?? 0) : 0;
    // With several arguments, max() and min() are not aggregates.
    const fits = fittingSignatures(node.name.name, count).some(({ kind }) => kind === 'aggregate');
    return fits && !node.filterOver?.overClause;
  });
}
