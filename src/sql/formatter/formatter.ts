import { splitStatements } from '../text/splitter.ts';
import { coarseTokens } from '../text/tokens.ts';
import { type Comment, formatTokens, type FormatToken } from './formatTokens.ts';
import { printLayout } from './layoutDocument.ts';
import { type CommaPosition, type KeywordCase, statementLayout } from './statementLayout.ts';

export interface SqlFormatOptions {
  /** Applies to words that are certainly keywords. A column with the name `key` keeps its case. */
  readonly keywordCase?: KeywordCase;
  /** One step of indentation: spaces or a tab. */
  readonly indent?: string;
  readonly commas?: CommaPosition;
  /** A statement, list or condition stays on one line up to this many characters. */
  readonly lineWidth?: number;
  /** Whether a statement is valid SQL. An invalid one is not changed. */
  readonly isWellFormed?: (statement: string) => boolean;
}

/** Formats each statement of a document. Comments and invalid statements stay as they are. It does not throw. */
export function formatDocument(text: string, options: SqlFormatOptions = {}): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  let formatted = '';
  let previousEnd = 0;
  for (const { start, end } of splitStatements(text)) {
    const gap = text.slice(previousEnd, start);
    // SQLite accepts a vertical tab only behind other space. Formatting the gap could make an invalid statement valid.
    const startsWithVerticalTab = text.charAt(start) === '\v';
    formatted = startsWithVerticalTab ? formatted + gap : appendGap(formatted, gap, lineEnd, false);
    formatted += formatStatement(text.slice(start, end), options, lineEnd);
    previousEnd = end;
  }
  return appendGap(formatted, text.slice(previousEnd), lineEnd, true);
}

/** Formats one statement. An invalid one is returned as it is. */
export function formatStatement(text: string, options: SqlFormatOptions = {}, lineEnd = '\n'): string {
  const tokens = formatTokens(text);
  if (!tokens || !(options.isWellFormed?.(text) ?? true)) return text;
  const { keywordCase = 'upper', commas = 'after', indent = '  ', lineWidth = 80 } = options;
  moveCommentsAtCommas(tokens, commas);
  const layout = statementLayout(tokens, { keywordCase, commas });
  if (!layout) return text;
  const formatted = printLayout(layout, { indent, lineWidth, lineEnd });
  return hasSameTokens(tokens, formatTokens(formatted)) ? formatted : text;
}

/** A comment behind a list item belongs to the item, whether it is before or behind the comma. */
function moveCommentsAtCommas(tokens: readonly FormatToken[], commas: CommaPosition): void {
  for (const [index, comma] of tokens.entries()) {
    const item = tokens[index - 1];
    const isComma = comma.key === ',' && comma.kind === 'punctuation';
    if (!isComma || !item || comma.commentsAbove.length > 0) continue;
    const comments = [...item.commentsBehind, ...comma.commentsBehind];
    const lineComment = comments.findIndex(({ isLineComment }) => isLineComment);
    const onLine = lineComment === -1 ? comments : comments.slice(0, lineComment + 1);
    // Comments behind a line comment move above the next token.
    const following = commas === 'after' ? tokens[index + 1] : comma;
    if (onLine.length < comments.length && !following) continue;
    if (following) following.commentsAbove = [...comments.slice(onLine.length), ...following.commentsAbove];
    item.commentsBehind = commas === 'after' ? [] : onLine;
    comma.commentsBehind = commas === 'after' ? onLine : [];
  }
}

const commentsOf = (tokens: readonly FormatToken[]): readonly Comment[] =>
  tokens.flatMap(({ commentsAbove, commentsBehind }) => [...commentsAbove, ...commentsBehind]);

/** A layout that changes more than space and case is a bug of the formatter. It is not used. */
function hasSameTokens(before: readonly FormatToken[], after: readonly FormatToken[] | undefined): boolean {
  if (after?.length !== before.length || !before.every(({ key }, index) => key === after[index]?.key)) return false;
  const commentsAfter = commentsOf(after);
  return commentsOf(before).every(({ text }, index) => text === commentsAfter[index]?.text);
}

/**
 * Appends the text between two statements: comments stay on their lines, at most one empty line remains in a row, and empty
 * statements keep their semicolons.
 */
function appendGap(formatted: string, gap: string, lineEnd: string, isAtEnd: boolean): string {
  let result = formatted;
  let lineBreaks = 0;
  let followsLineComment = false;
  const separator = (minLineBreaks: number): string =>
    result === '' ? '' : lineEnd.repeat(Math.min(2, Math.max(minLineBreaks, lineBreaks))) || ' ';
  let needsLineBreak = formatted !== '';
  for (const { kind, start, end } of coarseTokens(gap)) {
    const token = gap.slice(start, end);
    if (kind === 'space') {
      lineBreaks += token.split('\n').length - 1;
    } else if (kind === 'semicolon') {
      const isSeparate = result === '' || lineBreaks > 0 || followsLineComment;
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
  return lineBreaks > 0 && result !== '' ? result + lineEnd : result;
}
