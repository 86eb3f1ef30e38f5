import { MarkupKind } from 'vscode-languageserver/node';
import { nameAt } from '../sql/symbols/documentNames.ts';
import { hoverText } from '../sql/symbols/hover.ts';
import type { Feature } from './feature.ts';
import { rangeOfName } from './places.ts';

/** Shows what the name under the mouse stands for. */
export const hover: Feature = {
  capabilities: { hoverProvider: true },
  listen({ connection, documents }) {
    connection.onHover(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      const value = name && hoverText(document, name, document.project ?? noProject);
      if (value === undefined) return null;
      return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOfName(name!, document) };
    });
  },
};

const noProject = { statements: [], rowCount: () => undefined };
