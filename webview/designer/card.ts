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

/** A key, check, foreign key or index in the form: its title, its fields and a button to remove it. */
export class Card {
  readonly root = element('div', 'card', { role: 'group' });
  readonly #options: CardOptions;
  readonly #title = element('span', 'card-title');
  readonly #remove: HTMLButtonElement | undefined;

  constructor(options: CardOptions) {
    const { onRemove, content } = options;
    this.#options = options;
    const head = element('div', 'card-head');
    head.append(this.#title);
    this.#remove = onRemove && createPlainButton(t('Remove'), onRemove);
    if (this.#remove) head.append(this.#remove);
    this.root.append(head, ...content);
  }

  /** The fields refresh themselves. */
  update(): void {
    const title = this.#options.title();
    setText(this.#title, title);
    this.root.setAttribute('aria-label', title);
    this.#remove?.setAttribute('aria-label', `${t('Remove')} ${title}`);
    this.#options.onUpdate?.();
  }

  focus(): void {
    const control = this.root.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
    control?.focus();
    if (control instanceof HTMLInputElement) control.select();
  }
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
      const card = new Card({ ...create(index), onRemove: () => draft.edit(removeFromList(list, index)) });
      this.#add.before(card.root);
      if (this.#focusesNext && index === count - 1) queueMicrotask(() => card.focus());
      return card;
    });
    if (count > 0) this.#focusesNext = false;
    for (const card of this.#cards) card.update();
    if (hadFocus) this.#add.focus();
  }
}
