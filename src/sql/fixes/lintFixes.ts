import type {
  BinaryExpr,
  CommonTableExpr,
  Expr,
  JoinedSelectTable,
  SelectFrom,
  DeleteStmt,
  UpdateStmt,
} from 'sqlite3-parser';
import { isNull } from '../lints/comparisonLints.ts';
import { innermostNode, rangeOf, rangeOfResult, rangeOfTable } from '../parser/nodeRange.ts';
import { findNode, nodeOfTypeAround } from '../parser/walk.ts';
import { columnReferenceOf } from '../scope/columnReference.ts';
import { joinConditions } from '../scope/foreignKeys.ts';
import { joinSides, sourcesOf } from '../scope/query.ts';
import { freeName } from '../text/freeNames.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { type Finding, type Fix, type FixContext, type FixesByCode, insertion, quickFix, replacement } from './fix.ts';
import { expansionOf } from './starExpansion.ts';

export const lintFixes: FixesByCode = {
  missing_where: whereFixes,
  equals_null: nullFixes,
  never_matches: truthFixes,
  missing_comma: commaFixes,
  implicit_cross_join: joinFixes,
  duplicate_result_columns: aliasFixes,
  star_in_view: expansionFixes,
  limit_without_order: orderFixes,
  unused_common_table: removalFixes,
};

function nullFixes(finding: Finding, context: FixContext): Fix[] {
  const comparison: BinaryExpr | undefined = nodeOfTypeAround(innermostNode(context.tree, finding), 'BinaryExpr')?.node;
  if (!comparison) return [];
  const test = comparison.op === 'Equals' ? 'IS NULL' : 'IS NOT NULL';
  const isOnRight = isNull(comparison.right);
  const operand = isOnRight ? comparison.left : comparison.right;
  const { start, end } = rangeOf(operand);
  const removed = isOnRight ? { start: end, end: finding.end } : { start: finding.start, end: start };
  if (/--|\/\*/.test(context.text.slice(removed.start, removed.end))) return [];
  const [open, close] = !isOnRight && endsInNot(operand) ? ['(', ')'] : ['', ''];
  const edits = isOnRight
    ? [replacement(removed, ` ${test}`)]
    : [replacement(removed, open), insertion(end, `${close} ${test}`)];
  return [quickFix(finding, `Change to ${test}`, edits, true)];
}

/** Whether an expression ends with a NOT. A test such as IS NULL after it would belong to the operand of the NOT. */
function endsInNot(expression: Expr): boolean {
  let last = expression;
  while (last.type === 'BinaryExpr' || (last.type === 'UnaryExpr' && last.op !== 'Not')) {
    last = last.type === 'BinaryExpr' ? last.right : last.expr;
  }
  return last.type === 'UnaryExpr';
}

/** Offers TRUE for the text 'true', where the lint says so. */
function truthFixes(finding: Finding): Fix[] {
  const word = /Compare it with (TRUE|FALSE)\.$/.exec(finding.message)?.[1];
  return word === undefined ? [] : [quickFix(finding, `Change to ${word}`, [replacement(finding, word)])];
}

function commaFixes(finding: Finding, { text }: FixContext): Fix[] {
  const end = text.slice(0, finding.start).trimEnd().length;
  // A comment between the column and its alias would swallow the comma.
  const isApart = /^\s*$/.test(text.slice(end, finding.start)) && !/(?:--|\*\/)/.test(lineBefore(text, end));
  const asFix = quickFix(finding, 'Insert AS', [insertion(finding.start, 'AS ')]);
  if (!isApart) return [asFix];
  return [quickFix(finding, 'Insert the comma', [insertion(end, ',')], true), asFix];
}

const lineBefore = (text: string, end: number): string => text.slice(text.lastIndexOf('\n', end - 1) + 1, end);

function joinFixes(finding: Finding, context: FixContext): Fix[] {
  const { schema, scopes, tree } = context;
  const isUnconditional = ({ table, constraint }: JoinedSelectTable): boolean =>
    !constraint && rangeOfTable(table).start === finding.start;
  const from = findNode(tree, 'FromClause', ({ joins }) => joins?.some(isUnconditional) ?? false);
  const join = from?.node.joins?.find(isUnconditional);
  if (!from || !join) return [];
  const { operator, table } = join;
  const range = rangeOf(operator);
  const isComma = operator.type === 'CommaJoinOperator';
  const { before, joined } = joinSides(from.node, join, scopes.at(from).names);
  const conditions = joined.flatMap(source => joinConditions(source, before, { schema }));
  const fixes = conditions.map((condition, index) => {
    const keyword = isComma ? [replacement(range, ' JOIN')] : [];
    const edits = [...keyword, insertion(rangeOf(table).end, ` ON ${condition}`)];
    return quickFix(finding, `Insert ON ${condition}`, edits, index === 0);
  });
  const isPlain = /^(?:inner\s+)?join$/i.test(context.text.slice(range.start, range.end));
  if (isComma || isPlain) {
    const keyword = isComma ? ' CROSS JOIN' : 'CROSS JOIN';
    fixes.push(quickFix(finding, 'Change to CROSS JOIN', [replacement(range, keyword)]));
  }
  return fixes;
}

/** Gives a result column an alias that no other column has. A star is replaced by its columns, with such aliases. */
function aliasFixes(finding: Finding, context: FixContext): Fix[] {
  const query = nodeOfTypeAround(innermostNode(context.tree, finding), 'SelectFrom')?.node;
  const column = query?.columns.find(result => rangeOfResult(result).start === finding.start);
  if (!query || !column) return [];
  if (column.type !== 'ExprResultColumn') return expansionFixes(finding, context);
  const reference = columnReferenceOf(column.expr);
  const name = column.alias?.name.text ?? reference?.name ?? 'value';
  const base = reference?.qualifier === undefined ? name : `${reference.qualifier}_${reference.name}`;
  const alias = quoteIdentifierIfNeeded(freeName(base, namesIn(query, context)));
  const edit = column.alias
    ? replacement(rangeOf(column.alias.name), alias)
    : insertion(rangeOf(column.expr).end, ` AS ${alias}`);
  return [quickFix(finding, `Give it the alias ${alias}`, [edit], true)];
}

/** The names of all result columns, and of all columns that a star may stand for. */
function namesIn(query: SelectFrom, { scopes, tree }: FixContext): string[] {
  const visited = innermostNode(tree, rangeOf(query.columns[0]!));
  const columns = visited
    ? scopes
        .at(visited)
        .levels.flat()
        .flatMap(source => source.columns)
    : [];
  const aliases = query.columns.flatMap(column =>
    column.type === 'ExprResultColumn' && column.alias ? [column.alias.name.text] : [],
  );
  return [...columns.map(({ name }) => name), ...aliases];
}

function expansionFixes(finding: Finding, context: FixContext): Fix[] {
  const isUnique = finding.code === 'duplicate_result_columns';
  const expansion = expansionOf(finding, context, isUnique);
  if (!expansion) return [];
  const title = isUnique ? 'List the columns under names of their own' : 'List the columns';
  const fix = quickFix(finding, title, [expansion], true);
  return [{ ...fix, keeps: isUnique ? 'count' : 'names' }];
}

/** Orders the only table of a query by its primary key. */
function orderFixes(finding: Finding, context: FixContext): Fix[] {
  const visited = nodeOfTypeAround(innermostNode(context.tree, finding), 'Select');
  const query = visited?.node.select;
  if (!visited || visited.node.compounds || query?.type !== 'SelectFrom' || query.from?.joins || query.groupBy)
    return [];
  if (query.distinctness === 'Distinct') return [];
  const { names } = context.scopes.at({ node: query, parent: visited });
  const [source] = sourcesOf(query.from, names);
  const key =
    source?.kind === 'table' && source.table !== undefined ? context.schema.table(source.table)?.primaryKey : [];
  if (!key || key.length === 0) return [];
  const order = `ORDER BY ${key.map(quoteIdentifierIfNeeded).join(', ')}`;
  return [quickFix(finding, `Insert ${order}`, [insertion(finding.start, `${order} `)])];
}

function removalFixes(finding: Finding, { text, tree }: FixContext): Fix[] {
  const isUnused = (table: CommonTableExpr): boolean => rangeOf(table).start === finding.start;
  const clause = findNode(tree, 'With', ({ ctes }) => ctes.some(isUnused))?.node;
  const tables = clause?.ctes ?? [];
  const index = tables.findIndex(isUnused);
  const table = tables[index];
  if (!clause || !table) return [];
  const { start, end } = rangeOf(table);
  const next = tables[index + 1];
  const previous = tables[index - 1];
  const range = next
    ? { start, end: rangeOf(next).start }
    : previous
      ? { start: rangeOf(previous).end, end }
      : { start: rangeOf(clause).start, end: end + /^\s*/.exec(text.slice(end))![0].length };
  return [quickFix(finding, `Remove ${table.tblName.text}`, [replacement(range, '')], true)];
}

/** Adds a condition on the primary key to a statement that changes every row. */
function whereFixes(finding: Finding, { tree, schema }: FixContext): Fix[] {
  if (tree.type !== 'UpdateStmt' && tree.type !== 'DeleteStmt') return [];
  const { tblName, whereClause } = tree;
  const table = schema.table(tblName.objName.text);
  const key = table?.primaryKey.length ? table.primaryKey : (table?.hiddenColumns.slice(0, 1) ?? []);
  if (key.length === 0) return [];
  // The columns of other tables in FROM may have the same names.
  const isJoined = tree.type === 'UpdateStmt' && tree.from !== undefined;
  const qualifier = isJoined ? `${quoteIdentifierIfNeeded((tblName.alias ?? tblName.objName).text)}.` : '';
  const condition = key.map(name => `${qualifier}${quoteIdentifierIfNeeded(name)} = ?`).join(' AND ');
  const edit = whereClause
    ? replacement(rangeOf(whereClause), condition)
    : insertion(endBeforeWhere(tree), ` WHERE ${condition}`);
  const title = whereClause ? `Change to ${condition}` : `Insert WHERE ${condition}`;
  return [quickFix(finding, title, [edit])];
}

function endBeforeWhere(statement: UpdateStmt | DeleteStmt): number {
  const parts =
    statement.type === 'UpdateStmt'
      ? [...statement.sets.map(({ expr }) => expr), ...(statement.from ? [statement.from] : [])]
      : [statement.tblName, ...(statement.indexed ? [statement.indexed] : [])];
  return Math.max(...parts.map(part => rangeOf(part).end));
}
