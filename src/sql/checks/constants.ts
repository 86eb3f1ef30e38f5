import type { Expr } from 'sqlite3-parser';

/** A constant of SQL. An integer is a bigint. */
export type ConstantValue = null | bigint | number | string;

/** The value of a literal, with its sign. Undefined for every other expression. */
export function constantOf(expr: Expr): ConstantValue | undefined {
  switch (expr.type) {
    case 'NumericLiteral':
      return numberOf(expr.value);
    case 'StringLiteral':
      return expr.value;
    case 'NullLiteral':
      return null;
    case 'UnaryExpr': {
      const value = constantOf(expr.expr);
      if (expr.op === 'Positive') return value;
      if (expr.op !== 'Negative' || (typeof value !== 'bigint' && typeof value !== 'number')) return undefined;
      return -value;
    }
    case 'ParenthesizedExpr':
      return expr.exprs.length === 1 ? constantOf(expr.exprs[0]!) : undefined;
    default:
      return undefined;
  }
}

function numberOf(text: string): bigint | number | undefined {
  const digits = text.replaceAll('_', '');
  if (/^\d+$/.test(digits) || /^0x[\da-f]+$/i.test(digits)) {
    const integer = BigInt(digits);
    return BigInt.asIntN(64, integer) === integer ? integer : Number(integer);
  }
  const number = Number(digits);
  return Number.isNaN(number) ? undefined : number;
}
