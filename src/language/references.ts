import { nameAt } from '../sql/symbols/documentNames.ts';
import type { Feature } from './feature.ts';
import { locationOf, namesInFile } from './places.ts';
import { collectInTurns } from './turns.ts';

/** Lists the names for the same thing: in the statement for aliases and common tables, in the document for others. */
export const references: Feature = {
  capabilities: { referencesProvider: true },
  listen({ connection, documents }) {
    connection.onReferences(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const { version } = document;
      const name = nameAt(document, offset);
      const fileDocuments = await documents.in(params.textDocument, { withSchema: true });
      const names = name && (await collectInTurns(namesInFile({ document, name }, fileDocuments), token));
      if (!names || document.version !== version) return null;
      return names
        .filter(same => params.context.includeDeclaration || same.name.occurrence.role !== 'declaration')
        .map(same => locationOf(same.name, same.document));
    });
  },
};
