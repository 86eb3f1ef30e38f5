import type { BinaryExpr, Expr } from 'sqlite3-parser';

/** How deep a condition is read. SQLite takes no deeper ones, unless it was built to. */
const deepest = 1000;

/**
 * Whether a condition holds for every row by what it says itself, such as `1 = 1` or `id = id`: it bounds nothing. What
 * compares a column with itself leaves out NULL, and whoever writes that means all rows.
 */
export const isAlwaysTrue = (condition: Expr): boolean => truthOf(condition, deepest) === true;

/** Undefined where it is not the same for every row, or takes more than reading. */
function truthOf(condition: Expr, depth: number): boolean | undefined {
  if (depth === 0) return undefined;
  switch (condition.type) {
    case 'NumericLiteral':
      return numberOf(condition.value) !== 0;
    case 'StringLiteral':
      return (Number.parseFloat(condition.value) || 0) !== 0;
    case 'Id':
      return /^(?:true|false)$/i.test(condition.name) ? condition.name.toLowerCase() === 'true' : undefined;
    case 'ParenthesizedExpr':
      return isGroup(condition.exprs) ? truthOf(condition.exprs[0], depth - 1) : undefined;
    case 'UnaryExpr': {
      const truth = truthOf(condition.expr, depth - 1);
      if (condition.op === 'BitwiseNot' || truth === undefined) return undefined;
      return condition.op === 'Not' ? !truth : truth;
    }
    case 'BinaryExpr':
      return condition.op === 'And' || condition.op === 'Or' ? joined(condition, depth) : compared(condition);
    default:
      return undefined;
  }
}

/** One side settles an AND when it is false, and an OR when it is true. */
function joined({ op, left, right }: BinaryExpr, depth: number): boolean | undefined {
  const settles = op === 'Or';
  const last = truthOf(right, depth - 1);
  if (last === settles) return settles;
  const first = truthOf(left, depth - 1);
  return first === settles || last !== undefined ? first : undefined;
}

const isGroup = (exprs: readonly Expr[]): exprs is readonly [Expr] => exprs.length === 1;

const numberOf = (literal: string): number => Number(literal.replaceAll('_', ''));

function compared({ op, left, right }: BinaryExpr): boolean | undefined {
  const [one, other] = [termOf(left), termOf(right)];
  if (one === undefined || other === undefined || one.type !== other.type) return undefined;
  const same = one.value === other.value;
  // Of two columns, and of two texts that are ordered by a collation, no more is known than that they are the same.
  if (!same && (one.type === 'name' || (one.type === 'text' && /Less|Greater/.test(op)))) return undefined;
  switch (op) {
    case 'Equals':
    case 'Is':
      return same;
    case 'NotEquals':
    case 'IsNot':
      return !same;
    case 'Less':
      return one.value < other.value;
    case 'LessEquals':
      return one.value <= other.value;
    case 'Greater':
      return one.value > other.value;
    case 'GreaterEquals':
      return one.value >= other.value;
    default:
      return undefined;
  }
}

/** What two sides of a comparison are told apart by; undefined for what takes more than reading. */
function termOf(side: Expr): { readonly type: string; readonly value: string | number } | undefined {
  switch (side.type) {
    case 'NumericLiteral':
      return { type: 'number', value: numberOf(side.value) };
    case 'StringLiteral':
      return { type: 'text', value: side.value };
    case 'Id':
      return { type: 'name', value: side.name.toLowerCase() };
    case 'QualifiedExpr': {
      const { schema, table, column } = side;
      return { type: 'name', value: [schema, table, column].map(part => part?.text.toLowerCase()).join('\0') };
    }
    default:
      return undefined;
  }
}
