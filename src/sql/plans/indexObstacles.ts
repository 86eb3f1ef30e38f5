import type { AstNode, Expr } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn } from '../parser/walk.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { sqlLiteral } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { equalOperators, rangeOperators } from './indexCandidates.ts';

/** Why SQLite cannot use an index for a condition. */
type ObstacleKind = 'expression' | 'collation' | 'affinity' | 'like' | 'or';

/** A condition that may keep SQLite from using an index. */
interface IndexObstacle extends TextRange {
  readonly kind: ObstacleKind;
  /** The statement without the obstacle. It has other rows, but its plan shows whether there is an index for it. */
  readonly changed: string;
}

/** Each costs SQLite a plan. */
const maxObstacles = 60;

/** The conditions of a statement that may keep SQLite from using an index. Only its plans know whether they do. */
export const indexObstacles = (statement: string): IndexObstacle[] => [...obstaclesIn(statement).take(maxObstacles)];

function* obstaclesIn(statement: string): Generator<IndexObstacle> {
  const { ast } = parseStatement(statement);
  const textOf = (node: AstNode): string => statement.slice(rangeOf(node).start, rangeOf(node).end);
  for (const { node, parent } of ast ? nodesIn(ast) : []) {
    const obstacle = (kind: ObstacleKind, part: AstNode, text: string): IndexObstacle => {
      const { start, end } = rangeOf(part);
      return { ...rangeOf(node), kind, changed: statement.slice(0, start) + text + statement.slice(end) };
    };
    if (isOr(node) && !(parent && isOr(parent.node))) {
      for (const { node: part } of nodesIn(node, inner => !isOr(inner))) {
        if (!isOr(part)) yield obstacle('or', node, `(${textOf(part)})`);
      }
    }
    if (node.type === 'LikeExpr' && node.op === 'Like' && !node.not && node.rhs.type === 'StringLiteral') {
      const [prefix] = /^[^%_*?[]*/.exec(node.rhs.value)!;
      if (prefix !== '' && !node.escape)
        yield obstacle('like', node, `${textOf(node.lhs)} GLOB ${sqlLiteral(`${prefix}*`)}`);
    }
    const operands = operandsOf(node);
    for (const operand of operands) {
      if (operand.type === 'CollateExpr') yield obstacle('collation', operand, textOf(operand.expr));
      else if (columnReferenceOf(operand)) {
        for (const collation of ['BINARY', 'NOCASE'])
          yield obstacle('collation', operand, `${textOf(operand)} COLLATE ${collation}`);
        if (operands.length > 1) yield obstacle('affinity', operand, `+${textOf(operand)}`);
      } else {
        if (operand.type === 'CastExpr') yield obstacle('affinity', operand, `+${textOf(operand)}`);
        for (const { node: inner } of nodesIn(operand))
          if (columnReferenceOf(inner)) yield obstacle('expression', operand, textOf(inner));
      }
    }
  }
}

const isOr = (node: AstNode): boolean => node.type === 'BinaryExpr' && node.op === 'Or';

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
