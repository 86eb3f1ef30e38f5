import {
  createConnection,
  type DocumentSymbol,
  type FoldingRange,
  ProposedFeatures,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { splitStatements } from '../sql/text/splitter.ts';

/** The language server: LSP in and out. What SQL is, it asks of sql/. */

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);

/** A statement's name in the outline. */
const longestName = 80;

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
  },
}));

connection.onDocumentSymbol(({ textDocument }): DocumentSymbol[] => {
  const document = documents.get(textDocument.uri);
  if (!document) return [];
  const text = document.getText();
  return splitStatements(text).map(({ start, end }) => {
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    const name = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, longestName);
    return { name, kind: SymbolKind.Event, range, selectionRange: range };
  });
});

connection.onFoldingRanges(({ textDocument }): FoldingRange[] => {
  const document = documents.get(textDocument.uri);
  if (!document) return [];
  return splitStatements(document.getText())
    .map(({ start, end }) => ({ startLine: document.positionAt(start).line, endLine: document.positionAt(end).line }))
    .filter(({ startLine, endLine }) => endLine > startLine);
});

documents.listen(connection);
connection.listen();
