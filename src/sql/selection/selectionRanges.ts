import type { Stmt } from 'sqlite3-parser';
import { nodesIn } from '../parser/walk.ts';
import type { TextRange } from '../text/textRange.ts';
import { type CoarseToken, coarseTokens, meaningfulTokens } from '../text/tokens.ts';

/** Nobody writes larger statements by hand. */
export const maxSelectionLength = 64 * 1024;
/** Reading the content of every parenthesis of a deep nest would take quadratic time. */
const maxGroups = 50;

const clauseWords = new Set(
  (
    'SELECT FROM WHERE GROUP HAVING WINDOW ORDER LIMIT VALUES SET RETURNING UNION EXCEPT INTERSECT WITH INSERT UPDATE ' +
    'DELETE JOIN LEFT RIGHT FULL INNER CROSS NATURAL WHEN ELSE BEGIN'
  ).split(' '),
);
/** Words that continue the clause of the previous word. */
const joinWords = new Set('LEFT RIGHT FULL INNER CROSS NATURAL OUTER JOIN'.split(' '));

/**
 * The ranges around an offset of a statement, from the word at the offset to the statement. Each contains the one before it.
 * Without a tree they come from the tokens.
 */
export function selectionRangesAt(statement: string, ast: Stmt | undefined, offset: number): TextRange[] {
  const whole = { start: 0, end: statement.length };
  if (statement.length > maxSelectionLength) return [whole];
  const candidates = [
    ...wordsAt(statement, offset),
    ...groupsAround(statement, offset),
    ...(ast ? nodesAround(ast, offset).map(range => trimmed(statement, range)) : []),
  ];
  return nested([...candidates, whole], offset, whole);
}

/** Each range contains the one before it. A candidate that overlaps one is left out. */
function nested(candidates: readonly TextRange[], offset: number, whole: TextRange): TextRange[] {
  const sorted = candidates
    .filter(
      ({ start, end }) => start <= offset && offset <= end && start < end && start >= whole.start && end <= whole.end,
    )
    .toSorted((a, b) => a.end - a.start - (b.end - b.start));
  const ranges: TextRange[] = [];
  for (const range of sorted) {
    const inner = ranges.at(-1);
    const isLarger = !inner || range.end - range.start > inner.end - inner.start;
    if (isLarger && (!inner || (range.start <= inner.start && inner.end <= range.end))) ranges.push(range);
  }
  return ranges;
}

/** The word or the quoted text at an offset, which may be at its end. */
function wordsAt(statement: string, offset: number): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { kind, start, end } of coarseTokens(statement)) {
    if (start > offset) break;
    if (end < offset || kind === 'space' || kind === 'other' || kind === 'semicolon') continue;
    ranges.push({ start, end });
    if (kind === 'quoted' && offset > start && offset < end) ranges.push({ start: start + 1, end: end - 1 });
  }
  return ranges;
}

/** The contents of the parentheses around an offset and their clauses, and the items of their lists. */
function groupsAround(statement: string, offset: number): TextRange[] {
  const tokens = [...meaningfulTokens(statement)];
  const groups: { readonly opener: number; readonly closer: number }[] = [];
  const open: number[] = [];
  const isSign = (token: CoarseToken, sign: string): boolean =>
    token.kind === 'other' && statement[token.start] === sign;
  for (const [index, token] of tokens.entries()) {
    if (isSign(token, '(')) open.push(index);
    if (!isSign(token, ')')) continue;
    const opener = open.pop();
    const isAround = opener !== undefined && tokens[opener]!.start < offset && offset < token.end;
    if (isAround) groups.push({ opener, closer: index });
  }
  const end = tokens.at(-1)?.kind === 'semicolon' ? -1 : tokens.length;
  // The innermost groups come first.
  const ranges = partsOf(statement, tokens.slice(0, end));
  for (const { opener, closer } of groups.slice(0, maxGroups)) {
    ranges.push({ start: tokens[opener]!.start, end: tokens[closer]!.end });
    ranges.push(...partsOf(statement, tokens.slice(opener + 1, closer)));
  }
  return ranges;
}

/** The whole of some tokens, and their clauses. */
function partsOf(statement: string, tokens: readonly CoarseToken[]): TextRange[] {
  const first = tokens[0];
  if (!first) return [];
  const starts: number[] = [];
  let depth = 0;
  let previous = '';
  for (const [index, { kind, start, end }] of tokens.entries()) {
    const sign = statement.charAt(start);
    if (kind === 'other' && sign === '(') depth++;
    if (kind === 'other' && sign === ')') depth--;
    const word = kind === 'word' ? statement.slice(start, end).toUpperCase() : '';
    const continuesJoin = joinWords.has(word) && joinWords.has(previous);
    if (depth === 0 && clauseWords.has(word) && !continuesJoin) starts.push(index);
    previous = word;
  }
  const endOf = (index: number): number => tokens[index]!.end;
  const clauses = starts.map((start, number) => ({
    start: tokens[start]!.start,
    end: endOf((starts[number + 1] ?? tokens.length) - 1),
  }));
  return [{ start: first.start, end: endOf(tokens.length - 1) }, ...clauses];
}

/** A node may begin with the space before its first token. */
function trimmed(statement: string, { start, end }: TextRange): TextRange {
  const text = statement.slice(start, end);
  return { start: end - text.trimStart().length, end };
}

/** The nodes of the tree around an offset. */
function nodesAround(ast: Stmt, offset: number): TextRange[] {
  const ranges: TextRange[] = [];
  // A node may lack a place of its own, but its children have theirs.
  for (const { node } of nodesIn(ast)) {
    const { offset: start, length } = node.span;
    if (start <= offset && offset <= start + length) ranges.push({ start, end: start + length });
  }
  return ranges;
}
