import { coarseTokens } from '../text/tokens.ts';
import { type Comment, formatTokens, type FormatToken } from './formatTokens.ts';
import { printLayout } from './layoutDocument.ts';
import { type CommaPosition, type KeywordCase, statementLayout } from './statementLayout.ts';
import { splitStatements } from '../text/splitter.ts';

export type { CommaPosition, KeywordCase } from './statementLayout.ts';

export interface FormatOptions {
  /** Only words that surely are keywords where they stand change; a column called `key` keeps its case. */
  readonly keywordCase?: KeywordCase;
  /** One step of indentation: spaces or a tab. */
  readonly indent?: string;
  readonly commas?: CommaPosition;
  /** Up to how many characters a statement, a list or a condition stays on one line. */
  readonly lineWidth?: number;
  /** Whether SQLite's grammar takes a statement. One that it does not take stays exactly as it is. */
  readonly isWellFormed?: (statement: string) => boolean;
}

/** A document with each statement laid out anew. Comments stay, and so do broken statements; it never throws. */
export function formatDocument(text: string, options: FormatOptions = {}): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  let formatted = '';
  let at = 0;
  for (const { start, end } of splitStatements(text)) {
    const gap = text.slice(at, start);
    // SQLite reads a vertical tab as space behind other space, and as a fault elsewhere, which is not to be mended by the way.
    formatted = text.charAt(start) === '\v' ? formatted + gap : joinGap(formatted, gap, lineEnd, false);
    formatted += formatStatement(text.slice(start, end), options, lineEnd);
    at = end;
  }
  return joinGap(formatted, text.slice(at), lineEnd, true);
}

/** One statement laid out anew, without what stands around it; as it is when it is broken. */
export function formatStatement(text: string, options: FormatOptions = {}, lineEnd = '\n'): string {
  const tokens = formatTokens(text);
  if (!tokens || !(options.isWellFormed?.(text) ?? true)) return text;
  const { keywordCase = 'upper', commas = 'after', indent = '  ', lineWidth = 80 } = options;
  moveCommaComments(tokens, commas);
  const layout = statementLayout(tokens, { keywordCase, commas });
  if (!layout) return text;
  const formatted = printLayout(layout, { indent, lineWidth, lineEnd });
  return sameTokens(tokens, formatTokens(formatted)) ? formatted : text;
}

/** What is said behind an item is said of the item, on whichever side of it the comma stands. */
function moveCommaComments(tokens: readonly FormatToken[], commas: CommaPosition): void {
  for (const [index, comma] of tokens.entries()) {
    const before = tokens[index - 1];
    if (comma.key !== ',' || comma.kind !== 'punctuation' || !before || comma.above.length > 0) continue;
    const all = [...before.behind, ...comma.behind];
    const lineEnd = all.findIndex(({ toLineEnd }) => toLineEnd);
    const behind = lineEnd === -1 ? all : all.slice(0, lineEnd + 1);
    // What came after the end of a line stands above the next thing.
    const following = commas === 'after' ? tokens[index + 1] : comma;
    if (behind.length < all.length && !following) continue;
    if (following) following.above = [...all.slice(behind.length), ...following.above];
    [before.behind, comma.behind] = commas === 'after' ? [[], behind] : [behind, []];
  }
}

const commentsOf = (tokens: readonly FormatToken[]): readonly Comment[] =>
  tokens.flatMap(({ above, behind }) => [...above, ...behind]);

/** A layout that would change anything but space and case is a mistake of ours, and not used. */
function sameTokens(before: readonly FormatToken[], after: readonly FormatToken[] | undefined): boolean {
  if (after?.length !== before.length || !before.every(({ key }, index) => key === after[index]?.key)) return false;
  const kept = commentsOf(after);
  return commentsOf(before).every(({ text }, index) => text === kept[index]?.text);
}

/**
 * Adds what stands between statements: comments where they are, each on its line or behind what it follows, at most
 * one empty line in a row, and stray semicolons.
 */
function joinGap(written: string, gap: string, lineEnd: string, atEnd: boolean): string {
  let joined = written;
  let lines = 0;
  let open = false;
  const breakLines = (least: number): string =>
    joined === '' ? '' : lineEnd.repeat(Math.min(2, Math.max(least, lines))) || ' ';
  let mustBreak = written !== '';
  for (const { kind, start, end } of coarseTokens(gap)) {
    const piece = gap.slice(start, end);
    if (kind === 'space') lines += piece.split('\n').length - 1;
    else if (kind === 'semicolon') {
      joined += joined === '' || lines > 0 || open ? breakLines(open ? 1 : 0) + piece : piece;
      [lines, open, mustBreak] = [0, false, true];
    } else {
      const text = piece.startsWith('--') ? piece.trimEnd() : piece;
      joined += breakLines(open ? 1 : 0) + text;
      open = piece.startsWith('--');
      mustBreak = open;
      lines = piece.startsWith('--') && piece.endsWith('\n') ? 1 : 0;
    }
  }
  if (!atEnd) return joined + breakLines(mustBreak ? 1 : 0);
  return lines > 0 && joined !== '' ? joined + lineEnd : joined;
}
