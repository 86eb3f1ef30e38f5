import { t } from '@vscode/l10n';
import type { IndexDesign, IndexPart, KeyPart } from '../../src/protocol/tableDesign.ts';
import { type Card, CardList, type CardOptions, createCard } from './card.ts';
import type { FormParts } from './designForm.ts';
import { addToList, editInList, setKeyColumns, textOrNone } from './edits.ts';
import { TextField, CheckField } from '../ui/field.ts';
import { PartList } from './partList.ts';
import { element } from '../ui/element.ts';

/** The key of several columns with its order. A key of one column is a checkbox of the column. */
export function createPrimaryKeyCard({ draft }: FormParts): Card {
  const list = (): readonly KeyPart[] => draft.design.primaryKey?.columns ?? [];
  const columns = new PartList<KeyPart>({
    draft,
    place: 'primaryKey',
    label: () => t('Primary key'),
    read: list,
    isOrdered: true,
    onChange: changed => draft.edit(setKeyColumns(changed)),
  });
  const card: Card = createCard({
    title: () => t('Primary key'),
    content: [columns.root],
    onUpdate: () => {
      columns.update();
      card.root.hidden = list().length < 2 && !card.root.contains(document.activeElement);
    },
  });
  return card;
}

export function createUniqueKeyList({ draft }: FormParts): CardList {
  return new CardList({
    draft,
    list: 'uniqueKeys',
    heading: t('Keys of Several Columns'),
    addLabel: t('Add Unique Key'),
    onAdd: () => draft.edit(addToList('uniqueKeys', { columns: [] })),
    create: index => {
      const title = (): string => t('Unique key {0}', index + 1);
      const list = new PartList<KeyPart>({
        draft,
        place: `uniqueKeys/${index}`,
        label: title,
        read: () => draft.design.uniqueKeys[index]!.columns,
        onChange: columns => draft.edit(editInList('uniqueKeys', index, key => ({ ...key, columns }))),
      });
      return { title, content: [list.root], onUpdate: () => list.update() };
    },
  });
}

export function createCheckList({ draft }: FormParts): CardList {
  return new CardList({
    draft,
    list: 'checks',
    heading: t('Checks of the Table'),
    addLabel: t('Add Check'),
    onAdd: () => draft.edit(addToList('checks', { expression: '' })),
    create: index => {
      const field = new TextField({
        label: t('Expression'),
        place: `checks/${index}`,
        isCode: true,
        read: () => draft.design.checks[index]!.expression,
        onInput: expression => draft.edit(editInList('checks', index, check => ({ ...check, expression }))),
      });
      return { title: () => t('Check {0}', index + 1), content: [field.root] };
    },
  });
}

export function createIndexList(parts: FormParts): CardList {
  const { draft } = parts;
  return new CardList({
    draft,
    list: 'indexes',
    heading: t('Indexes'),
    addLabel: t('Add Index'),
    onAdd: () => void draft.change({ kind: 'addIndex' }),
    create: index => createIndexCard(index, parts),
  });
}

function createIndexCard(index: number, { draft }: FormParts): CardOptions {
  const design = (): IndexDesign => draft.design.indexes[index]!;
  const edit = (change: (index: IndexDesign) => IndexDesign): void => draft.edit(editInList('indexes', index, change));
  const place = (field: string): string => `indexes/${index}/${field}`;
  const title = (): string => t('Index {0}', design().name === '' ? index + 1 : design().name);
  const nameField = new TextField({
    label: t('Index name'),
    place: place('name'),
    read: () => design().name,
    onInput: name => edit(before => ({ ...before, name })),
  });
  const whereField = new TextField({
    label: t('Only rows where'),
    place: place('where'),
    isCode: true,
    read: () => design().where ?? '',
    onInput: text => edit(before => ({ ...before, where: textOrNone(text) })),
  });
  const uniqueField = new CheckField({
    label: t('Unique'),
    place: place('unique'),
    read: () => design().unique,
    onChange: unique => edit(before => ({ ...before, unique })),
  });
  const list = new PartList<IndexPart>({
    draft,
    place: place('parts'),
    label: title,
    read: () => design().parts,
    isOrdered: true,
    takesExpressions: true,
    onChange: changed => edit(before => ({ ...before, parts: changed })),
  });
  const fields = element('div', 'fields', [nameField.root, whereField.root, uniqueField.root]);
  return { title, content: [fields, list.root], onUpdate: () => list.update() };
}
