import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { cutAt, showPieces } from '../values/cellContent.ts';
import { visiblePieces } from '../values/visibleText.ts';
import { type JsonMember, membersOf } from './jsonMembers.ts';

/** Members shown of an array or object before one asks for more. */
const membersAtOnce = 200;
/** Levels that are open to begin with. */
const openLevels = 2;
const longestLeaf = 10_000;

/** Valid JSON as a tree that can be folded. What is folded has no elements until it is opened. */
export function jsonTree(source: string, labels: GridLabels): HTMLElement {
  const root = element('div', 'json');
  root.append(node(undefined, source.trim(), 0, labels));
  return root;
}

function node(key: string | undefined, source: string, level: number, labels: GridLabels): HTMLElement {
  const members = membersOf(source);
  if (!members) return leaf(key, source);
  const details = element('details');
  const summary = element('summary');
  appendKey(summary, key);
  summary.append(element('span', 'json-count', `${source[0]}${members.length}${source.at(-1)}`));
  details.append(summary);
  const build = (): void => {
    if (details.childElementCount === 1) details.append(list(members, level + 1, labels));
  };
  details.addEventListener('toggle', build);
  if (level < openLevels && members.length > 0) {
    build();
    details.open = true;
  }
  return details;
}

function list(members: readonly JsonMember[], level: number, labels: GridLabels): HTMLElement {
  const items = element('ul');
  const add = (from: number): void => {
    for (const { key, source } of members.slice(from, from + membersAtOnce)) {
      const item = element('li');
      item.append(node(key, source, level, labels));
      items.append(item);
    }
    const left = members.length - from - membersAtOnce;
    if (left <= 0) return;
    const more = element('li');
    more.append(
      createPlainButton(fill(labels.showMore, left), () => {
        more.remove();
        add(from + membersAtOnce);
        const next = items.children.item(from + membersAtOnce);
        const target = next?.querySelector<HTMLElement>(':scope > details > summary') ?? next;
        if (!(target instanceof HTMLElement)) return;
        if (target === next) target.tabIndex = -1;
        target.focus();
      }),
    );
    items.append(more);
  };
  add(0);
  return items;
}

function leaf(key: string | undefined, source: string): HTMLElement {
  const line = element('div', 'json-leaf');
  appendKey(line, key);
  const value: unknown = JSON.parse(source);
  // Of a text the characters count, however they are escaped; a number is shown as it is written.
  const text = typeof value === 'string' ? JSON.stringify(value) : source;
  const shown = element('span', `json-${value === null ? 'null' : typeof value}`);
  showPieces(shown, visiblePieces(cutAt(text, longestLeaf)));
  line.append(shown);
  return line;
}

function appendKey(line: HTMLElement, key: string | undefined): void {
  if (key === undefined) return;
  const shown = element('span', 'json-key');
  showPieces(shown, visiblePieces(cutAt(key, longestLeaf)));
  line.append(shown, ': ');
}
