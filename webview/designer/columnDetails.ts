import { t } from '@vscode/l10n';
import { type ColumnDesign, foreignKeyActions, type ReferenceDesign } from '../../src/protocol/tableDesign.ts';
import { element, resizeList } from '../ui/element.ts';
import type { FormParts } from './designForm.ts';
import { editColumn, textOrNone, withElement } from './edits.ts';
import { type Choice, CheckField, ChoiceField, TextField } from '../ui/field.ts';

/** The parts of a column that its line does not show. */
export class ColumnDetails {
  readonly root = element('div', 'fields');
  readonly #column: () => ColumnDesign;
  readonly #edit: (change: (column: ColumnDesign) => ColumnDesign) => void;
  readonly #checks = element('div', 'checks');
  readonly #checkFields: TextField[] = [];

  constructor(column: () => ColumnDesign, { draft, tables, columnsOf }: FormParts) {
    const { id } = column();
    this.#column = column;
    this.#edit = change => draft.edit(editColumn(id, change));
    const place = (field: string): string => `columns/${id}/${field}`;
    const isOnlyKey = (): boolean => {
      const columns = draft.design.primaryKey?.columns ?? [];
      return columns.length === 1 && columns[0]?.column === id;
    };
    const hasNoReference = (): boolean => column().references === undefined;
    const editReference = (change: (reference: ReferenceDesign) => ReferenceDesign): void =>
      this.#edit(before => ({ ...before, references: before.references && change(before.references) }));
    const fields = [
      new TextField({
        label: t('Collation'),
        place: place('collation'),
        suggestions: 'collations',
        read: () => column().collation ?? '',
        onInput: text => this.#edit(before => ({ ...before, collation: textOrNone(text) })),
      }),
      new TextField({
        label: t('Generated as'),
        place: place('generated'),
        isCode: true,
        read: () => column().generated?.expression ?? '',
        onInput: text => this.#edit(before => ({ ...before, generated: generatedBy(text, before) })),
      }),
      new CheckField({
        label: t('Stored'),
        place: place('stored'),
        isHidden: () => column().generated === undefined,
        read: () => column().generated?.stored ?? false,
        onChange: stored =>
          this.#edit(before => ({ ...before, generated: before.generated && { ...before.generated, stored } })),
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
        onChange: table => this.#edit(before => ({ ...before, references: referenceTo(table, before) })),
      }),
      new ChoiceField({
        label: t('References column'),
        place: place('referencesColumn'),
        isHidden: hasNoReference,
        choices: () => targetChoices(columnsOf(column().references?.table ?? '')),
        read: () => column().references?.columns[0] ?? '',
        onChange: name => editReference(reference => ({ ...reference, columns: name === '' ? [] : [name] })),
      }),
      actionField({
        label: t('On delete'),
        place: place('onDelete'),
        isHidden: hasNoReference,
        action: () => column().references?.onDelete,
        onChange: onDelete => editReference(reference => ({ ...reference, onDelete })),
      }),
      actionField({
        label: t('On update'),
        place: place('onUpdate'),
        isHidden: hasNoReference,
        action: () => column().references?.onUpdate,
        onChange: onUpdate => editReference(reference => ({ ...reference, onUpdate })),
      }),
    ];
    this.root.append(this.#checks, ...fields.map(({ root }) => root));
  }

  /** Shows a field for each check. A column without checks has an empty field. */
  update(): void {
    const count = Math.max(1, this.#column().checks.length);
    resizeList(this.#checkFields, count, index => {
      const field = new TextField({
        label: index === 0 ? t('Check') : t('Check {0}', index + 1),
        place: `columns/${this.#column().id}/checks/${index}`,
        isCode: true,
        read: () => this.#column().checks[index]?.expression ?? '',
        onInput: text => this.#edit(column => withCheck(column, index, text)),
        onLeave: () => this.#edit(withoutEmptyChecks),
      });
      this.#checks.append(field.root);
      return field;
    });
  }
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

type Action = NonNullable<ReferenceDesign['onDelete']>;

interface ActionFieldOptions {
  readonly label: string;
  readonly place: string;
  readonly isHidden?: () => boolean;
  readonly action: () => Action | undefined;
  readonly onChange: (action: Action | undefined) => void;
}

/** The action on a row when the row that it refers to is deleted or updated. */
export function actionField({ action, onChange, ...options }: ActionFieldOptions): ChoiceField {
  const choices = foreignKeyActions.map(value => ({ value, label: value }));
  return new ChoiceField({
    ...options,
    choices: () => [{ value: '', label: t('(not set)') }, ...choices],
    read: () => action() ?? '',
    onChange: value => onChange(foreignKeyActions.find(other => other === value)),
  });
}
