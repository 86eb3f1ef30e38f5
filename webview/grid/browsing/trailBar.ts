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
export class TrailBar {
  readonly root = element('nav', 'trail', { 'aria-label': t('Trail of foreign keys'), hidden: '' });
  readonly #options: TrailBarOptions;
  readonly #back = createIconButton({
    label: t('Back on the Trail'),
    sign: '←',
    keys: backKeys,
    onClick: () => this.#goBy(-1),
  });
  readonly #forward = createIconButton({
    label: t('Forward on the Trail'),
    sign: '→',
    keys: forwardKeys,
    onClick: () => this.#goBy(1),
  });
  readonly #steps = element('ol');
  #trail: TrailView | undefined;

  constructor(options: TrailBarOptions) {
    this.#options = options;
    this.root.append(this.#back, this.#forward, this.#steps);
    document.addEventListener('keydown', event => this.#onKey(event));
  }

  show(trail: TrailView | undefined): void {
    if (JSON.stringify(trail) === JSON.stringify(this.#trail)) return;
    this.#trail = trail;
    if (this.root.contains(document.activeElement)) this.#options.passFocus();
    this.root.hidden = !trail;
    if (!trail) return;
    const { labels, index } = trail;
    this.#back.disabled = index === 0;
    this.#forward.disabled = index === labels.length - 1;
    const items = labels.map((label, number) => this.#item(label, number, index));
    this.#steps.replaceChildren(...items);
    items[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #item(label: string, number: number, current: number): HTMLLIElement {
    const text = visibleText(label);
    const button = createPlainButton(text, () => {
      if (number !== this.#trail?.index) this.#options.goTo(number);
    });
    button.title = text;
    if (number === current) button.setAttribute('aria-current', 'step');
    return element('li', '', [button]);
  }

  #onKey(event: KeyboardEvent): void {
    const { target } = event;
    const keys = shortcutOf(event);
    if (keys !== backKeys && keys !== forwardKeys) return;
    // In a field on a Mac, the keys move by words.
    if (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) return;
    if (this.#goBy(keys === backKeys ? -1 : 1)) takeKey(event);
  }

  /** Returns false at the end of the trail. */
  #goBy(direction: number): boolean {
    const trail = this.#trail;
    const index = (trail?.index ?? 0) + direction;
    if (!trail || index < 0 || index >= trail.labels.length) return false;
    this.#options.goTo(index);
    return true;
  }
}
