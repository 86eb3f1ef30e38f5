import { nameAt } from '../sql/symbols/documentNames.ts';
import { linkedNames } from '../sql/symbols/linkedNames.ts';
import type { Feature } from './feature.ts';
import { rangeOfName } from './places.ts';

/** While an alias is typed over, its uses in the statement follow, if linked editing is on. */
export const linkedEditing: Feature = {
  capabilities: { linkedEditingRangeProvider: true },
  listen({ connection, documents }) {
    connection.languages.onLinkedEditingRange(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      const linked = name ? linkedNames(document, name) : [];
      if (linked.length === 0) return null;
      return { ranges: linked.map(same => rangeOfName(same, document)), wordPattern: String.raw`[\w$\u0080-\uffff]+` };
    });
  },
};
