import type { Expr } from 'sqlite3-parser';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { isSameName } from '../text/names.ts';
import { sqlLiteral } from '../text/quoting.ts';

/** A longer list is no choice for people. */
const maxValues = 100;

/** The literals of `column IN (…)` in a CHECK, which may also allow NULL with OR. */
export function listedValuesOf(column: string, checks: readonly Expr[]): readonly string[] | undefined {
  const pending = [...checks];
  for (let check = pending.pop(); check; check = pending.pop()) {
    if (check.type === 'BinaryExpr' && check.op === 'Or') pending.push(check.left, check.right);
    else if (check.type === 'ParenthesizedExpr') pending.push(...check.exprs);
    if (check.type !== 'InListExpr' || check.not) continue;
    const literals = check.rhs?.slice(0, maxValues + 1).map(literalOf) ?? [];
    const isList = literals.length <= maxValues && literals.every(literal => literal !== undefined);
    if (isList && isSameName(columnReferenceOf(check.lhs)?.name ?? '', column)) return literals;
  }
  return undefined;
}

function literalOf(value: Expr): string | undefined {
  if (value.type === 'StringLiteral') return sqlLiteral(value.value);
  return value.type === 'NumericLiteral' ? value.value : undefined;
}
