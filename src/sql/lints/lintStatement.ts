import type { AstNode } from 'sqlite3-parser';
import type { ParsedStatement } from '../parser/parser.ts';
import { type Visited, walk } from '../parser/walk.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { lintUnusedCommonTables } from './commonTableLints.ts';
import { lintComparison, lintListComparison, lintRangeComparison } from './comparisonLints.ts';
import { lintEffect } from './effectLints.ts';
import { lintJoins } from './joinLints.ts';
import { lintLimit } from './limitLints.ts';
import type { Lint } from './lint.ts';
import { LintContext } from './lintContext.ts';
import { lintElidedAlias, lintResultNames, lintViewColumns } from './resultLints.ts';

/** A longer statement is data rather than code. */
const maxLength = 256 * 1024;

type NodeRule = (visited: Visited, context: LintContext) => void;

const rulesByNode: Partial<Record<AstNode['type'], NodeRule>> = {
  BinaryExpr: lintComparison,
  BetweenExpr: lintRangeComparison,
  InListExpr: lintListComparison,
  ExprResultColumn: lintElidedAlias,
  Select: lintLimit,
  SelectFrom: lintJoins,
  UpdateStmt: lintJoins,
};

/** The lints of a statement with valid syntax, in the order of the text. There are none if it is invalid. */
export function lintStatement(statement: {
  readonly text: string;
  readonly parsed: ParsedStatement;
  readonly schema: TableLookup;
}): Lint[] {
  const { text, parsed, schema } = statement;
  const { ast, fault, tokens } = parsed;
  if (!ast || fault || text.length > maxLength) return [];
  const context = new LintContext(text, tokens, schema);
  lintEffect(ast, context);
  lintViewColumns(ast, context);
  lintResultNames(ast, context);
  lintUnusedCommonTables(ast, context);
  walk(ast, visited => {
    rulesByNode[visited.node.type]?.(visited, context);
    return true;
  });
  return context.lints.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
