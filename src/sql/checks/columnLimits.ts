import type { Expr } from 'sqlite3-parser';
import { statementsWithinBudget } from '../parser/parseBudget.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, withoutParentheses, isFunctionName } from '../parser/walk.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { keyOf } from '../text/names.ts';

interface Bound {
  readonly value: number;
  /** Whether the value itself is not allowed. */
  readonly isOpen: boolean;
}

/** The values that the CHECK constraints of a table allow in a column, as far as they are simple conditions. */
export interface ColumnLimits {
  values?: readonly ConstantValue[];
  min?: Bound;
  max?: Bound;
  minLength?: number;
  maxLength?: number;
  patterns?: readonly { readonly operator: 'like' | 'glob'; readonly text: string }[];
  /** The constants in other conditions. One of them may pass where other values fail. */
  candidates?: readonly ConstantValue[];
}

/** By the key of the column's name. Empty if the statement cannot be read in time. */
export function columnLimits(createTable: string): ReadonlyMap<string, ColumnLimits> {
  const limits = new LimitsReader();
  const [statement = ''] = statementsWithinBudget([createTable]);
  const { ast, fault } = parseStatement(statement);
  if (!ast || fault) return limits.byColumn;
  for (const { node } of nodesIn(ast)) {
    if (node.type === 'CheckColumnConstraint' || node.type === 'CheckTableConstraint') limits.read(node.expr);
  }
  return limits.byColumn;
}

/** Deeper conditions limit nothing. */
const maxDepth = 200;

class LimitsReader {
  readonly byColumn = new Map<string, ColumnLimits>();

  /** Reads a condition that every row must pass. */
  read(expr: Expr, depth = 0): void {
    if (depth > maxDepth) return;
    const plain = withoutParentheses(expr);
    if (plain.type === 'BinaryExpr' && plain.op === 'And') {
      this.read(plain.left, depth + 1);
      this.read(plain.right, depth + 1);
      return;
    }
    const condition = withoutNullTest(plain);
    if (!this.#readSimple(condition)) this.#readCandidates(plain);
  }

  #readSimple(expr: Expr): boolean {
    switch (expr.type) {
      case 'InListExpr': {
        const column = columnOf(expr.lhs);
        const values = expr.rhs?.map(value => constantOf(value)) ?? [];
        if (column === undefined || expr.not || values.some(value => value === undefined)) return false;
        return this.#allow(
          column,
          values.filter(value => value !== undefined),
        );
      }
      case 'BetweenExpr': {
        if (expr.not) return false;
        const isFrom = this.#compare(expr.lhs, 'GreaterEquals', expr.start);
        return this.#compare(expr.lhs, 'LessEquals', expr.end) && isFrom;
      }
      case 'LikeExpr': {
        const column = columnOf(expr.lhs);
        const text = constantOf(expr.rhs);
        const operator = expr.op === 'Like' ? 'like' : expr.op === 'Glob' ? 'glob' : undefined;
        if (column === undefined || typeof text !== 'string' || !operator || expr.not) return false;
        const limits = this.#limitsOf(column);
        limits.patterns = [...(limits.patterns ?? []), { operator, text }];
        return true;
      }
      case 'BinaryExpr':
        if (expr.op === 'Or') return this.#readAlternatives(expr);
        return this.#compare(expr.left, expr.op, expr.right) || this.#compare(expr.right, mirrored[expr.op], expr.left);
      default:
        return false;
    }
  }

  /** `a = 1 OR a = 2` and the like. */
  #readAlternatives(expr: Expr): boolean {
    const values: ConstantValue[] = [];
    const columns = new Set<string>();
    const pending: Expr[] = [expr];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const plain = withoutParentheses(next);
      if (plain.type !== 'BinaryExpr') return false;
      if (plain.op === 'Or') {
        pending.push(plain.right, plain.left);
        continue;
      }
      const column = columnOf(plain.left);
      const value = constantOf(plain.right);
      if ((plain.op !== 'Equals' && plain.op !== 'Is') || column === undefined || value === undefined) return false;
      columns.add(column);
      values.push(value);
    }
    const [column] = columns;
    return column !== undefined && columns.size === 1 && this.#allow(column, values);
  }

  #compare(left: Expr, operator: string | undefined, right: Expr): boolean {
    const value = constantOf(right);
    if (value === undefined || value === null) return false;
    const column = columnOf(left);
    if (column === undefined) return this.#compareLength(left, operator, value);
    if (operator === 'Equals' || operator === 'Is') return this.#allow(column, [value]);
    if (typeof value === 'string') return false;
    const bound = { value: Number(value), isOpen: operator === 'Greater' || operator === 'Less' };
    const limits = this.#limitsOf(column);
    switch (operator) {
      case 'Greater':
      case 'GreaterEquals':
        if (!limits.min || bound.value >= limits.min.value) limits.min = bound;
        return true;
      case 'Less':
      case 'LessEquals':
        if (!limits.max || bound.value <= limits.max.value) limits.max = bound;
        return true;
      default:
        return false;
    }
  }

  #compareLength(left: Expr, operator: string | undefined, value: ConstantValue): boolean {
    const call = withoutParentheses(left);
    if (call.type !== 'FunctionCallExpr' || keyOf(call.name.name) !== 'length') return false;
    const [argument] = call.args ?? [];
    const column = argument && columnOf(argument);
    if (column === undefined || typeof value === 'string') return false;
    const allowed = allowedLengths[operator ?? '']?.(Number(value));
    if (!allowed) return false;
    const limits = this.#limitsOf(column);
    if (allowed.min !== undefined) limits.minLength = Math.max(limits.minLength ?? 0, allowed.min);
    if (allowed.max !== undefined) limits.maxLength = Math.min(limits.maxLength ?? Infinity, allowed.max);
    return true;
  }

  #readCandidates(expr: Expr): void {
    const columns = new Set<string>();
    const constants: ConstantValue[] = [];
    for (const visited of nodesIn(expr, node => constantOf(node as Expr) !== undefined)) {
      const { node } = visited;
      if (isFunctionName(visited)) continue;
      const column = columnOf(node as Expr);
      if (column !== undefined) columns.add(column);
      const value = constantOf(node as Expr);
      if (value !== undefined && value !== null) constants.push(value);
    }
    for (const column of columns) {
      const limits = this.#limitsOf(column);
      limits.candidates = [...(limits.candidates ?? []), ...constants];
    }
  }

  #allow(column: string, values: readonly ConstantValue[]): boolean {
    const limits = this.#limitsOf(column);
    limits.values = limits.values ? limits.values.filter(one => values.some(other => isSame(one, other))) : values;
    return true;
  }

  #limitsOf(column: string): ColumnLimits {
    const present = this.byColumn.get(column) ?? {};
    this.byColumn.set(column, present);
    return present;
  }
}

/** The lengths that a comparison with a number allows. */
const allowedLengths: Readonly<Record<string, (length: number) => { min?: number; max?: number }>> = {
  Greater: length => ({ min: Math.floor(length) + 1 }),
  GreaterEquals: length => ({ min: Math.ceil(length) }),
  Less: length => ({ max: Math.ceil(length) - 1 }),
  LessEquals: length => ({ max: Math.floor(length) }),
  Equals: length => ({ min: length, max: length }),
  Is: length => ({ min: length, max: length }),
};

const mirrored: Readonly<Record<string, string | undefined>> = {
  Greater: 'Less',
  GreaterEquals: 'LessEquals',
  Less: 'Greater',
  LessEquals: 'GreaterEquals',
  Equals: 'Equals',
  Is: 'Is',
};

/** Strips the test for NULL from `a IS NULL OR condition`. */
function withoutNullTest(expr: Expr): Expr {
  if (expr.type !== 'BinaryExpr' || expr.op !== 'Or') return expr;
  if (isNullTest(expr.left)) return withoutParentheses(expr.right);
  return isNullTest(expr.right) ? withoutParentheses(expr.left) : expr;
}

function isNullTest(expr: Expr): boolean {
  const plain = withoutParentheses(expr);
  if (plain.type === 'BinaryExpr') return plain.op === 'Is' && plain.right.type === 'NullLiteral';
  return plain.type === 'IsNullExpr';
}

const isSame = (one: ConstantValue, other: ConstantValue): boolean => String(one) === String(other);

/** The key of the column. Undefined for every other expression. */
function columnOf(expr: Expr): string | undefined {
  const reference = columnReferenceOf(withoutParentheses(expr));
  return reference && keyOf(reference.name);
}

/** A constant of SQL. An integer is a bigint. */
type ConstantValue = null | bigint | number | string;

/** People write one sign and one pair of parentheses. */
const maxConstantDepth = 10;

/** The value of a literal, perhaps with a sign. Undefined for every other expression. */
function constantOf(expr: Expr, depth = 0): ConstantValue | undefined {
  if (depth > maxConstantDepth) return undefined;
  switch (expr.type) {
    case 'NumericLiteral':
      return numberOf(expr.value);
    case 'StringLiteral':
      return expr.value;
    case 'NullLiteral':
      return null;
    case 'UnaryExpr': {
      const value = constantOf(expr.expr, depth + 1);
      if (expr.op === 'Positive') return value;
      if (expr.op !== 'Negative' || (typeof value !== 'bigint' && typeof value !== 'number')) return undefined;
      return -value;
    }
    case 'ParenthesizedExpr':
      return expr.exprs.length === 1 ? constantOf(expr.exprs[0]!, depth + 1) : undefined;
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
