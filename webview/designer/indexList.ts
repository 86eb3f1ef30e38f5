import { t } from '@vscode/l10n';
import type { IndexDesign, IndexPart } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { Card, CardList, type CardView } from './card.ts';
import type { FormParts } from './designForm.ts';
import { textOrNone, withElement, withoutElement } from './edits.ts';
import { CheckField, TextField } from './field.ts';
import { PartList } from './partList.ts';

export function createIndexList(parts: FormParts): CardList<IndexDesign> {
  const { draft } = parts;
  return new CardList<IndexDesign>({
    heading: t('Indexes'),
    addLabel: t('Add Index'),
    onAdd: () => void draft.change({ kind: 'addIndex' }),
    create: index => new IndexCard(index, parts),
  });
}

class IndexCard implements CardView<IndexDesign> {
  readonly root: HTMLElement;
  readonly #parts: FormParts;
  readonly #card: Card;
  readonly #name: TextField;
  readonly #unique: CheckField;
  readonly #where: TextField;
  readonly #columns: PartList<IndexPart>;
  #title = '';

  constructor(index: number, parts: FormParts) {
    const { draft } = parts;
    this.#parts = parts;
    const edit = (change: (index: IndexDesign) => IndexDesign): void =>
      draft.edit(design => ({ ...design, indexes: withElement(design.indexes, index, change) }));
    const place = (field: string): string => `indexes/${index}/${field}`;
    this.#card = new Card({
      removeLabel: t('Remove'),
      onRemove: () => draft.edit(design => ({ ...design, indexes: withoutElement(design.indexes, index) })),
    });
    this.#name = new TextField({
      label: t('Index name'),
      place: place('name'),
      onInput: name => edit(before => ({ ...before, name })),
    });
    this.#unique = new CheckField({
      label: t('Unique'),
      place: place('unique'),
      onChange: unique => edit(before => ({ ...before, unique })),
    });
    this.#where = new TextField({
      label: t('Only rows where'),
      place: place('where'),
      isCode: true,
      onInput: text => edit(before => ({ ...before, where: textOrNone(text) })),
    });
    this.#columns = new PartList<IndexPart>({
      parts,
      place: place('parts'),
      label: () => this.#title,
      isOrdered: true,
      takesExpressions: true,
      onChange: list => edit(before => ({ ...before, parts: list })),
    });
    const fields = element('div', 'fields');
    fields.append(this.#name.root, this.#where.root, this.#unique.root);
    this.root = this.#card.root;
    this.root.append(fields, this.#columns.root);
  }

  update({ name, unique, where, parts: list }: IndexDesign, index: number): void {
    const { draft } = this.#parts;
    this.#title = t('Index {0}', name === '' ? index + 1 : name);
    this.#card.title = this.#title;
    this.#name.value = name;
    this.#unique.value = unique;
    this.#where.value = where ?? '';
    this.#columns.update(list, draft.design);
  }

  focus(): void {
    this.#name.control.focus();
    this.#name.control.select();
  }
}
