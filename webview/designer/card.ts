import { t } from '@vscode/l10n';
import { element, setText } from '../ui/element.ts';
import { createPlainButton } from '../ui/iconButton.ts';

/** A key, check, foreign key or index in the form: its title, its fields and a button to remove it. */
export class Card {
  readonly root = element('div', 'card', { role: 'group' });
  readonly #title = element('span', 'card-title');
  readonly #remove: HTMLButtonElement | undefined;

  /** A part without `onRemove` cannot be removed. */
  constructor(onRemove?: () => void) {
    const head = element('div', 'card-head');
    head.append(this.#title);
    this.#remove = onRemove && createPlainButton(t('Remove'), onRemove);
    if (this.#remove) head.append(this.#remove);
    this.root.append(head);
  }

  get title(): string {
    return this.#title.textContent;
  }

  set title(title: string) {
    setText(this.#title, title);
    this.root.setAttribute('aria-label', title);
    this.#remove?.setAttribute('aria-label', `${t('Remove')} ${title}`);
  }
}

interface CardListOptions<T> {
  readonly heading: string;
  readonly addLabel: string;
  readonly onAdd: () => void;
  readonly create: (index: number) => CardView<T>;
}

export interface CardView<T> {
  readonly root: HTMLElement;
  update(value: T, index: number): void;
  focus(): void;
}

/** A section of the form with a card for each element of a list, and a button that adds one. */
export class CardList<T> {
  readonly root = element('section');
  readonly #options: CardListOptions<T>;
  readonly #cards: CardView<T>[] = [];
  readonly #add: HTMLButtonElement;
  #focusesNext = false;

  constructor(options: CardListOptions<T>) {
    this.#options = options;
    this.#add = createPlainButton(options.addLabel, () => {
      this.#focusesNext = true;
      options.onAdd();
    });
    this.#add.classList.add('add');
    this.root.append(element('h2', '', options.heading), this.#add);
  }

  update(list: readonly T[]): void {
    const hadFocus = this.#cards.slice(list.length).some(({ root }) => root.contains(document.activeElement));
    while (this.#cards.length > list.length) this.#cards.pop()!.root.remove();
    while (this.#cards.length < list.length) {
      const card = this.#options.create(this.#cards.length);
      this.#cards.push(card);
      this.#add.before(card.root);
      if (this.#focusesNext && this.#cards.length === list.length) queueMicrotask(() => card.focus());
    }
    if (list.length > 0) this.#focusesNext = false;
    list.forEach((value, index) => this.#cards[index]!.update(value, index));
    if (hadFocus) this.#add.focus();
  }

  focusAdd(): void {
    this.#add.focus();
  }
}
