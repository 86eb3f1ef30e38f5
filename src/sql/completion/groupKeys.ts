import type { AstNode, Expr, ResultColumn, SelectFrom } from 'sqlite3-parser';
import { argumentCounts, builtInFunction } from '../functions/builtInFunctions.ts';
import { type Visited, walk } from '../parser/walk.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { CursorContext } from './cursorContext.ts';
import type { Proposals } from './proposals.ts';

/** A longer expression is proposed by its alias only. */
const maxExpressionLength = 60;

/** Proposes to group by the results without aggregates: all of them at once, and each. Call it after other names are proposed. */
export function proposeGroupKeys(proposals: Proposals, name: Visited, { markedText }: CursorContext): void {
  const query = name.parent?.node;
  if (query?.type !== 'SelectFrom' || !query.groupBy?.some(key => key === name.node)) return;
  const textOf = ({ span }: Expr): string => markedText.slice(span.offset, span.offset + span.length);
  const listed = new Set(query.groupBy.map(key => keyOf(textOf(key))));
  const keys = groupKeys(query, textOf).filter(key => !listed.has(keyOf(key)));
  if (keys.length > 1) proposals.addText('expression', keys.join(', '), 'join');
  for (const key of keys) {
    if (!proposals.promoteRelated(key)) proposals.addText('expression', key, 'related');
  }
}

function groupKeys(query: SelectFrom, textOf: (expr: Expr) => string): string[] {
  const keys = query.columns.map(column => groupKey(column, textOf)).filter(key => key !== undefined);
  return [...new Set(keys)];
}

function groupKey(column: ResultColumn, textOf: (expr: Expr) => string): string | undefined {
  if (column.type !== 'ExprResultColumn' || !dependsOnOneRow(column.expr)) return undefined;
  const { expr, alias } = column;
  if (alias && !columnTypes.has(expr.type)) return quoteIdentifierIfNeeded(alias.name.text);
  const text = textOf(expr);
  return text === '' || text.length > maxExpressionLength || text.includes('\n') ? undefined : text;
}

const columnTypes: ReadonlySet<AstNode['type']> = new Set(['Id', 'NameExpr', 'QualifiedExpr']);

/** Whether an expression reads columns and has no aggregate and no window function. */
function dependsOnOneRow(expr: Expr): boolean {
  let readsColumn = false;
  let hasAggregate = false;
  walk(expr, ({ node, parent }) => {
    if (node.type === 'FunctionCallStarExpr') hasAggregate = true;
    if (node.type === 'FunctionCallExpr' && isAggregate(node.name.name, node.args?.length ?? 0)) hasAggregate = true;
    const isFunctionName = parent?.node.type === 'FunctionCallExpr' && parent.node.name === node;
    if (columnTypes.has(node.type) && !isFunctionName) readsColumn = true;
    return !hasAggregate && node.type !== 'Select';
  });
  return readsColumn && !hasAggregate;
}

function isAggregate(name: string, argumentCount: number): boolean {
  const signatures = builtInFunction(name)?.signatures ?? [];
  return signatures.some(signature => {
    const [min, max] = argumentCounts(signature);
    const fits = argumentCount >= min && argumentCount <= max;
    return fits && (signature.kind === 'aggregate' || signature.kind === 'window');
  });
}
