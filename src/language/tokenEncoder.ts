import type { SemanticTokensBuilder, SemanticTokenTypes } from 'vscode-languageserver/node';
import type { Highlight, HighlightKind } from '../sql/highlighting/highlights.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** Themes know these types. package.json maps them to the scopes of SQL. */
const typeOfKind: Readonly<Record<HighlightKind, `${SemanticTokenTypes}`>> = {
  keyword: 'keyword',
  function: 'function',
  table: 'class',
  column: 'property',
  alias: 'variable',
  object: 'variable',
  type: 'type',
  string: 'string',
  number: 'number',
  parameter: 'parameter',
  operator: 'operator',
  comment: 'comment',
  database: 'namespace',
};

export const tokenTypes = [...new Set(Object.values(typeOfKind))];

export const tokenModifiers = ['declaration', 'defaultLibrary'];

/** Adds a token of a document. The protocol has no tokens over several lines, so each line of the token becomes one. */
export function addToken(builder: SemanticTokensBuilder, document: SqlDocument, text: string, token: Highlight) {
  for (const { start, end } of linesOf(text, token)) {
    const { line, character } = document.positionAt(start);
    const type = tokenTypes.indexOf(typeOfKind[token.kind]);
    builder.push(line, character, end - start, type, (token.isDeclaration ? 1 : 0) + (token.isBuiltIn ? 2 : 0));
  }
}

/** The lines of a token. A search must not go beyond the token: the text may be one long line. */
function linesOf(text: string, token: TextRange): readonly TextRange[] {
  const source = text.slice(token.start, token.end);
  if (!source.includes('\n')) return [token];
  return [...source.matchAll(/[^\r\n]+/g)].map(({ index, 0: line }) => ({
    start: token.start + index,
    end: token.start + index + line.length,
  }));
}

/** The edit that turns the data of the previous answer into those of the next one. */
export function dataEdit(
  previous: readonly number[],
  next: readonly number[],
): { readonly start: number; readonly deleteCount: number; readonly data: number[] } {
  const shared = Math.min(previous.length, next.length);
  let start = 0;
  while (start < shared && previous[start] === next[start]) start++;
  let tail = 0;
  while (tail < shared - start && previous.at(-1 - tail) === next.at(-1 - tail)) tail++;
  return { start, deleteCount: previous.length - tail - start, data: next.slice(start, next.length - tail) };
}
