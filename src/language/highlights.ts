import { type DocumentHighlight, DocumentHighlightKind } from 'vscode-languageserver/node';
import type { Occurrence } from '../sql/symbols/symbol.ts';
import type { Feature } from './feature.ts';
import { namesInFile, rangeOfName } from './places.ts';

const kinds: Readonly<Record<Occurrence['role'], DocumentHighlightKind>> = {
  declaration: DocumentHighlightKind.Write,
  write: DocumentHighlightKind.Write,
  read: DocumentHighlightKind.Read,
};

/** Highlights the names for the same thing as the one at the cursor. */
export const highlights: Feature = {
  capabilities: { documentHighlightProvider: true },
  listen({ connection, documents }) {
    connection.onDocumentHighlight(async (params, token) => {
      const names = await namesInFile(documents, params, token);
      return names?.map(({ name, document }): DocumentHighlight => ({
        range: rangeOfName(name, document),
        kind: kinds[name.occurrence.role],
      }));
    });
  },
};
