import { t } from '@vscode/l10n';
import type { ForeignKeyDesign } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import { Card, CardList, type CardView } from './card.ts';
import { actionField, showAction, tableChoices } from './columnDetails.ts';
import type { FormParts } from './designForm.ts';
import { addToList, editInList, removeFromList, withElement } from './edits.ts';
import { type Choice, ChoiceField } from '../ui/field.ts';

/** Foreign keys that are constraints of the table, not of a column. */
export function createForeignKeyList(parts: FormParts): CardList<ForeignKeyDesign> {
  const { draft } = parts;
  return new CardList<ForeignKeyDesign>({
    heading: t('Foreign Keys of the Table'),
    addLabel: t('Add Foreign Key'),
    onAdd: () => draft.edit(addToList('foreignKeys', { from: [], table: '', columns: [] })),
    create: index => new ForeignKeyCard(index, parts),
  });
}

class ForeignKeyCard extends Card implements CardView<ForeignKeyDesign> {
  readonly #parts: FormParts;
  readonly #index: number;
  readonly #table: ChoiceField;
  readonly #pairs = element('div', 'parts');
  readonly #lines: PairLine[] = [];
  readonly #add: ChoiceField;
  readonly #onDelete: ChoiceField;
  readonly #onUpdate: ChoiceField;

  constructor(index: number, parts: FormParts) {
    super(() => parts.draft.edit(removeFromList('foreignKeys', index)));
    this.#parts = parts;
    this.#index = index;
    const place = (field: string): string => `foreignKeys/${index}/${field}`;
    this.#table = new ChoiceField({
      label: t('References table'),
      place: place('table'),
      onChange: table => this.#edit(key => ({ ...key, table, columns: [] })),
    });
    this.#add = new ChoiceField({
      place: place('from'),
      onChange: id => this.#append(id),
    });
    this.#onDelete = actionField(t('On delete'), place('onDelete'), onDelete =>
      this.#edit(key => ({ ...key, onDelete })),
    );
    this.#onUpdate = actionField(t('On update'), place('onUpdate'), onUpdate =>
      this.#edit(key => ({ ...key, onUpdate })),
    );
    const fields = element('div', 'fields');
    fields.append(this.#table.root, this.#onDelete.root, this.#onUpdate.root);
    this.#pairs.append(this.#add.root);
    this.root.append(fields, this.#pairs);
  }

  update(key: ForeignKeyDesign, index: number): void {
    const { draft, tables, columnsOf } = this.#parts;
    const { design } = draft;
    this.title = t('Foreign key {0}', index + 1);
    this.#table.show(tableChoices(tables(), design.name), key.table);
    showAction(this.#onDelete, key.onDelete);
    showAction(this.#onUpdate, key.onUpdate);
    const own = draft.columnChoices();
    const others = columnsOf(key.table).map(name => ({ value: name, label: name }));
    while (this.#lines.length > key.from.length) this.#lines.pop()!.root.remove();
    while (this.#lines.length < key.from.length) {
      const place = this.#lines.length;
      const line = new PairLine(`foreignKeys/${index}/from/${place}`, {
        setFrom: id => this.#edit(before => ({ ...before, from: withElement(before.from, place, () => id) })),
        setTo: name => this.#edit(before => withTarget(before, place, name)),
        remove: () => {
          this.#edit(before => withoutPair(before, place));
          this.#add.control.focus();
        },
      });
      this.#lines.push(line);
      this.#add.root.before(line.root);
    }
    key.from.forEach((id, place) => this.#lines[place]!.update(id, key.columns[place] ?? '', own, others, this.title));
    const unused = own.filter(({ value }) => !key.from.includes(value));
    this.#add.show([{ value: '', label: t('Add Key Column…') }, ...unused], '');
    this.#add.label = `${t('Add Key Column…')} ${this.title}`;
  }

  focus(): void {
    this.#table.control.focus();
  }

  #append(id: string): void {
    if (id === '') return;
    this.#edit(key => ({
      ...key,
      from: [...key.from, id],
      columns: key.columns.length === 0 ? [] : [...key.columns, ''],
    }));
    this.#add.control.focus();
  }

  #edit(change: (key: ForeignKeyDesign) => ForeignKeyDesign): void {
    this.#parts.draft.edit(editInList('foreignKeys', this.#index, change));
  }
}

/** Either all columns have a target, or none has. Without targets, the key refers to the primary key. */
function withTarget(key: ForeignKeyDesign, place: number, name: string): ForeignKeyDesign {
  const targets = key.from.map((_, index) => (index === place ? name : (key.columns[index] ?? '')));
  return { ...key, columns: targets.every(target => target === '') ? [] : targets };
}

const withoutPair = (key: ForeignKeyDesign, place: number): ForeignKeyDesign => ({
  ...key,
  from: key.from.toSpliced(place, 1),
  columns: key.columns.toSpliced(place, 1),
});

interface PairActions {
  readonly setFrom: (id: string) => void;
  readonly setTo: (name: string) => void;
  readonly remove: () => void;
}

class PairLine {
  readonly root = element('div', 'part');
  readonly #from: ChoiceField;
  readonly #to: ChoiceField;
  readonly #remove: HTMLButtonElement;

  constructor(place: string, { setFrom, setTo, remove }: PairActions) {
    this.#from = new ChoiceField({ place, onChange: setFrom });
    this.#to = new ChoiceField({ place: `${place}/to`, onChange: setTo });
    this.#remove = createIconButton({ label: t('Remove'), sign: '✕', onClick: remove });
    const arrow = element('span', 'arrow', '→');
    arrow.setAttribute('aria-hidden', 'true');
    this.root.append(this.#from.root, arrow, this.#to.root, this.#remove);
  }

  update(id: string, target: string, own: readonly Choice[], others: readonly Choice[], title: string): void {
    const name = own.find(({ value }) => value === id)?.label ?? '';
    this.#from.show(own, id);
    this.#to.show([{ value: '', label: t('(its primary key)') }, ...others], target);
    this.#from.label = `${t('Column of')} ${title}`;
    this.#to.label = t('{0} of {1}', t('References column'), name);
    this.#remove.setAttribute('aria-label', t('{0} of {1}', t('Remove'), name));
  }
}
