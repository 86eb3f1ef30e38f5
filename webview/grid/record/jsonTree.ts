import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { asRecord } from '../../../src/base/shape.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { cutAt, showPieces } from '../values/cellContent.ts';
import { visiblePieces } from '../values/visibleText.ts';

/** Members shown of an array or object before one asks for more. */
const membersAtOnce = 200;
/** Levels that are open to begin with. */
const openLevels = 2;
const longestLeaf = 10_000;

/** A JSON value as a tree that can be folded. What is folded has no elements until it is opened. */
export function jsonTree(value: unknown, labels: GridLabels): HTMLElement {
  const root = element('div', 'json');
  root.append(node(undefined, value, 0, labels));
  return root;
}

function node(key: string | undefined, value: unknown, level: number, labels: GridLabels): HTMLElement {
  const members = membersOf(value);
  if (!members) return leaf(key, value);
  const details = element('details');
  const summary = element('summary');
  appendKey(summary, key);
  const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  summary.append(element('span', 'json-count', `${opening}${members.length}${closing}`));
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

function list(members: readonly (readonly [string, unknown])[], level: number, labels: GridLabels): HTMLElement {
  const items = element('ul');
  const add = (from: number): void => {
    for (const [key, value] of members.slice(from, from + membersAtOnce)) {
      const item = element('li');
      item.append(node(key, value, level, labels));
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

function leaf(key: string | undefined, value: unknown): HTMLElement {
  const line = element('div', 'json-leaf');
  appendKey(line, key);
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
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

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((member: unknown, i) => [String(i), member] as const);
  const record = asRecord(value);
  return record && Object.entries(record);
}
