import type { Expr } from 'sqlite3-parser';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { keyOf } from '../text/names.ts';
import { sqlLiteral } from '../text/quoting.ts';

/** A longer list is no choice for people. */
const maxValues = 100;

/** A short text in one line. A list with another value is no choice for people. */
const shortText = /^.{1,80}$/;

/** The literals of each `column IN (…)` in CHECKs, by the key of the column's name. Other conditions may stand beside them. */
export function listedValues(checks: readonly Expr[]): ReadonlyMap<string, readonly string[]> {
  const byColumn = new Map<string, Set<string>>();
  const pending = checks.toReversed();
  for (let check = pending.pop(); check; check = pending.pop()) {
    if (check.type === 'BinaryExpr' && (check.op === 'Or' || check.op === 'And')) pending.push(check.right, check.left);
    else if (check.type === 'ParenthesizedExpr') pending.push(...check.exprs);
    if (check.type !== 'InListExpr' || check.not) continue;
    const column = columnReferenceOf(check.lhs)?.name;
    const literals = check.rhs?.slice(0, maxValues + 1).map(literalOf) ?? [];
    if (column === undefined || literals.length > maxValues) continue;
    const values = byColumn.get(keyOf(column)) ?? new Set();
    byColumn.set(keyOf(column), values);
    for (const literal of literals) values.add(literal ?? '');
  }
  const lists = [...byColumn].map(([column, values]) => [column, [...values]] as const);
  return new Map(
    lists.filter(([, values]) => values.length <= maxValues && values.every(value => shortText.test(value))),
  );
}

function literalOf(value: Expr): string | undefined {
  if (value.type === 'StringLiteral') return sqlLiteral(value.value);
  return value.type === 'NumericLiteral' ? value.value : undefined;
}
