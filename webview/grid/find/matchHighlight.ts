import type { FindQuery } from '../../../src/protocol/rowQueries.ts';

/** The name of the highlight in the style sheet. */
const highlightName = 'match';
/** The texts for NULL and for values that are loading are not part of the result. */
const searchedCells = '[role="gridcell"]:not([data-kind="null"], [data-kind="loading"])';

/**
 * Highlights the matches in the cells of an element: those of a query, or else those of a search for rows. It marks ranges of
 * text and does not change the elements.
 */
export function highlightMatches(root: HTMLElement, foundQuery: FindQuery | undefined, search = ''): void {
  const query = foundQuery?.text ? foundQuery : { text: search, matchCase: false };
  if (query.text === '') {
    CSS.highlights.delete(highlightName);
    return;
  }
  const foldCase = (text: string): string => (query.matchCase ? text : text.toLowerCase());
  const searched = foldCase(query.text);
  const ranges: Range[] = [];
  for (const cell of root.querySelectorAll(searchedCells)) {
    for (const node of cell.childNodes) {
      const text = foldCase(node.textContent ?? '');
      // Some letters become longer in lower case. They would move the highlight.
      if (node.nodeType !== Node.TEXT_NODE || text.length !== node.textContent?.length) continue;
      for (let start = text.indexOf(searched); start >= 0; start = text.indexOf(searched, start + searched.length)) {
        const range = new Range();
        range.setStart(node, start);
        range.setEnd(node, start + searched.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(highlightName, new Highlight(...ranges));
}
