import type { FindQuery } from '../../../src/protocol/rowQueries.ts';

const name = 'match';
/** What stands for NULL, or for a value on its way, is no text of the result. */
const cells = '[role="gridcell"]:not([data-kind="null"], [data-kind="loading"])';

/** Marks what was looked for in an element's text, wherever it stands there, without touching the elements. */
export function highlightMatches(root: HTMLElement, query: FindQuery | undefined): void {
  if (!query?.text) {
    CSS.highlights.delete(name);
    return;
  }
  const fold = (text: string): string => (query.matchCase ? text : text.toLowerCase());
  const wanted = fold(query.text);
  const ranges: Range[] = [];
  for (const cell of root.querySelectorAll(cells)) {
    for (const node of cell.childNodes) {
      const text = fold(node.textContent ?? '');
      // Letters whose small form takes more room would put what is marked in the wrong place.
      if (node.nodeType !== Node.TEXT_NODE || text.length !== node.textContent?.length) continue;
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(name, new Highlight(...ranges));
}
