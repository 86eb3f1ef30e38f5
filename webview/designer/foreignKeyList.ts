import { t } from '@vscode/l10n';
import type { ForeignKeyDesign } from '../../src/protocol/tableDesign.ts';
import { element, resizeList } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import { CardList, type CardOptions } from './card.ts';
import { actionFields, tableChoices, targetChoices } from './columnDetails.ts';
import type { FormParts } from './designForm.ts';
import { addToList, editInList, withElement } from './edits.ts';
import { ChoiceField } from '../ui/field.ts';

/** Foreign keys that are constraints of the table, not of a column. */
export function createForeignKeyList(parts: FormParts): CardList {
  const { draft } = parts;
  return new CardList({
    draft,
    list: 'foreignKeys',
    heading: t('Foreign Keys of the Table'),
    addLabel: t('Add Foreign Key'),
    onAdd: () => draft.edit(addToList('foreignKeys', { from: [], table: '', columns: [] })),
    create: index => createForeignKeyCard(index, parts),
  });
}

function createForeignKeyCard(index: number, parts: FormParts): CardOptions {
  const { draft, tables } = parts;
  const title = (): string => t('Foreign key {0}', index + 1);
  const place = (field: string): string => `foreignKeys/${index}/${field}`;
  const key = (): ForeignKeyDesign => draft.design.foreignKeys[index]!;
  const edit = (change: (key: ForeignKeyDesign) => ForeignKeyDesign): void =>
    draft.edit(editInList('foreignKeys', index, change));
  const table = new ChoiceField({
    label: t('References table'),
    place: place('table'),
    choices: () => tableChoices(tables(), draft.design.name),
    read: () => key().table,
    onChange: name => edit(before => ({ ...before, table: name, columns: [] })),
  });
  const actions = actionFields({ place, read: key, edit: changed => edit(before => ({ ...before, ...changed })) });
  const add = new ChoiceField({
    place: place('from'),
    name: () => `${t('Add Key Column…')} ${title()}`,
    choices: () => [
      { value: '', label: t('Add Key Column…') },
      ...draft.columnChoices().filter(({ value }) => !key().from.includes(value)),
    ],
    read: () => '',
    onChange: id => {
      if (id === '') return;
      edit(before => withPair(before, id));
      add.control.focus();
    },
  });
  const lines: ReturnType<typeof createPairLine>[] = [];
  const fields = element(
    'div',
    'fields',
    [table, ...actions].map(({ root }) => root),
  );
  return {
    title,
    content: [fields, element('div', 'parts', [add.root])],
    onUpdate: () => {
      resizeList(lines, key().from.length, nth => {
        const remove = (): void => {
          edit(before => withoutPair(before, nth));
          add.control.focus();
        };
        const line = createPairLine(nth, { place: place(`from/${nth}`), title, key, edit, remove }, parts);
        add.root.before(line.root);
        return line;
      });
      for (const line of lines) line.update();
    },
  };
}

const withPair = (key: ForeignKeyDesign, id: string): ForeignKeyDesign => ({
  ...key,
  from: [...key.from, id],
  columns: key.columns.length === 0 ? [] : [...key.columns, ''],
});

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

interface PairLineOptions {
  readonly place: string;
  readonly title: () => string;
  readonly key: () => ForeignKeyDesign;
  readonly edit: (change: (key: ForeignKeyDesign) => ForeignKeyDesign) => void;
  readonly remove: () => void;
}

function createPairLine(nth: number, options: PairLineOptions, { draft, columnsOf }: FormParts) {
  const { place, title, key, edit, remove } = options;
  const columnName = (): string => draft.columnChoices().find(({ value }) => value === key().from[nth])?.label ?? '';
  const from = new ChoiceField({
    place,
    name: () => `${t('Column of')} ${title()}`,
    choices: () => draft.columnChoices(),
    read: () => key().from[nth]!,
    onChange: id => edit(before => ({ ...before, from: withElement(before.from, nth, () => id) })),
  });
  const to = new ChoiceField({
    place: `${place}/to`,
    name: () => t('{0} of {1}', t('References column'), columnName()),
    choices: () => targetChoices(columnsOf(key().table)),
    read: () => key().columns[nth] ?? '',
    onChange: target => edit(before => withTarget(before, nth, target)),
  });
  const removeButton = createIconButton({ label: t('Remove'), sign: '✕', onClick: remove });
  const arrow = element('span', 'arrow', '→');
  arrow.setAttribute('aria-hidden', 'true');
  const root = element('div', 'part', [from.root, arrow, to.root, removeButton]);
  return { root, update: () => removeButton.setAttribute('aria-label', t('{0} of {1}', t('Remove'), columnName())) };
}
