import type { Position, SelectionRange } from 'vscode-languageserver/node';
import { selectionRangesAt } from '../sql/selection/selectionRanges.ts';
import type { Feature } from './feature.ts';
import type { ServedDocuments } from './servedDocuments.ts';

/** The selection grows from a word to its expression, clause, query and statement. */
export const selectionRanges: Feature = {
  capabilities: { selectionRangeProvider: true },
  listen({ connection, documents }) {
    connection.onSelectionRanges(async ({ textDocument, positions }) => {
      const found: SelectionRange[] = [];
      for (const position of positions) {
        const ranges = await rangesAt(documents, { textDocument, position });
        if (!ranges) return null;
        found.push(ranges);
      }
      return found;
    });
  },
};

async function rangesAt(
  documents: ServedDocuments,
  params: { readonly textDocument: { readonly uri: string }; readonly position: Position },
): Promise<SelectionRange | undefined> {
  const place = await documents.at(params);
  if (!place) return undefined;
  const { document, offset } = place;
  const { statements } = document;
  const around = statements.at(statements.firstEndingAfter(offset - 1));
  const start = around && around.start <= offset ? around.start : offset;
  const end = around && around.start <= offset ? around.end : offset;
  let selection: SelectionRange = { range: document.rangeOf({ start: 0, end: statements.length }) };
  for (const range of selectionRangesAt(statements.slice(start, end), offset - start).toReversed()) {
    selection = {
      range: document.rangeOf({ start: start + range.start, end: start + range.end }),
      parent: selection,
    };
  }
  return selection;
}
