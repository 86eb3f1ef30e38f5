import type { SelectFrom } from 'sqlite3-parser';
import { followsMissingSemicolon } from '../parser/missingSemicolon.ts';
import type { Visited } from '../parser/walk.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import { unmarkedOffset } from './cursorContext.ts';
import type { NamesRequest } from './proposals.ts';

/** The query that has a name among its results, if the query has no FROM yet. */
export function queryWithoutFrom(name: Visited): SelectFrom | undefined {
  for (let inner = name; inner.parent; inner = inner.parent) {
    const { node } = inner.parent;
    if (node.type !== 'SelectFrom') continue;
    return !node.from && node.columns.some(column => column === inner.node) ? node : undefined;
  }
  return undefined;
}

/** The text that adds FROM to a query: directly after the typed word, or at another place. */
export type FromText = { readonly tail: string } | { readonly addition: TextEdit };

/** Finds the place of FROM after the results of a query. Undefined where a parenthesis is still open. */
export function placeOfFrom({
  context,
  word,
  proposals,
}: NamesRequest): ((table: string, alias?: string) => FromText) | undefined {
  const { tokens, index, markedText } = context;
  let depth = 0;
  let select = index - 1;
  for (; select >= 0; select--) {
    const { text } = tokens[select]!;
    if (text === ')') depth--;
    if (text === '(') depth++;
    if (depth >= 0 && text.toUpperCase() === 'SELECT') break;
  }
  if (select < 0) return undefined;
  let end = index + 1;
  for (; end < tokens.length; end++) {
    const { text, span } = tokens[end]!;
    if (depth === 0 && (text === ')' || followingClauses.has(text.toUpperCase()))) break;
    if (followsMissingSemicolon(markedText, text, span.offset)) break;
    if (text === '(') depth++;
    if (text === ')') depth--;
  }
  if (depth > 0) return undefined;
  const start = tokens[select]!.span.offset;
  const isOnOneLine = !markedText.slice(start, tokens[index]!.span.offset).includes('\n');
  const separator = isOnOneLine ? ' ' : `\n${indentationAt(markedText, start)}`;
  const textFor = (table: string, alias?: string): string => {
    const as = alias === undefined ? '' : ` ${proposals.inStatementCase('AS')} ${quoteIdentifierIfNeeded(alias)}`;
    return `${separator}${proposals.inStatementCase('FROM')} ${quoteIdentifierIfNeeded(table)}${as}`;
  };
  if (end === index + 1) return (table, alias) => ({ tail: textFor(table, alias) });
  const { offset, length } = tokens[end - 1]!.span;
  const place = unmarkedOffset(offset + length, word);
  return (table, alias) => ({ addition: { start: place, end: place, text: textFor(table, alias) } });
}

const followingClauses: ReadonlySet<string> = new Set(
  '; FROM WHERE GROUP HAVING WINDOW ORDER LIMIT UNION EXCEPT INTERSECT ON RETURNING'.split(' '),
);

function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)![0];
}
