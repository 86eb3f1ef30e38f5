import type { SelectionRange } from 'vscode-languageserver/node';
import { maxSelectionLength, selectionRangesAt } from '../sql/selection/selectionRanges.ts';
import type { TextRange } from '../sql/text/textRange.ts';
import type { Feature } from './feature.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

/** The selection grows from a word to its expression, clause, query and statement. */
export const selectionRanges: Feature = {
  capabilities: { selectionRangeProvider: true },
  listen({ connection, documents }) {
    connection.onSelectionRanges(async ({ textDocument, positions }, token) => {
      const found: SelectionRange[] = [];
      let turns: Turns | undefined;
      for (const position of positions) {
        const place = await documents.at({ textDocument, position });
        if (!place) return null;
        turns ??= new Turns(token, place.document);
        if (turns.isOver) await turns.next();
        found.push(selectionAt(place.document, place.offset));
      }
      return found;
    });
  },
};

function selectionAt(document: SqlDocument, offset: number): SelectionRange {
  const { statements } = document;
  let selection: SelectionRange = { range: document.rangeOf({ start: 0, end: statements.length }) };
  for (const range of rangesAt(document, offset).toReversed()) {
    selection = { range: document.rangeOf(range), parent: selection };
  }
  return selection;
}

/** The ranges within the statement at an offset. Only the offset between statements. */
function rangesAt(document: SqlDocument, offset: number): readonly TextRange[] {
  const { statements } = document;
  const number = statements.firstEndingAfter(offset - 1);
  const statement = statements.at(number);
  if (!statement || statement.start > offset) return [{ start: offset, end: offset }];
  const { start, end } = statement;
  const ast = end - start > maxSelectionLength ? undefined : document.parsed(number).ast;
  return selectionRangesAt(statements.slice(start, end), ast, offset - start).map(range => ({
    start: start + range.start,
    end: start + range.end,
  }));
}
