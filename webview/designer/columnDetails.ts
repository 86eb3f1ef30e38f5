import { t } from '@vscode/l10n';
import { type ColumnDesign, foreignKeyActions, type ReferenceDesign } from '../../src/protocol/tableDesign.ts';
import { element, resizeList } from '../ui/element.ts';
import type { FormParts } from './designForm.ts';
import { editColumn, textOrNone, withElement } from './edits.ts';
import { type Choice, CheckField, ChoiceField, TextField } from '../ui/field.ts';

/** The parts of a column that its line does not show. */
export function createColumnDetails(column: () => ColumnDesign, { draft, tables, columnsOf }: FormParts) {
  const { id } = column();
  const checks = element('div', 'checks');
  const checkFields: TextField[] = [];
  const edit = (change: (column: ColumnDesign) => ColumnDesign): void => draft.edit(editColumn(id, change));
  const place = (field: string): string => `columns/${id}/${field}`;
  const isOnlyKey = (): boolean => {
    const columns = draft.design.primaryKey?.columns ?? [];
    return columns.length === 1 && columns[0]?.column === id;
  };
  const hasNoReference = (): boolean => column().references === undefined;
  const editReference = (change: (reference: ReferenceDesign) => ReferenceDesign): void =>
    edit(before => ({ ...before, references: before.references && change(before.references) }));
  const fields = [
    new TextField({
      label: t('Collation'),
      place: place('collation'),
      suggestions: 'collations',
      read: () => column().collation ?? '',
      onInput: text => edit(before => ({ ...before, collation: textOrNone(text) })),
    }),
    new TextField({
      label: t('Generated as'),
      place: place('generated'),
      isCode: true,
      read: () => column().generated?.expression ?? '',
      onInput: text => edit(before => ({ ...before, generated: generatedBy(text, before) })),
    }),
    new CheckField({
      label: t('Stored'),
      place: place('stored'),
      isHidden: () => column().generated === undefined,
      read: () => column().generated?.stored ?? false,
      onChange: stored =>
        edit(before => ({ ...before, generated: before.generated && { ...before.generated, stored } })),
    }),
    new CheckField({
      label: t('AUTOINCREMENT'),
      place: place('autoincrement'),
      isHidden: () => !isOnlyKey(),
      read: () => isOnlyKey() && draft.design.primaryKey?.autoincrement === true,
      onChange: autoincrement =>
        draft.edit(design => ({
          ...design,
          primaryKey: design.primaryKey && { ...design.primaryKey, autoincrement },
        })),
    }),
    new ChoiceField({
      label: t('References table'),
      place: place('references'),
      choices: () => tableChoices(tables(), draft.design.name),
      read: () => column().references?.table ?? '',
      onChange: table => edit(before => ({ ...before, references: referenceTo(table, before) })),
    }),
    new ChoiceField({
      label: t('References column'),
      place: place('referencesColumn'),
      isHidden: hasNoReference,
      choices: () => targetChoices(columnsOf(column().references?.table ?? '')),
      read: () => column().references?.columns[0] ?? '',
      onChange: name => editReference(reference => ({ ...reference, columns: name === '' ? [] : [name] })),
    }),
    ...actionFields({
      place,
      isHidden: hasNoReference,
      read: () => column().references,
      edit: actions => editReference(reference => ({ ...reference, ...actions })),
    }),
  ];
  /** Shows a field for each check. A column without checks has an empty field. */
  const update = (): void => {
    const count = Math.max(1, column().checks.length);
    resizeList(checkFields, count, index => {
      const field = new TextField({
        label: index === 0 ? t('Check') : t('Check {0}', index + 1),
        place: `columns/${column().id}/checks/${index}`,
        isCode: true,
        read: () => column().checks[index]?.expression ?? '',
        onInput: text => edit(before => withCheck(before, index, text)),
        onLeave: () => edit(withoutEmptyChecks),
      });
      checks.append(field.root);
      return field;
    });
  };
  return { root: element('div', 'fields', [checks, ...fields.map(({ root }) => root)]), update };
}

function withCheck(column: ColumnDesign, index: number, expression: string): ColumnDesign {
  const { checks } = column;
  if (index >= checks.length) return { ...column, checks: [...checks, { expression }] };
  return { ...column, checks: withElement(checks, index, check => ({ ...check, expression })) };
}

const withoutEmptyChecks = (column: ColumnDesign): ColumnDesign => ({
  ...column,
  checks: column.checks.filter(({ expression }) => expression.trim() !== ''),
});

function generatedBy(text: string, { generated }: ColumnDesign): ColumnDesign['generated'] {
  const expression = textOrNone(text);
  return expression === undefined ? undefined : { expression, stored: generated?.stored ?? false };
}

function referenceTo(table: string, { references }: ColumnDesign): ReferenceDesign | undefined {
  return table === '' ? undefined : { ...references, table, columns: [] };
}

/** A foreign key can also refer to the designed table, under its new name. */
export function tableChoices(tables: readonly string[], own: string): Choice[] {
  const names = own === '' || tables.includes(own) ? tables : [own, ...tables];
  return [{ value: '', label: t('(none)') }, ...names.map(name => ({ value: name, label: name }))];
}

export const targetChoices = (columns: readonly string[]): Choice[] => [
  { value: '', label: t('(its primary key)') },
  ...columns.map(name => ({ value: name, label: name })),
];

type Actions = Pick<ReferenceDesign, 'onDelete' | 'onUpdate'>;

interface ActionFieldsOptions {
  readonly place: (field: string) => string;
  readonly isHidden?: () => boolean;
  readonly read: () => Actions | undefined;
  readonly edit: (actions: Actions) => void;
}

/** The actions on a row when the row that it refers to is deleted or updated. */
export function actionFields({ place, isHidden = () => false, read, edit }: ActionFieldsOptions): ChoiceField[] {
  const choices = [{ value: '', label: t('(not set)') }, ...foreignKeyActions.map(value => ({ value, label: value }))];
  const labels = { onDelete: t('On delete'), onUpdate: t('On update') };
  return (['onDelete', 'onUpdate'] as const).map(
    event =>
      new ChoiceField({
        label: labels[event],
        place: place(event),
        isHidden,
        choices: () => choices,
        read: () => read()?.[event] ?? '',
        onChange: value => edit({ [event]: foreignKeyActions.find(other => other === value) }),
      }),
  );
}
