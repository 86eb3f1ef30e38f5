import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver/node';
import { nameAt } from '../sql/symbols/documentNames.ts';
import type { Occurrence } from '../sql/symbols/symbol.ts';
import type { Feature } from './feature.ts';
import { namesInFile, rangeOfName } from './places.ts';
import { collectInTurns } from './turns.ts';

const kinds: Readonly<Record<Occurrence['role'], DocumentHighlightKind>> = {
  declaration: DocumentHighlightKind.Write,
  write: DocumentHighlightKind.Write,
  read: DocumentHighlightKind.Read,
};

/** Highlights the names for the same thing as the one at the cursor. */
export const highlights: Feature = {
  capabilities: { documentHighlightProvider: true },
  listen({ connection, documents }) {
    connection.onDocumentHighlight(async (params, token): Promise<DocumentHighlight[] | null> => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const { version } = document;
      const name = nameAt(document, offset);
      if (!name || name.occurrence.symbols.length === 0) return null;
      const fileDocuments = await documents.in(params.textDocument, { withSchema: true });
      const names = await collectInTurns(namesInFile({ document, name }, fileDocuments), token);
      if (!names || document.version !== version) return null;
      return names.map(same => ({
        range: rangeOfName(same.name, same.document),
        kind: kinds[same.name.occurrence.role],
      }));
    });
  },
};
