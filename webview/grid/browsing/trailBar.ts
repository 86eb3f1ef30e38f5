import { t } from '@vscode/l10n';
import type { TrailView } from '../../../src/protocol/browsing.ts';
import { element } from '../../ui/element.ts';
import { createIconButton, createPlainButton } from '../../ui/iconButton.ts';
import { type Shortcut, shortcutOf, takeKey } from '../../ui/keys.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** The keys of browsers, and of VS Code's Go Back on Windows. At the ends of the trail, VS Code gets them. */
const backKeys: Shortcut = 'Alt+ArrowLeft';
const forwardKeys: Shortcut = 'Alt+ArrowRight';

interface TrailBarOptions {
  readonly goTo: (index: number) => void;
  readonly passFocus: () => void;
}

/** The line above the rows with the steps of the trail. */
export function createTrailBar({ goTo, passFocus }: TrailBarOptions) {
  const root = element('nav', 'trail', { 'aria-label': t('Trail of foreign keys'), hidden: '' });
  const steps = element('ol');
  let trail: TrailView | undefined;

  /** Returns false at the end of the trail. */
  const goBy = (direction: number): boolean => {
    const index = (trail?.index ?? 0) + direction;
    if (!trail || index < 0 || index >= trail.labels.length) return false;
    goTo(index);
    return true;
  };
  const back = createIconButton({
    label: t('Back on the Trail'),
    sign: '←',
    keys: backKeys,
    onClick: () => goBy(-1),
  });
  const forward = createIconButton({
    label: t('Forward on the Trail'),
    sign: '→',
    keys: forwardKeys,
    onClick: () => goBy(1),
  });
  root.append(back, forward, steps);
  document.addEventListener('keydown', event => {
    const { target } = event;
    const keys = shortcutOf(event);
    if (keys !== backKeys && keys !== forwardKeys) return;
    // In a field on a Mac, the keys move by words.
    if (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) return;
    if (goBy(keys === backKeys ? -1 : 1)) takeKey(event);
  });

  const createItem = (label: string, number: number): HTMLLIElement => {
    const text = visibleText(label);
    const button = createPlainButton(text, () => {
      if (number !== trail?.index) goTo(number);
    });
    button.title = text;
    if (number === trail?.index) button.setAttribute('aria-current', 'step');
    return element('li', '', [button]);
  };
  const show = (shown: TrailView | undefined): void => {
    if (JSON.stringify(shown) === JSON.stringify(trail)) return;
    trail = shown;
    if (root.contains(document.activeElement)) passFocus();
    root.hidden = !trail;
    if (!trail) return;
    const { labels, index } = trail;
    back.disabled = index === 0;
    forward.disabled = index === labels.length - 1;
    const items = labels.map(createItem);
    steps.replaceChildren(...items);
    items[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  return { root, show };
}
