import { t } from '@vscode/l10n';
import { type JsonMember, membersOf } from '../../../src/base/jsonText.ts';
import { element } from '../../ui/element.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { beginningWithin, showText } from '../../ui/visibleText.ts';

/** More members are shown on request. */
const membersPerStep = 200;
const unfoldedLevels = 2;
const maxTextLength = 10_000;
/** Each invisible character is shown by a mark, which is an element. */
const maxTextMarks = 100;

/** Shows valid JSON as a tree. A folded member has no elements until it is unfolded. */
export function jsonTree(source: string): HTMLElement {
  return element('div', 'json', [createNode(undefined, source.trim(), 0)]);
}

function createNode(key: string | undefined, source: string, level: number): HTMLElement {
  if (!/^[[{]/.test(source)) return createLeaf(key, source);
  const members = [...membersOf(source)];
  const details = element('details');
  const summary = element('summary');
  appendKey(summary, key);
  summary.append(element('span', 'json-count', `${source[0]}${members.length}${source.at(-1)}`));
  details.append(summary);
  const createMembers = (): void => {
    if (details.childElementCount === 1) details.append(createList(members, level + 1));
  };
  details.addEventListener('toggle', createMembers);
  if (level < unfoldedLevels && members.length > 0) {
    createMembers();
    details.open = true;
  }
  return details;
}

function createList(members: readonly JsonMember[], level: number): HTMLElement {
  const list = element('ul');
  const append = (start: number): void => {
    for (const [key, source] of members.slice(start, start + membersPerStep)) {
      list.append(element('li', '', [createNode(key, source, level)]));
    }
    const next = start + membersPerStep;
    const hiddenMembers = members.length - next;
    if (hiddenMembers <= 0) return;
    const showMore = element('li');
    const button = createPlainButton(t('Show More ({0})', hiddenMembers), () => {
      showMore.remove();
      append(next);
      focusMember(list.children.item(next));
    });
    showMore.append(button);
    list.append(showMore);
  };
  append(0);
  return list;
}

/** Focuses a member in place of the button that showed it. */
function focusMember(item: Element | null): void {
  const summary = item?.querySelector<HTMLElement>(':scope > details > summary');
  if (summary) summary.focus();
  else if (item instanceof HTMLElement) {
    item.tabIndex = -1;
    item.focus();
  }
}

function createLeaf(key: string | undefined, source: string): HTMLElement {
  const line = element('div', 'json-leaf');
  appendKey(line, key);
  const value: unknown = JSON.parse(source);
  // A text is shown with few escapes, and a number exactly as written.
  const text = typeof value === 'string' ? JSON.stringify(value) : source;
  const shown = element('span', `json-${value === null ? 'null' : typeof value}`);
  showBeginning(shown, text);
  line.append(shown);
  return line;
}

function appendKey(line: HTMLElement, key: string | undefined): void {
  if (key === undefined) return;
  const shown = element('span', 'json-key');
  showBeginning(shown, key);
  line.append(shown, ': ');
}

function showBeginning(shown: HTMLElement, text: string): void {
  const beginning = beginningWithin(text, maxTextLength, maxTextMarks);
  showText(shown, beginning);
  if (beginning.length < text.length) shown.append(element('span', 'mark', '…'));
}
