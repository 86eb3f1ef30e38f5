import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { coarseTokens, meaningfulTokens } from '../text/tokens.ts';

/** Finds the name in a statement that leads to a missing name: a view that reads it, or a table with a trigger that does. */
export type FindOrigin = (mentionedNames: readonly string[], missingName: string) => string | undefined;

interface StatementToken extends TextRange {
  /** In lower case, without quotes. */
  readonly name: string;
  readonly isString: boolean;
}

/** Finds the token that a message is about if SQLite reports no offset. */
interface MessageRule {
  readonly message: RegExp;
  /** The name to search for, by default the first group of the pattern. `name+2` is the second token after the name. */
  readonly target?: (groups: readonly string[]) => string;
  /** Whether the message is about the last occurrence of the name. */
  readonly isLast?: true;
}

const rules: readonly MessageRule[] = [
  { message: /^table .* has no column named (.*)$/, isLast: true },
  { message: /^table (.*) has \d+ values for \d+ columns$/, isLast: true },
  { message: /^table (.*) has \d+ columns but \d+ values were supplied$/ },
  { message: /^\d+ values for \d+ columns$/, target: () => 'into+1' },
  { message: /^duplicate column name: (.*)$/, isLast: true },
  { message: /^no such \w+: (.*?)(?: - should this be a string literal in single-quotes\?)?$/ },
  { message: /^(?:no such table column|duplicate WITH table name|ambiguous column name|circular reference): (.*)$/ },
  { message: /^unknown \w+:? "?(.*?)"?(?: in foreign key definition|\(\))?$/ },
  { message: /^cannot join using column (.*) - column not present in both tables$/, isLast: true },
  { message: /^cannot (?:UPDATE|INSERT into) generated column "(.*)"$/ },
  {
    message:
      /^(?:cannot modify|cannot alter view|table|view|index|trigger) "?(.*?)"? (?:because it is a view|may not be (?:modified|altered|indexed|dropped)|already exists)$/,
  },
  { message: /^there is already (?:a table|an index|another table or index) (?:named|with this name:) (.*)$/ },
  { message: /^SELECTs to the left and right of (\S+)/, isLast: true },
  { message: /^aggregate functions are not allowed in the (\S+) BY clause$/, target: ([, clause]) => `${clause}+2` },
  { message: /^\d+\w\w (ORDER|GROUP) BY term/, target: ([, clause]) => `${clause}+2`, isLast: true },
  { message: /^(ORDER|LIMIT|HAVING) clause/ },
  { message: /clause is required before (HAVING)/ },
  { message: /^(AUTOINCREMENT) is only allowed on an INTEGER PRIMARY KEY$/ },
  { message: /^missing datatype for [^.]*\.(.*)$/ },
  { message: /^PRIMARY KEY missing on table (.*)$/ },
  { message: /^all (VALUES) must have the same number of terms$/ },
  { message: /^(?:near|unrecognized token:) "(.*?)"/s },
  { message: /(?:function|aggregate:?|window function) "?([\w.]+)\(?\)?/ },
  { message: /"([^"]+)"/ },
  { message: /: (\S+)$/ },
];

/** SQLite names the database of an object that a view or a trigger lacks, and reports no offset. */
const missingObject = /^no such \w+: (?:(main|temp)\.)?(.*)$/s;

/**
 * The range of the token that an error is about: at SQLite's offset, else the token that the message names, else the view
 * or table through which the named object matters, else the first token.
 */
export function errorRange(sql: string, message: string, offset: number, findOrigin?: FindOrigin): TextRange {
  const tokens = tokensIn(sql);
  if (message === 'incomplete input') return lastTokenRange(tokens, sql);
  const nearText = /^(?:near|unrecognized token:) "(.+)"/s.exec(message)?.[1];
  if (nearText !== undefined && offset >= 0 && sql.startsWith(nearText, offset)) {
    return { start: offset, end: offset + nearText.length };
  }
  if (offset >= 0) return rangeAt(tokens, sql, offset);
  const [, database, missingName = ''] = missingObject.exec(message) ?? [];
  // SQLite names a database that the statement does not if a view or a trigger lacks the table, and for CREATE INDEX.
  const isIndirect = database !== undefined && tokens.every(token => token.name !== database);
  const originOfIndirect = isIndirect ? originRange(tokens, missingName, findOrigin) : undefined;
  if (originOfIndirect) return originOfIndirect;
  const extraColumn = extraColumnRange(tokens, message);
  if (extraColumn) return extraColumn;
  for (const rule of rules) {
    const groups = rule.message.exec(message);
    const range = groups && findName(tokens, rule.target?.(groups) ?? groups[1] ?? '', rule.isLast ?? false);
    if (range) return range;
  }
  return originRange(tokens, missingName, findOrigin) ?? rangeOf(tokens[0]) ?? { start: 0, end: sql.length };
}

function originRange(
  tokens: readonly StatementToken[],
  missingName: string,
  findOrigin: FindOrigin | undefined,
): TextRange | undefined {
  const mentionedNames = tokens.map(({ name }) => name);
  const origin = missingName === '' ? undefined : findOrigin?.(mentionedNames, missingName);
  return origin === undefined ? undefined : findName(tokens, origin, false);
}

const endsOfColumns = new Set('from where group order limit window ; union intersect except having'.split(' '));

/** The first column that one of two SELECTs has and the other lacks, if there are two and neither has a `*`. */
function extraColumnRange(tokens: readonly StatementToken[], message: string): TextRange | undefined {
  if (!/^SELECTs to the left and right of \w+/.test(message)) return undefined;
  const selects = tokens.flatMap(({ name }, index) => (name === 'select' || name === 'values' ? [index] : []));
  if (selects.length !== 2) return undefined;
  const [left = [], right = []] = selects.map(select => columnsFrom(tokens, select + 1));
  const longer = left.length > right.length ? left : right;
  const shorter = longer === left ? right : left;
  const hasStar = [...left, ...right].some(({ name }) => name === '*');
  return hasStar ? undefined : longer[shorter.length];
}

/** The first token of each column of a SELECT. */
function columnsFrom(tokens: readonly StatementToken[], start: number): StatementToken[] {
  const columns: StatementToken[] = [];
  let depth = 0;
  let startsColumn = true;
  for (const token of tokens.slice(start)) {
    if (depth === 0 && endsOfColumns.has(token.name)) break;
    if (startsColumn) columns.push(token);
    if (token.name === '(') depth++;
    if (token.name === ')') depth--;
    if (depth < 0) break;
    startsColumn = depth === 0 && token.name === ',';
  }
  return columns;
}

const rangeOf = (token: StatementToken | undefined): TextRange | undefined =>
  token && { start: token.start, end: token.end };

function lastTokenRange(tokens: readonly StatementToken[], sql: string): TextRange {
  return rangeOf(tokens.findLast(({ name }) => name !== ';')) ?? { start: 0, end: sql.length };
}

/** The token at an offset. A qualified name counts as a whole: `u.nope`, not `u`. */
function rangeAt(tokens: readonly StatementToken[], sql: string, offset: number): TextRange {
  let index = tokens.findIndex(({ end }) => end > offset);
  const first = tokens[index];
  if (!first) return lastTokenRange(tokens, sql);
  while (tokens[index + 1]?.name === '.' && tokens[index + 2]) index += 2;
  return { start: first.start, end: tokens[index]!.end };
}

/** `name+n` is the n-th token after the name. A qualified name is found by its last part as well. */
function findName(tokens: readonly StatementToken[], target: string, isLast: boolean): TextRange | undefined {
  const [, base = target, steps = '0'] = /^(.+)\+(\d)$/s.exec(target) ?? [];
  const name = keyOf(base);
  const lastPart = name.split('.').map(unquoted).at(-1) ?? '';
  for (const candidate of new Set([name, unquoted(name), lastPart])) {
    const indexes = candidate === '' ? [] : tokens.flatMap((token, index) => (token.name === candidate ? [index] : []));
    const [best] = indexes.toSorted(
      (a, b) => likelihood(tokens, b) - likelihood(tokens, a) || (isLast ? b - a : a - b),
    );
    const range = best === undefined ? undefined : rangeOf(tokens[best + Number(steps)]);
    if (range) return range;
  }
  return undefined;
}

const wordsBeforeTable = new Set('from join into update table view index trigger exists on'.split(' '));

/** Most errors without an offset are about tables, and text in single quotes is mostly no name. */
function likelihood(tokens: readonly StatementToken[], index: number): number {
  if (tokens[index]?.isString) return 0;
  const isQualified = tokens[index - 1]?.name === '.';
  const previous = tokens[isQualified ? index - 3 : index - 1];
  const isTable = wordsBeforeTable.has(previous?.name ?? '') && tokens[index + 1]?.name !== '.';
  return isTable ? 2 : 1;
}

const tokensIn = (sql: string): StatementToken[] =>
  Array.from(meaningfulTokens(sql), ({ kind, start, end }) => {
    const text = keyOf(sql.slice(start, end));
    return { start, end, name: kind === 'quoted' ? unquoted(text) : text, isString: text.startsWith("'") };
  });

/**
 * The UTF-16 offset of an error in a statement. The interface counts UTF-16 code units, but a service may pass on SQLite's
 * offset, which counts bytes. An error is at the start of a token or at the end of the text. If both readings are possible,
 * the one in bytes is right only if the word that the message names is there, and not at the other offset.
 */
export function errorOffset(sql: string, message: string, serviceOffset: number): number {
  const offsetFromBytes = new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, serviceOffset)).length;
  if (offsetFromBytes === serviceOffset) return serviceOffset;
  const starts = new Set([...coarseTokens(sql)].filter(({ kind }) => kind !== 'space').map(({ start }) => start));
  starts.add(sql.length);
  if (!starts.has(serviceOffset)) return offsetFromBytes;
  if (!starts.has(offsetFromBytes)) return serviceOffset;
  const [, nearWord, namedWord = nearWord] = /^near "(.+?)"|: "?([^\s"]+)"?$/s.exec(message) ?? [];
  const isInBytes =
    namedWord !== undefined && sql.startsWith(namedWord, offsetFromBytes) && !sql.startsWith(namedWord, serviceOffset);
  return isInBytes ? offsetFromBytes : serviceOffset;
}
