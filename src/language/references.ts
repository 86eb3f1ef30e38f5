import type { Feature } from './feature.ts';
import { locationOf, namesInFile } from './places.ts';

/** Lists the names for the same thing: in the statement for aliases and common tables, in the document for others. */
export const references: Feature = {
  capabilities: { referencesProvider: true },
  listen({ connection, documents }) {
    connection.onReferences(async (params, token) => {
      const names = await namesInFile(documents, params, token);
      return names
        ?.filter(({ name }) => params.context.includeDeclaration || name.occurrence.role !== 'declaration')
        .map(({ name, document }) => locationOf(name, document));
    });
  },
};
