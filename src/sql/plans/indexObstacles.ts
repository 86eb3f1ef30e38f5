import type { AstNode, Expr } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn, type Visited } from '../parser/walk.ts';
import { type ColumnReference, columnReferenceOf } from '../scope/columnReference.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifier, sqlLiteral } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { equalOperators, rangeOperators } from './indexCandidates.ts';
import { type PlanLine, type PlanRead, planReadOf } from './planRead.ts';

/** Why SQLite cannot use an index for a condition. */
type ObstacleKind = 'expression' | 'collation' | 'affinity' | 'like' | 'or';

/** A statement without a part of a condition. It has other rows, but its plan shows whether there is an index for the rest. */
interface ChangedStatement {
  readonly sql: string;
  /** The columns that an index would find. */
  readonly columns: readonly ColumnReference[];
}

/** A condition that may keep SQLite from using an index. */
interface IndexObstacle extends TextRange {
  readonly kind: ObstacleKind;
  readonly changed: ChangedStatement;
  /** The other parts of OR. */
  readonly others?: readonly ChangedStatement[];
}

/** Each costs SQLite a plan. */
const maxObstacles = 60;
const maxNodes = 20_000;
const maxOperandNodes = 100;
const maxParts = 10;

/** The conditions of a statement that may keep SQLite from using an index. Only its plans know whether they do. */
export const indexObstacles = (statement: string): IndexObstacle[] => [...obstaclesIn(statement).take(maxObstacles)];

function* obstaclesIn(statement: string): Generator<IndexObstacle> {
  const { ast } = parseStatement(statement);
  const textOf = (node: AstNode): string => statement.slice(rangeOf(node).start, rangeOf(node).end);
  const changedTo = (replaced: AstNode, text: string, operand: AstNode): ChangedStatement => {
    const { start, end } = rangeOf(replaced);
    return { sql: `${statement.slice(0, start)} ${text} ${statement.slice(end)}`, columns: columnsIn(operand) };
  };
  for (const visited of ast ? nodesIn(ast).take(maxNodes) : []) {
    const { node } = visited;
    const { start, end } = rangeOf(node);
    if (isWholeOr(visited)) {
      const parts = nodesIn(node, inner => !isOr(inner)).filter(part => !isOr(part.node));
      const changes = [...parts.take(maxParts)].map(({ node: part }) => changedTo(node, `(${textOf(part)})`, part));
      for (const changed of changes) {
        yield { kind: 'or', start, end, changed, others: changes.filter(other => other !== changed) };
      }
    }
    if (node.type === 'LikeExpr' && node.op === 'Like' && !node.not && node.rhs.type === 'StringLiteral') {
      const [prefix] = /^[^%_*?[]*/.exec(node.rhs.value)!;
      const text = `${textOf(node.lhs)} GLOB ${sqlLiteral(`${prefix}*`)}`;
      if (prefix !== '' && !node.escape) yield { kind: 'like', start, end, changed: changedTo(node, text, node.lhs) };
    }
    const operands = operandsOf(node);
    for (const operand of operands) {
      const other = operands.find(side => side !== operand) ?? operand;
      const text = textOf(operand);
      const changes: [ObstacleKind, string, AstNode][] = [];
      if (operand.type === 'CollateExpr') changes.push(['collation', textOf(operand.expr), node]);
      else if (columnReferenceOf(operand)) {
        for (const name of ['BINARY', 'NOCASE']) changes.push(['collation', `${text} COLLATE ${name}`, operand]);
      } else {
        for (const { node: inner } of nodesIn(operand, isQuery).take(maxOperandNodes)) {
          if (columnReferenceOf(inner)) changes.push(['expression', textOf(inner), inner]);
        }
      }
      const hasAffinity = columnReferenceOf(operand) || operand.type === 'CastExpr';
      if (hasAffinity && other !== operand) changes.push(['affinity', `+${text}`, other]);
      for (const [kind, replacement, side] of changes) {
        yield { kind, start, end, changed: changedTo(operand, replacement, side) };
      }
    }
  }
}

const isQuery = ({ type }: AstNode): boolean => type === 'Select';

/** HAVING compares groups, which no index finds. */
function isWholeOr({ node, parent }: Visited): boolean {
  if (!isOr(node) || (parent && isOr(parent.node))) return false;
  return !(parent?.node.type === 'SelectFrom' && parent.node.having === node);
}

const isOr = (node: AstNode): boolean => node.type === 'BinaryExpr' && node.op === 'Or';

const columnsIn = (node: AstNode): ColumnReference[] =>
  [...nodesIn(node, isQuery).take(maxOperandNodes)].flatMap(inner => columnReferenceOf(inner.node) ?? []);

/** The sides of a condition that SQLite can look up in an index. */
function operandsOf(node: AstNode): readonly Expr[] {
  switch (node.type) {
    case 'BinaryExpr':
      return equalOperators.has(node.op) || rangeOperators.has(node.op) ? [node.left, node.right] : [];
    case 'InListExpr':
    case 'InSelectExpr':
    case 'InTableExpr':
    case 'BetweenExpr':
      return [node.lhs];
    case 'IsNullExpr':
      return [node.expr];
    default:
      return [];
  }
}

/** The statement with an index that SQLite must use for a table, if the table has a place for it. */
export function withIndex(statement: string, table: string, index: string): string | undefined {
  const { ast } = parseStatement(statement);
  for (const { node } of ast ? nodesIn(ast) : []) {
    if (node.type !== 'TableSelectTable') continue;
    const name = node.alias?.name ?? node.tblName.objName;
    if (!isSameName(name.text, table)) continue;
    const { end } = rangeOf(name);
    return `${statement.slice(0, end)} INDEXED BY ${quoteIdentifier(index)} ${statement.slice(end)}`;
  }
  return undefined;
}

/** The lines of a plan that look up one of the columns. `index` is undefined for the primary key. */
export function lookupsIn(plan: readonly PlanLine[], columns: readonly ColumnReference[]): PlanRead[] {
  return plan.flatMap(({ detail }) => {
    const read = planReadOf(detail);
    const terms = keyOf(read?.terms ?? '').replace('(', ' ');
    const isLookup = columns.some(({ qualifier, name }) => {
      const term = read?.way === 'rowid' ? 'rowid' : keyOf(name);
      const isOfTable = qualifier === undefined || isSameName(qualifier, read?.name ?? '');
      return isOfTable && ['=', '<', '>'].some(operator => terms.includes(` ${term}${operator}`));
    });
    return read && isLookup ? [read] : [];
  });
}
