import { nameAt, sameNames } from '../sql/symbols/documentNames.ts';
import type { Feature } from './feature.ts';
import { locationOf } from './places.ts';
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
      const names = name && (await collectInTurns(sameNames(document, name), token));
      if (!names || document.version !== version) return null;
      return names
        .filter(({ occurrence }) => !occurrence.isImplied)
        .filter(({ occurrence }) => params.context.includeDeclaration || occurrence.role !== 'declaration')
        .map(same => locationOf(same, document));
    });
  },
};
