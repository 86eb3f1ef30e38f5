import type { Stmt } from 'sqlite3-parser';
import { keywordsAmong } from '../highlighting/highlights.ts';
import { grammarTokens } from '../parser/grammar.ts';
import { parseStatement, parseTokens } from '../parser/parser.ts';
import { type TextEdit, textDifference } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { coarseTokens } from '../text/tokens.ts';
import { type Comment, formatTokens, type FormatToken } from './formatTokens.ts';
import { printLayout } from './layoutDocument.ts';
import { hasSameResultNames, mayNameResults } from './resultNames.ts';
import { type CommaPosition, type KeywordCase, statementLayout } from './statementLayout.ts';

export interface SqlFormatOptions {
  /** Applies to words that are certainly keywords. A column with the name `key` keeps its case. */
  readonly keywordCase?: KeywordCase;
  /** One step of indentation: spaces or a tab. */
  readonly indent?: string;
  /** The width of one step of indentation, in characters. By default the length of `indent`. */
  readonly indentWidth?: number;
  readonly commas?: CommaPosition;
  /** A statement, list or condition stays on one line up to this many characters. */
  readonly lineWidth?: number;
}

/** A statement or the gap between two, with its formatted text. */
export interface FormattedPart extends TextRange {
  readonly text: string;
}

/** Formatting a longer statement takes too long, and nobody writes one by hand. */
const maxStatementLength = 64 * 1024;

/** Formats a text: its statements, and the gaps between and around them. Comments and invalid statements stay as they are. */
export function* documentParts(
  text: string,
  statements: readonly TextRange[],
  options: SqlFormatOptions,
): Generator<FormattedPart> {
  const lineEnd = lineEndOf(text);
  yield formattedGap(text, { start: 0, end: statements[0]?.start ?? text.length }, lineEnd);
  yield* statementParts(text, statements, options);
  const last = statements.at(-1);
  if (last) yield formattedGap(text, { start: last.end, end: text.length }, lineEnd);
}

/** Formats consecutive statements of a text and the gaps between them. */
export function* statementParts(
  text: string,
  statements: readonly TextRange[],
  options: SqlFormatOptions,
): Generator<FormattedPart> {
  const lineEnd = lineEndOf(text);
  let previousEnd: number | undefined;
  for (const { start, end } of statements) {
    if (previousEnd !== undefined) yield formattedGap(text, { start: previousEnd, end: start }, lineEnd);
    yield { start, end, text: formatStatement(text.slice(start, end), options, lineEnd) };
    previousEnd = end;
  }
}

function formattedGap(text: string, { start, end }: TextRange, lineEnd: string): FormattedPart {
  const gap = text.slice(start, end);
  // SQLite accepts a vertical tab only after other space. A formatted gap could make an invalid statement valid.
  if (text.charAt(end) === '\v') return { start, end, text: gap };
  return { start, end, text: formatGap(gap, { lineEnd, isAtStart: start === 0, isAtEnd: end === text.length }) };
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Formats one statement. Returns it unchanged if it is invalid, or if the result would not mean the same. */
export function formatStatement(text: string, options: SqlFormatOptions = {}, lineEnd = '\n'): string {
  if (text.length > maxStatementLength) return text;
  const { ast: tree, fault, tokens: parsedTokens } = parseStatement(text);
  const tokens = fault ? undefined : formatTokens(text, parsedTokens);
  if (!tree || !tokens) return text;
  const formatted = layOut(tokens, keywordsAmong(tree, parsedTokens), options, lineEnd);
  if (formatted === undefined || formatted === text) return text;
  return isSameStatement({ text, tree, tokens }, formatted) ? formatted : text;
}

interface ReadStatement {
  readonly text: string;
  readonly tree: Stmt;
  readonly tokens: readonly FormatToken[];
}

/** Whether a statement means the same after formatting. */
function isSameStatement(before: ReadStatement, formatted: string): boolean {
  const parsedTokens = grammarTokens(formatted, 0, formatted.length);
  const tokens = formatTokens(formatted, parsedTokens);
  if (!tokens || !hasSameTokens(before.tokens, tokens)) return false;
  const changesCase = before.tokens.some((token, index) => token.text !== tokens[index]?.text);
  // The same tokens have the same tree, so no tree is needed.
  if (!changesCase && !mayNameResults(before.text)) return true;
  const after = parseTokens(formatted, parsedTokens, formatted.length);
  if (after.fault || !after.ast || !isSameTree(before.tree, after.ast)) return false;
  return hasSameResultNames(before, { text: formatted, tree: after.ast });
}

function layOut(
  tokens: readonly FormatToken[],
  keywords: readonly boolean[],
  options: SqlFormatOptions,
  lineEnd: string,
): string | undefined {
  const {
    keywordCase = 'upper',
    commas = 'after',
    indent = '  ',
    indentWidth = indent.length,
    lineWidth = 80,
  } = options;
  moveCommentsAtCommas(tokens, commas);
  const layout = statementLayout(tokens, keywords, { keywordCase, commas });
  return layout && printLayout(layout, { indent, indentWidth, lineWidth, lineEnd });
}

/** The smallest edit that formats a part, so that cursors stay. Undefined if nothing changes. */
export function editOf({ start, end, text: formatted }: FormattedPart, text: string): TextEdit | undefined {
  const edit = textDifference(text.slice(start, end), formatted);
  return edit && { start: start + edit.start, end: start + edit.end, text: edit.text };
}

/** A comment after a list item stays with the item, before and after the comma. */
function moveCommentsAtCommas(tokens: readonly FormatToken[], commas: CommaPosition): void {
  for (const [index, comma] of tokens.entries()) {
    const item = tokens[index - 1];
    const isComma = comma.key === ',' && comma.kind === 'punctuation';
    if (!isComma || !item || comma.commentsAbove.length > 0) continue;
    const comments = [...item.commentsAfter, ...comma.commentsAfter];
    const lineComment = comments.findIndex(({ isLineComment }) => isLineComment);
    const onLine = lineComment === -1 ? comments : comments.slice(0, lineComment + 1);
    // Comments after a line comment move above the next token.
    const following = commas === 'after' ? tokens[index + 1] : comma;
    if (onLine.length < comments.length && !following) continue;
    if (following) following.commentsAbove = [...comments.slice(onLine.length), ...following.commentsAbove];
    item.commentsAfter = commas === 'after' ? [] : onLine;
    comma.commentsAfter = commas === 'after' ? onLine : [];
  }
}

const commentsOf = (tokens: readonly FormatToken[]): readonly Comment[] =>
  tokens.flatMap(({ commentsAbove, commentsAfter }) => [...commentsAbove, ...commentsAfter]);

/** A layout that changes more than space and case is a bug of the formatter. Such a layout is not used. */
function hasSameTokens(before: readonly FormatToken[], after: readonly FormatToken[]): boolean {
  if (after.length !== before.length || !before.every(({ key }, index) => key === after[index]?.key)) return false;
  const commentsAfter = commentsOf(after);
  return commentsOf(before).every(({ text }, index) => text === commentsAfter[index]?.text);
}

/** Comments stay on their lines, one of several empty lines remains, and empty statements keep their semicolons. */
function formatGap(
  gap: string,
  { lineEnd, isAtStart, isAtEnd }: { lineEnd: string; isAtStart: boolean; isAtEnd: boolean },
): string {
  let result = '';
  let lineBreaks = 0;
  let followsLineComment = false;
  let needsLineBreak = !isAtStart;
  const isFirst = (): boolean => isAtStart && result === '';
  const separator = (minLineBreaks: number): string =>
    isFirst() ? '' : lineEnd.repeat(Math.min(2, Math.max(minLineBreaks, lineBreaks))) || ' ';
  for (const { kind, start, end } of coarseTokens(gap)) {
    const token = gap.slice(start, end);
    if (kind === 'space') {
      lineBreaks += token.split('\n').length - 1;
    } else if (kind === 'semicolon') {
      const isSeparate = isFirst() || lineBreaks > 0 || followsLineComment;
      result += isSeparate ? separator(followsLineComment ? 1 : 0) + token : token;
      lineBreaks = 0;
      followsLineComment = false;
      needsLineBreak = true;
    } else {
      const isLineComment = token.startsWith('--');
      result += separator(followsLineComment ? 1 : 0) + (isLineComment ? token.trimEnd() : token);
      followsLineComment = isLineComment;
      needsLineBreak = isLineComment;
      lineBreaks = isLineComment && token.endsWith('\n') ? 1 : 0;
    }
  }
  if (!isAtEnd) return result + separator(needsLineBreak ? 1 : 0);
  return lineBreaks > 0 && !isFirst() ? result + lineEnd : result;
}

/** Whether two statements mean the same: only the places of their tokens differ. */
export function isSameTree(left: Stmt, right: Stmt): boolean {
  // No recursion, because the tree of a long sum is as deep as the sum is long.
  const pending: (readonly [unknown, unknown])[] = [[left, right]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const aKeys = Object.keys(a);
    if (aKeys.length !== Object.keys(b).length || Array.isArray(a) !== Array.isArray(b)) return false;
    const { type } = a as { readonly type?: unknown };
    for (const key of aKeys) {
      if (key === 'span') continue;
      const aValue = comparable(type, (a as Readonly<Record<string, unknown>>)[key]);
      pending.push([aValue, comparable(type, (b as Readonly<Record<string, unknown>>)[key])]);
    }
  }
  return true;
}

/** The tree has some keywords as text, whose case means nothing: ON in PRAGMA … = ON, and GENERATED ALWAYS after a type. */
function comparable(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'KeywordLiteral') return value.toUpperCase();
  return type === 'Type' ? value.replace(/ generated always$/i, '') : value;
}
