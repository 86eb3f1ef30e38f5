import type { FoldingRange } from 'vscode-languageserver/node';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';

export const folding: Feature = {
  capabilities: { foldingRangeProvider: true },
  listen({ connection, documents }) {
    connection.onFoldingRanges(async ({ textDocument }) => (await documents.in(textDocument)).flatMap(foldsOf));
  },
};

function foldsOf(document: SqlDocument): FoldingRange[] {
  return document.statements
    .statements()
    .map(statement => document.rangeOf(statement))
    .map(({ start, end }) => ({ startLine: start.line, endLine: end.line }))
    .filter(({ startLine, endLine }) => endLine > startLine);
}
