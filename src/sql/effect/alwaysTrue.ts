import type { BinaryExpr, Expr } from 'sqlite3-parser';
import { keyOf } from '../text/names.ts';

/** SQLite refuses deeper expressions unless it was built to accept them. */
const maxDepth = 1000;

/**
 * Whether a condition holds for every row by its text alone, such as `1 = 1` or `id = id`. Such a condition bounds nothing.
 * Comparing a column with itself excludes NULL, but its author means all rows.
 */
export const isAlwaysTrue = (condition: Expr): boolean => truthOf(condition, maxDepth) === true;

/** Undefined when rows differ, or when the text alone does not decide. */
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
      return isSingle(condition.exprs) ? truthOf(condition.exprs[0], depth - 1) : undefined;
    case 'UnaryExpr': {
      const truth = truthOf(condition.expr, depth - 1);
      if (condition.op === 'BitwiseNot' || truth === undefined) return undefined;
      return condition.op === 'Not' ? !truth : truth;
    }
    case 'BinaryExpr':
      return condition.op === 'And' || condition.op === 'Or'
        ? truthOfJunction(condition, depth)
        : comparison(condition);
    default:
      return undefined;
  }
}

/** One false operand decides an AND, one true operand decides an OR. */
function truthOfJunction({ op, left, right }: BinaryExpr, depth: number): boolean | undefined {
  const deciding = op === 'Or';
  const rightTruth = truthOf(right, depth - 1);
  if (rightTruth === deciding) return deciding;
  const leftTruth = truthOf(left, depth - 1);
  return leftTruth === deciding || rightTruth !== undefined ? leftTruth : undefined;
}

const isSingle = (exprs: readonly Expr[]): exprs is readonly [Expr] => exprs.length === 1;

const numberOf = (literal: string): number => Number(literal.replaceAll('_', ''));

type TermValue = string | number;

const comparisons: Readonly<Partial<Record<BinaryExpr['op'], (left: TermValue, right: TermValue) => boolean>>> = {
  Equals: (left, right) => left === right,
  Is: (left, right) => left === right,
  NotEquals: (left, right) => left !== right,
  IsNot: (left, right) => left !== right,
  Less: (left, right) => left < right,
  LessEquals: (left, right) => left <= right,
  Greater: (left, right) => left > right,
  GreaterEquals: (left, right) => left >= right,
};

function comparison({ op, left, right }: BinaryExpr): boolean | undefined {
  const leftTerm = termOf(left);
  const rightTerm = termOf(right);
  if (leftTerm === undefined || rightTerm === undefined || leftTerm.type !== rightTerm.type) return undefined;
  const isSame = leftTerm.value === rightTerm.value;
  // Two columns, and two texts that a collation orders, can only be known to be the same.
  if (!isSame && (leftTerm.type === 'name' || (leftTerm.type === 'text' && /Less|Greater/.test(op)))) return undefined;
  return comparisons[op]?.(leftTerm.value, rightTerm.value);
}

/** The value of one side of a comparison. Undefined when the text alone does not show it. */
function termOf(side: Expr): { readonly type: string; readonly value: TermValue } | undefined {
  switch (side.type) {
    case 'NumericLiteral':
      return { type: 'number', value: numberOf(side.value) };
    case 'StringLiteral':
      return { type: 'text', value: side.value };
    case 'Id':
      return { type: 'name', value: keyOf(side.name) };
    case 'QualifiedExpr': {
      const { schema, table, column } = side;
      return { type: 'name', value: [schema, table, column].map(part => part && keyOf(part.text)).join('\0') };
    }
    default:
      return undefined;
  }
}
