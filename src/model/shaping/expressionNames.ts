import { rangeOf } from '../../sql/parser/nodeRange.ts';
import { parseStatement } from '../../sql/parser/parser.ts';
import { nodesIn } from '../../sql/parser/walk.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteLike } from '../../sql/text/quoting.ts';
import type { TextRange } from '../../sql/text/textRange.ts';

type Tree = Parameters<typeof nodesIn>[0];

interface NameChange {
  readonly table: string;
  readonly newTable?: string;
  readonly column?: string;
  readonly newColumn?: string;
}

/** An expression with the new name of its table or of a column. Any other text stays as it is. */
export function renameInExpression(expression: string, change: NameChange): string {
  const parsed = parseExpression(expression);
  if (!parsed) return expression;
  const edits: { readonly range: TextRange; readonly name: string }[] = [];
  const isColumn = (name: string): boolean => change.column !== undefined && isSameName(name, change.column);
  for (const { node, parent } of nodesIn(parsed.expr)) {
    if (node.type === 'Id' && isColumn(node.name) && !isFunctionName(node, parent?.node)) {
      if (change.newColumn !== undefined) edits.push({ range: rangeOf(node), name: change.newColumn });
    }
    if (node.type === 'QualifiedExpr' && isSameName(node.table.text, change.table)) {
      if (change.newTable !== undefined) edits.push({ range: rangeOf(node.table), name: change.newTable });
      if (change.newColumn !== undefined && isColumn(node.column.text)) {
        edits.push({ range: rangeOf(node.column), name: change.newColumn });
      }
    }
  }
  let text = parsed.text;
  for (const { range, name } of edits.toSorted((a, b) => b.range.start - a.range.start)) {
    text = text.slice(0, range.start) + quoteLike(name, text.slice(range.start, range.end)) + text.slice(range.end);
  }
  return text.slice(before.length, -after.length);
}

/** Whether a text is one SQL expression that a table or an index may have. */
export const isExpression = (text: string): boolean => parseExpression(text) !== undefined;

const before = 'SELECT (';
/** The line break ends a comment at the end of the expression. */
const after = '\n)';

function parseExpression(expression: string): { readonly text: string; readonly expr: Tree } | undefined {
  const text = before + expression + after;
  const { ast, fault } = parseStatement(text);
  if (fault || ast?.type !== 'SelectStmt') return undefined;
  const { select } = ast.body;
  if (select.type !== 'SelectFrom') return undefined;
  const [column, ...others] = select.columns;
  if (column?.type !== 'ExprResultColumn' || others.length > 0 || column.alias) return undefined;
  const { expr } = column;
  // Parentheses of the text must not close the added one: `1) + (2` is not an expression.
  const isWhole = expr.type === 'ParenthesizedExpr' && rangeOf(expr).end === text.length;
  return isWhole && expr.exprs.length === 1 ? { text, expr: expr.exprs[0]! } : undefined;
}

const isFunctionName = (node: object, parent: object | undefined): boolean =>
  parent !== undefined && 'name' in parent && parent.name === node;
