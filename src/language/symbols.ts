import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver/node';
import { oneLine } from '../base/oneLine.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** The outline shows this much of a statement. */
const maxNameLength = 80;

export const symbols: Feature = {
  capabilities: { documentSymbolProvider: true },
  listen({ connection, documents }) {
    connection.onDocumentSymbol(async ({ textDocument }) => (await documents.in(textDocument)).flatMap(symbolsOf));
  },
};

function symbolsOf(document: SqlDocument): DocumentSymbol[] {
  return document.statements.statements().map(({ start, end }) => {
    const range = document.rangeOf({ start, end });
    const name = oneLine(document.statements.slice(start, end), maxNameLength);
    return { name, kind: SymbolKind.Event, range, selectionRange: range };
  });
}
