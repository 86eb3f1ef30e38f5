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
import { oneLine } from '../base/oneLine.ts';
import { splitStatements } from '../sql/text/splitter.ts';

/* The language server translates between LSP and sql/. */

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);

/** The outline shows this much of a statement. */
const maxNameLength = 80;

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
    const name = oneLine(text.slice(start, end), maxNameLength);
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
