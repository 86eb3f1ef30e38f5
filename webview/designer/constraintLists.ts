import { fill } from '../../src/protocol/labels.ts';
import type { Check, KeyPart, TableDesign, UniqueKeyDesign } from '../../src/protocol/tableDesign.ts';
import { Card, CardList, type CardView } from './card.ts';
import type { FormParts } from './designForm.ts';
import { setKeyColumns, withElement, withoutElement } from './edits.ts';
import { TextField } from './field.ts';
import { PartList } from './partList.ts';

/** The keys of several columns: the primary key with its order, and unique keys. */
export class KeyLists {
  readonly root: HTMLElement;
  readonly #primary = new Card({});
  readonly #primaryColumns: PartList<KeyPart>;
  readonly #unique: CardList<UniqueKeyDesign>;

  constructor(parts: FormParts) {
    const { labels, draft } = parts;
    this.#primary.title = labels.primaryKey;
    this.#primaryColumns = new PartList<KeyPart>({
      parts,
      place: 'primaryKey',
      label: () => labels.primaryKey,
      isOrdered: true,
      onChange: columns => draft.edit(setKeyColumns(columns)),
    });
    this.#primary.root.append(this.#primaryColumns.root);
    this.#unique = new CardList<UniqueKeyDesign>({
      heading: labels.keys,
      addLabel: labels.addUniqueKey,
      onAdd: () => draft.edit(design => ({ ...design, uniqueKeys: [...design.uniqueKeys, { columns: [] }] })),
      create: index => new UniqueKeyCard(index, parts),
    });
    this.#unique.root.querySelector('h2')?.after(this.#primary.root);
    this.root = this.#unique.root;
  }

  update(design: TableDesign): void {
    const columns = design.primaryKey?.columns ?? [];
    // A key of one column is a checkbox of the column.
    this.#primary.root.hidden = columns.length < 2 && !this.#primary.root.contains(document.activeElement);
    this.#primaryColumns.update(columns, design);
    this.#unique.update(design.uniqueKeys);
  }
}

class UniqueKeyCard implements CardView<UniqueKeyDesign> {
  readonly root: HTMLElement;
  readonly #parts: FormParts;
  readonly #card: Card;
  readonly #columns: PartList<KeyPart>;
  #title = '';

  constructor(index: number, parts: FormParts) {
    const { labels, draft } = parts;
    this.#parts = parts;
    this.#card = new Card({
      removeLabel: labels.remove,
      onRemove: () => draft.edit(design => ({ ...design, uniqueKeys: withoutElement(design.uniqueKeys, index) })),
    });
    this.#columns = new PartList<KeyPart>({
      parts,
      place: `uniqueKeys/${index}`,
      label: () => this.#title,
      onChange: columns =>
        draft.edit(design => ({
          ...design,
          uniqueKeys: withElement(design.uniqueKeys, index, key => ({ ...key, columns })),
        })),
    });
    this.root = this.#card.root;
    this.root.append(this.#columns.root);
  }

  update({ columns }: UniqueKeyDesign, index: number): void {
    const { labels, draft } = this.#parts;
    this.#title = fill(labels.uniqueKey, index + 1);
    this.#card.title = this.#title;
    this.#columns.update(columns, draft.design);
  }

  focus(): void {
    this.root.querySelector('select')?.focus();
  }
}

/** The checks of the whole table. */
export function createCheckList(parts: FormParts): CardList<Check> {
  const { labels, draft } = parts;
  return new CardList<Check>({
    heading: labels.checks,
    addLabel: labels.addCheck,
    onAdd: () => draft.edit(design => ({ ...design, checks: [...design.checks, { expression: '' }] })),
    create: index => new CheckCard(index, parts),
  });
}

class CheckCard implements CardView<Check> {
  readonly root: HTMLElement;
  readonly #labels: FormParts['labels'];
  readonly #card: Card;
  readonly #expression: TextField;

  constructor(index: number, { labels, draft }: FormParts) {
    this.#labels = labels;
    this.#card = new Card({
      removeLabel: labels.remove,
      onRemove: () => draft.edit(design => ({ ...design, checks: withoutElement(design.checks, index) })),
    });
    this.#expression = new TextField({
      label: labels.expression,
      place: `checks/${index}`,
      isCode: true,
      onInput: expression =>
        draft.edit(design => ({
          ...design,
          checks: withElement(design.checks, index, check => ({ ...check, expression })),
        })),
    });
    this.root = this.#card.root;
    this.root.append(this.#expression.root);
  }

  update({ expression }: Check, index: number): void {
    this.#card.title = fill(this.#labels.checkNumber, index + 1);
    this.#expression.value = expression;
  }

  focus(): void {
    this.#expression.control.focus();
  }
}
