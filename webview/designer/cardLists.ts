import { t } from '@vscode/l10n';
import type {
  Check,
  KeyPart,
  TableDesign,
  UniqueKeyDesign,
  IndexDesign,
  IndexPart,
} from '../../src/protocol/tableDesign.ts';
import { Card, CardList, type CardView } from './card.ts';
import type { FormParts } from './designForm.ts';
import { addToList, editInList, removeFromList, setKeyColumns, textOrNone } from './edits.ts';
import { TextField, CheckField } from '../ui/field.ts';
import { PartList } from './partList.ts';
import { element } from '../ui/element.ts';

/** The keys of several columns: the primary key with its order, and unique keys. */
export class KeyLists {
  readonly root: HTMLElement;
  readonly #primary = new Card();
  readonly #primaryColumns: PartList<KeyPart>;
  readonly #unique: CardList<UniqueKeyDesign>;

  constructor(parts: FormParts) {
    const { draft } = parts;
    this.#primary.title = t('Primary key');
    this.#primaryColumns = new PartList<KeyPart>({
      draft,
      place: 'primaryKey',
      label: () => t('Primary key'),
      isOrdered: true,
      onChange: columns => draft.edit(setKeyColumns(columns)),
    });
    this.#primary.root.append(this.#primaryColumns.root);
    this.#unique = new CardList<UniqueKeyDesign>({
      heading: t('Keys of Several Columns'),
      addLabel: t('Add Unique Key'),
      onAdd: () => draft.edit(addToList('uniqueKeys', { columns: [] })),
      create: index => new UniqueKeyCard(index, parts),
    });
    this.#unique.root.querySelector('h2')?.after(this.#primary.root);
    this.root = this.#unique.root;
  }

  update(design: TableDesign): void {
    const columns = design.primaryKey?.columns ?? [];
    // A key of one column is a checkbox of the column.
    this.#primary.root.hidden = columns.length < 2 && !this.#primary.root.contains(document.activeElement);
    this.#primaryColumns.update(columns);
    this.#unique.update(design.uniqueKeys);
  }
}

class UniqueKeyCard extends Card implements CardView<UniqueKeyDesign> {
  readonly #columns: PartList<KeyPart>;

  constructor(index: number, { draft }: FormParts) {
    super(() => draft.edit(removeFromList('uniqueKeys', index)));
    this.#columns = new PartList<KeyPart>({
      draft,
      place: `uniqueKeys/${index}`,
      label: () => this.title,
      onChange: columns => draft.edit(editInList('uniqueKeys', index, key => ({ ...key, columns }))),
    });
    this.root.append(this.#columns.root);
  }

  update({ columns }: UniqueKeyDesign, index: number): void {
    this.title = t('Unique key {0}', index + 1);
    this.#columns.update(columns);
  }

  focus(): void {
    this.root.querySelector('select')?.focus();
  }
}

export function createCheckList(parts: FormParts): CardList<Check> {
  const { draft } = parts;
  return new CardList<Check>({
    heading: t('Checks of the Table'),
    addLabel: t('Add Check'),
    onAdd: () => draft.edit(addToList('checks', { expression: '' })),
    create: index => new CheckCard(index, parts),
  });
}

class CheckCard extends Card implements CardView<Check> {
  readonly #expression: TextField;

  constructor(index: number, { draft }: FormParts) {
    super(() => draft.edit(removeFromList('checks', index)));
    this.#expression = new TextField({
      label: t('Expression'),
      place: `checks/${index}`,
      isCode: true,
      onInput: expression => draft.edit(editInList('checks', index, check => ({ ...check, expression }))),
    });
    this.root.append(this.#expression.root);
  }

  update({ expression }: Check, index: number): void {
    this.title = t('Check {0}', index + 1);
    this.#expression.value = expression;
  }

  focus(): void {
    this.#expression.control.focus();
  }
}

export function createIndexList(parts: FormParts): CardList<IndexDesign> {
  const { draft } = parts;
  return new CardList<IndexDesign>({
    heading: t('Indexes'),
    addLabel: t('Add Index'),
    onAdd: () => void draft.change({ kind: 'addIndex' }),
    create: index => new IndexCard(index, parts),
  });
}

class IndexCard extends Card implements CardView<IndexDesign> {
  readonly #name: TextField;
  readonly #unique: CheckField;
  readonly #where: TextField;
  readonly #columns: PartList<IndexPart>;

  constructor(index: number, { draft }: FormParts) {
    super(() => draft.edit(removeFromList('indexes', index)));
    const edit = (change: (index: IndexDesign) => IndexDesign): void =>
      draft.edit(editInList('indexes', index, change));
    const place = (field: string): string => `indexes/${index}/${field}`;
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
      draft,
      place: place('parts'),
      label: () => this.title,
      isOrdered: true,
      takesExpressions: true,
      onChange: list => edit(before => ({ ...before, parts: list })),
    });
    const fields = element('div', 'fields');
    fields.append(this.#name.root, this.#where.root, this.#unique.root);
    this.root.append(fields, this.#columns.root);
  }

  update({ name, unique, where, parts: list }: IndexDesign, index: number): void {
    this.title = t('Index {0}', name === '' ? index + 1 : name);
    this.#name.value = name;
    this.#unique.value = unique;
    this.#where.value = where ?? '';
    this.#columns.update(list);
  }

  focus(): void {
    this.#name.control.focus();
    this.#name.control.select();
  }
}
