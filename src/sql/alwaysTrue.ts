import type { Expr } from 'sqlite3-parser';

/**
 * Whether a condition holds for every row by what it says itself, such as `1 = 1` or `id = id`: it bounds nothing. What
 * compares a column with itself leaves out NULL, and whoever writes that means all rows.
 */
export function isAlwaysTrue(condition: Expr): boolean {
  switch (condition.type) {
    case 'NumericLiteral':
      return Number(condition.value) !== 0;
    case 'Id':
      return condition.name.toLowerCase() === 'true';
    case 'ParenthesizedExpr':
      return isGroup(condition.exprs) && isAlwaysTrue(condition.exprs[0]);
    case 'UnaryExpr':
      return condition.op === 'Not' ? isAlwaysFalse(condition.expr) : isAlwaysTrue(condition.expr);
    case 'BinaryExpr': {
      const { op, left, right } = condition;
      if (op === 'And') return isAlwaysTrue(left) && isAlwaysTrue(right);
      if (op === 'Or') return isAlwaysTrue(left) || isAlwaysTrue(right);
      return compares(op, left, right);
    }
    default:
      return false;
  }
}

function isAlwaysFalse(condition: Expr): boolean {
  if (condition.type === 'NumericLiteral') return Number(condition.value) === 0;
  if (condition.type === 'Id') return condition.name.toLowerCase() === 'false';
  return condition.type === 'ParenthesizedExpr' && isGroup(condition.exprs) && isAlwaysFalse(condition.exprs[0]);
}

const isGroup = (exprs: readonly Expr[]): exprs is readonly [Expr] => exprs.length === 1;

const same: ReadonlySet<string> = new Set(['Equals', 'Is', 'LessEquals', 'GreaterEquals']);
const different: ReadonlySet<string> = new Set(['NotEquals', 'IsNot']);

function compares(operator: string, left: Expr, right: Expr): boolean {
  const [one, other] = [termOf(left), termOf(right)];
  if (one === undefined || other === undefined || one.type !== other.type) return false;
  if (same.has(operator)) return one.value === other.value;
  return different.has(operator) && one.type !== 'name' && one.value !== other.value;
}

/** What two sides of a comparison are told apart by; undefined for what takes more than reading. */
function termOf(side: Expr): { readonly type: string; readonly value: string | number } | undefined {
  if (side.type === 'NumericLiteral') return { type: 'number', value: Number(side.value) };
  if (side.type === 'StringLiteral') return { type: 'text', value: side.value };
  return side.type === 'Id' ? { type: 'name', value: side.name.toLowerCase() } : undefined;
}
