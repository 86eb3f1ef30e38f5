import { t } from '@vscode/l10n';
import { element, resizeList, setText } from '../ui/element.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import type { DraftEditor } from './draftEditor.ts';
import { type CardListName, removeFromList } from './edits.ts';

export interface CardOptions {
  readonly title: () => string;
  /** A part without it cannot be removed. */
  readonly onRemove?: () => void;
  readonly content: readonly HTMLElement[];
  /** Adds and removes the lines of a list. */
  readonly onUpdate?: () => void;
}

export type Card = ReturnType<typeof createCard>;

/** A key, check, foreign key or index in the form: its title, its fields and a button to remove it. */
export function createCard({ title, onRemove, content, onUpdate }: CardOptions) {
  const titleText = element('span', 'card-title');
  const remove = onRemove && createPlainButton(t('Remove'), onRemove);
  const head = element('div', 'card-head', remove ? [titleText, remove] : [titleText]);
  const root = element('div', 'card', { role: 'group' });
  root.append(head, ...content);
  return {
    root,
    /** The fields refresh themselves. */
    update: () => {
      setText(titleText, title());
      root.setAttribute('aria-label', title());
      remove?.setAttribute('aria-label', `${t('Remove')} ${title()}`);
      onUpdate?.();
    },
    focus: () => {
      const control = root.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
      control?.focus();
      if (control instanceof HTMLInputElement) control.select();
    },
  };
}

interface CardListOptions {
  readonly draft: DraftEditor;
  readonly list: CardListName;
  readonly heading: string;
  readonly addLabel: string;
  readonly onAdd: () => void;
  readonly create: (index: number) => CardOptions;
}

/** A section of the form with a card for each element of a list, and a button that adds one. */
export class CardList {
  readonly root = element('section');
  readonly #options: CardListOptions;
  readonly #cards: Card[] = [];
  readonly #add: HTMLButtonElement;
  #focusesNext = false;

  constructor(options: CardListOptions) {
    this.#options = options;
    this.#add = createPlainButton(options.addLabel, () => {
      this.#focusesNext = true;
      options.onAdd();
    });
    this.#add.classList.add('add');
    this.root.append(element('h2', '', options.heading), this.#add);
  }

  update(): void {
    const { draft, list, create } = this.#options;
    const count = draft.design[list].length;
    const hadFocus = this.#cards.slice(count).some(({ root }) => root.contains(document.activeElement));
    resizeList(this.#cards, count, index => {
      const card = createCard({ ...create(index), onRemove: () => draft.edit(removeFromList(list, index)) });
      this.#add.before(card.root);
      if (this.#focusesNext && index === count - 1) queueMicrotask(() => card.focus());
      return card;
    });
    if (count > 0) this.#focusesNext = false;
    for (const card of this.#cards) card.update();
    if (hadFocus) this.#add.focus();
  }
}
