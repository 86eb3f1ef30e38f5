import type { Stmt } from 'sqlite3-parser';
import { innermostNode, rangeOf } from '../parser/nodeRange.ts';
import { createdQuery } from '../scope/query.ts';
import type { Schema } from '../schema/schema.ts';
import { StatementScopes } from '../scope/scope.ts';
import type { ShadowReport } from '../shadow/shadowReport.ts';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { unquoted, quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { editedText } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { aggregateFixes } from './aggregateFixes.ts';
import { extractions } from './commonTableExtraction.ts';
import {
  type Finding,
  type FixesByCode,
  type Fix,
  type FixContext,
  type FixRequest,
  quickFix,
  replacement,
  insertion,
} from './fix.ts';
import { lintFixes } from './lintFixes.ts';
import { qualificationFixes, spellingFixes, stringFixes } from './nameFixes.ts';
import { expansionRewrites } from './starExpansion.ts';
import { syntaxFixes } from './syntaxFixes.ts';

/** A longer statement is data rather than code. */
const maxLength = 64 * 1024;

/** Nobody reads a longer menu. */
const maxFixes = 20;

/** The fixes for the findings of a statement, and its rewrites at the selection. */
export function fixesFor(request: FixRequest): Fix[] {
  const { text, parsed, findings, selection, schema } = request;
  if (text.length > maxLength) return [];
  if (parsed.fault || !parsed.ast)
    return findings.flatMap(finding => syntaxFixes(text, finding, schema)).slice(0, maxFixes);
  const context = { text, tree: parsed.ast, schema, scopes: new StatementScopes(schema) };
  const fixes = [
    ...findings.flatMap(finding => fixesByCode[finding.code]?.(finding, context) ?? []),
    ...expansionRewrites(selection, context),
    ...insertColumnsRewrites(selection, context),
    ...extractions(selection, context),
  ];
  return fixes.slice(0, maxFixes).map(fix => withSpaces(fix, text));
}

/** Keeps new words apart from those beside them, as in `SELECT*FROM`. */
function withSpaces(fix: Fix, text: string): Fix {
  const edits = fix.edits.map(({ start, end, text: newText }) => {
    const before = isWord(text.charAt(start - 1)) && isWord(newText.charAt(0)) ? ' ' : '';
    const after = isWord(text.charAt(end)) && isWord(newText.at(-1) ?? '') ? ' ' : '';
    return { start, end, text: before + newText + after };
  });
  return { ...fix, edits };
}

const isWord = (character: string): boolean => /[\w$\u0080-\uffff]/.test(character);

const fixesByCode: FixesByCode = {
  ...lintFixes,
  unknown_column: columnFixes,
  unknown_function: functionFixes,
  unknown_table: spellingFixes,
  unknown_name: spellingFixes,
  ambiguous_column: qualificationFixes,
  misused_aggregate: aggregateFixes,
  wrong_value_count: columnCountFixes,
};

function functionFixes(finding: Finding, context: FixContext): Fix[] {
  const foreign = foreignFunctionFixes(finding, context);
  return foreign.length > 0 ? foreign : spellingFixes(finding, context);
}

function columnFixes(finding: Finding, context: FixContext): Fix[] {
  const spellings = spellingFixes(finding, context);
  const strings = stringFixes(finding, context, spellings.length === 0);
  return [...spellings, ...strings];
}

/** Functions of other databases without arguments, with SQLite's text for the whole call. */
const wholeCalls: Readonly<Record<string, readonly string[]>> = {
  now: ["datetime('now')", 'current_timestamp'],
  getdate: ["datetime('now')", 'current_timestamp'],
  sysdate: ["datetime('now')", 'current_timestamp'],
  curdate: ["date('now')", 'current_date'],
  curtime: ["time('now')", 'current_time'],
  rand: ['random()'],
};

/** Functions of other databases, with SQLite's function that takes the same arguments. */
const otherNames: Readonly<Record<string, string>> = {
  len: 'length',
  ucase: 'upper',
  lcase: 'lower',
  nvl: 'ifnull',
  chr: 'char',
  ascii: 'unicode',
  greatest: 'max',
  least: 'min',
  listagg: 'string_agg',
  array_agg: 'json_group_array',
};

/** Offers SQLite's counterpart of a function of another database. */
function foreignFunctionFixes(finding: Finding, { text, tree }: FixContext): Fix[] {
  const name = unquoted(text.slice(finding.start, finding.end));
  const isUpper = name !== name.toLowerCase() && name === name.toUpperCase();
  const inCase = (written: string): string =>
    isUpper
      ? written.replaceAll(/'[^']*'|[a-z]+/g, part => (part.startsWith("'") ? part : part.toUpperCase()))
      : written;
  const call = innermostNode(tree, finding)?.parent?.node;
  const isEmptyCall = call?.type === 'FunctionCallExpr' && !call.args?.length && !call.filterOver;
  const [range, candidates] = isEmptyCall
    ? [rangeOf(call), wholeCalls[keyOf(name)] ?? []]
    : [finding, [otherNames[keyOf(name)]].filter(other => other !== undefined)];
  return candidates.map((candidate, index) => {
    const written = inCase(candidate);
    return quickFix(finding, `Change to ${written}`, [replacement(range, written)], index === 0);
  });
}

/** Offers the list of columns for an INSERT without one, where the cursor is before its values. */
function insertColumnsRewrites({ start }: TextRange, { tree, schema }: FixContext): Fix[] {
  const insert = insertWithoutColumns(tree, schema);
  if (!insert || start > rangeOf(insert.query).start + 'VALUES'.length) return [];
  const { nameEnd, columns, query } = insert;
  const { select } = query;
  // Another fix knows which columns the values are for.
  if (select.type === 'SelectValues' && select.values.some(({ values }) => values.length !== columns.length)) return [];
  const edits = [insertion(nameEnd, columnList(columns))];
  return [{ title: 'Insert the list of columns', kind: 'rewrite', edits, keeps: 'names' }];
}

/** Names the columns of an INSERT whose rows leave out the key that SQLite numbers, or the last columns. */
function columnCountFixes(finding: Finding, { tree, schema }: FixContext): Fix[] {
  const insert = insertWithoutColumns(tree, schema);
  if (!insert) return [];
  const { nameEnd, table, columns, query } = insert;
  const count = query.select.type === 'SelectValues' ? query.select.values[0]?.values.length : undefined;
  if (count === undefined || count >= columns.length) return [];
  const [key] = table.primaryKey;
  const keyColumn = table.primaryKey.length === 1 ? columns.find(({ name }) => name === key) : undefined;
  const isNumbered = keyColumn !== undefined && /^integer$/i.test(keyColumn.type) && count === columns.length - 1;
  const named = isNumbered ? columns.filter(column => column !== keyColumn) : columns.slice(0, count);
  const title = isNumbered
    ? `Insert the list of columns without ${key}`
    : `Insert the list of the first ${count === 1 ? 'column' : `${count} columns`}`;
  return [quickFix(finding, title, [insertion(nameEnd, columnList(named))], isNumbered)];
}

/** An INSERT into a known table that names no columns, with the columns that it may set. */
function insertWithoutColumns(tree: Stmt, schema: Schema) {
  if (tree.type !== 'InsertStmt' || tree.columns || tree.body.type !== 'SelectInsertBody') return undefined;
  const table = schema.table(tree.tblName.objName.text);
  const columns = table?.columns.filter(({ generated }) => !generated) ?? [];
  if (!table || columns.length === 0) return undefined;
  return { nameEnd: rangeOf(tree.tblName).end, table, columns, query: tree.body.select };
}

const columnList = (columns: readonly SchemaColumn[]): string =>
  ` (${columns.map(({ name }) => quoteIdentifierIfNeeded(name)).join(', ')})`;

/** Asks SQLite about a text in the place of the statement. */
type ReportOn = (text: string) => Promise<ShadowReport | undefined>;

/**
 * Whether SQLite accepts the statement after a fix, and the columns that must stay are there. The tree alone shows neither
 * the name of an unnamed column, nor whether a subquery reads the query around it.
 */
export async function keepsResult(
  { keeps, edits, extractedQuery }: Fix,
  { text, tree }: { readonly text: string; readonly tree: Stmt },
  reportOn: ReportOn,
): Promise<boolean> {
  if (!keeps) return true;
  const newText = editedText(text, edits);
  if (!isAccepted(await reportOn(newText))) return false;
  if (extractedQuery !== undefined && !isAccepted(await reportOn(extractedQuery))) return false;
  // A statement that creates a view has no columns itself.
  const query = createdQuery(tree);
  const queryStart = query ? rangeOf(query).start : 0;
  const before = await reportOn(text.slice(queryStart));
  const after = await reportOn(newText.slice(queryStart));
  if (!isAccepted(before) || !isAccepted(after)) return false;
  const namesBefore = before.columns.map(({ name }) => name);
  const namesAfter = after.columns.map(({ name }) => name);
  if (namesBefore.length !== namesAfter.length) return false;
  return keeps === 'count' || namesBefore.every((name, index) => name === namesAfter[index]);
}

const isAccepted = (report: ShadowReport | undefined): report is ShadowReport =>
  report?.outcome === 'prepared' && report.problems.length === 0;
