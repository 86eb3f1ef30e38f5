import type { CancellationToken, FormattingOptions, TextEdit } from 'vscode-languageserver/node';
import { asNumber, lenient, object, oneOf, optional, refine } from '../base/decode.ts';
import {
  documentParts,
  editOf,
  type FormattedPart,
  type SqlFormatOptions,
  statementParts,
} from '../sql/formatter/formatter.ts';
import type { Feature } from './feature.ts';
import type { LanguageSettings } from './languageSettings.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

const decodeStyle = object({
  keywordCase: lenient(optional(oneOf(['upper', 'lower', 'keep']))),
  commas: lenient(optional(oneOf(['after', 'before']))),
  lineWidth: lenient(optional(refine(asNumber, width => width >= 0 && width <= 1000))),
});

/** Wider tabs leave no room for text. */
const maxTabSize = 16;

/** Formats documents, the statements in a range, and a statement when its semicolon is typed. */
export const formatting: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: ';' },
  },
  listen({ connection, documents, settings }) {
    connection.onDocumentFormatting(async ({ textDocument, options }, token) => {
      const [document] = await documents.documentsIn(textDocument);
      if (!document?.isWholeFile) return null;
      const style = await styleFor(document, options, settings);
      return editsOf(document, documentParts(document.text, document.statements.statements(), style), token);
    });
    connection.onDocumentRangeFormatting(async ({ textDocument, range, options }, token) => {
      const [document] = await documents.documentsIn(textDocument);
      if (!document?.isWholeFile) return null;
      const style = await styleFor(document, options, settings);
      const { statements, text } = document;
      const rangeStart = document.offsetAt(range.start);
      const rangeEnd = document.offsetAt(range.end);
      const chosen = statements.statements().filter(({ start, end }) => rangeStart < end && start < rangeEnd);
      return editsOf(document, statementParts(text, chosen, style), token);
    });
    connection.onDocumentOnTypeFormatting(async ({ textDocument, position, options }, token) => {
      const place = await documents.placeAt({ textDocument, position });
      if (!place?.document.isWholeFile) return null;
      const { document, offset } = place;
      const style = await styleFor(document, options, settings);
      const { statements } = document;
      const statement = statements.at(statements.firstEndingAfter(offset - 1));
      // A semicolon within a trigger does not end the statement.
      if (statement?.end !== offset) return null;
      return editsOf(document, statementParts(document.text, [statement], style), token);
    });
  },
};

async function styleFor(
  { uri }: SqlDocument,
  { tabSize, insertSpaces }: FormattingOptions,
  settings: LanguageSettings,
): Promise<SqlFormatOptions> {
  const style = await settings.get('format', decodeStyle, uri);
  const indentWidth = Math.min(Math.max(1, tabSize), maxTabSize);
  return { ...style, indent: insertSpaces ? ' '.repeat(indentWidth) : '\t', indentWidth };
}

async function editsOf(
  document: SqlDocument,
  parts: Iterable<FormattedPart>,
  token: CancellationToken,
): Promise<TextEdit[]> {
  const { text } = document;
  const turns = new Turns(token, document);
  const edits: TextEdit[] = [];
  for (const part of parts) {
    const edit = editOf(part, text);
    if (edit) edits.push({ range: document.rangeOf(edit), newText: edit.text });
    if (turns.isOver) await turns.next();
  }
  return edits;
}
