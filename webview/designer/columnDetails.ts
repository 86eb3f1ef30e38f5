import { t } from '@vscode/l10n';
import {
  type ColumnDesign,
  foreignKeyActions,
  type ReferenceDesign,
  type TableDesign,
} from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import type { FormParts } from './designForm.ts';
import { editColumn, textOrNone, withElement } from './edits.ts';
import { type Choice, CheckField, ChoiceField, TextField } from '../ui/field.ts';

/** The parts of a column that its line does not show. */
export class ColumnDetails {
  readonly root = element('div', 'fields');
  readonly #parts: FormParts;
  readonly #edit: (change: (column: ColumnDesign) => ColumnDesign) => void;
  readonly #id: string;
  readonly #checks = element('div', 'checks');
  readonly #checkFields: TextField[] = [];
  readonly #collation: TextField;
  readonly #generated: TextField;
  readonly #stored: CheckField;
  readonly #autoincrement: CheckField;
  readonly #table: ChoiceField;
  readonly #column: ChoiceField;
  readonly #onDelete: ChoiceField;
  readonly #onUpdate: ChoiceField;

  constructor(id: string, parts: FormParts) {
    const { draft } = parts;
    this.#id = id;
    this.#parts = parts;
    this.#edit = change => draft.edit(editColumn(id, change));
    const place = (field: string): string => `columns/${id}/${field}`;
    const editReference = (change: (reference: ReferenceDesign) => ReferenceDesign): void =>
      this.#edit(column => ({ ...column, references: column.references && change(column.references) }));
    this.#collation = new TextField({
      label: t('Collation'),
      place: place('collation'),
      suggestions: 'collations',
      onInput: text => this.#edit(column => ({ ...column, collation: textOrNone(text) })),
    });
    this.#generated = new TextField({
      label: t('Generated as'),
      place: place('generated'),
      isCode: true,
      onInput: text => this.#edit(column => ({ ...column, generated: generatedBy(text, column) })),
    });
    this.#stored = new CheckField({
      label: t('Stored'),
      place: place('stored'),
      onChange: stored =>
        this.#edit(column => ({ ...column, generated: column.generated && { ...column.generated, stored } })),
    });
    this.#autoincrement = new CheckField({
      label: t('AUTOINCREMENT'),
      place: place('autoincrement'),
      onChange: autoincrement =>
        draft.edit(design => ({
          ...design,
          primaryKey: design.primaryKey && { ...design.primaryKey, autoincrement },
        })),
    });
    this.#table = new ChoiceField({
      label: t('References table'),
      place: place('references'),
      onChange: table => this.#edit(column => ({ ...column, references: referenceTo(table, column) })),
    });
    this.#column = new ChoiceField({
      label: t('References column'),
      place: place('referencesColumn'),
      onChange: column => editReference(reference => ({ ...reference, columns: column === '' ? [] : [column] })),
    });
    this.#onDelete = actionField(t('On delete'), place('onDelete'), onDelete =>
      editReference(reference => ({ ...reference, onDelete })),
    );
    this.#onUpdate = actionField(t('On update'), place('onUpdate'), onUpdate =>
      editReference(reference => ({ ...reference, onUpdate })),
    );
    this.root.append(
      this.#checks,
      this.#collation.root,
      this.#generated.root,
      this.#stored.root,
      this.#autoincrement.root,
      this.#table.root,
      this.#column.root,
      this.#onDelete.root,
      this.#onUpdate.root,
    );
  }

  update(column: ColumnDesign, design: TableDesign): void {
    const { tables } = this.#parts;
    this.#updateChecks(column);
    this.#collation.value = column.collation ?? '';
    this.#generated.value = column.generated?.expression ?? '';
    this.#stored.value = column.generated?.stored ?? false;
    this.#stored.root.hidden = column.generated === undefined;
    const { primaryKey } = design;
    const isOnlyKey = primaryKey?.columns.length === 1 && primaryKey.columns[0]?.column === column.id;
    this.#autoincrement.root.hidden = !isOnlyKey;
    this.#autoincrement.value = isOnlyKey && primaryKey.autoincrement;
    const reference = column.references;
    this.#table.show(tableChoices(tables(), design.name), reference?.table ?? '');
    for (const field of [this.#column, this.#onDelete, this.#onUpdate]) field.root.hidden = reference === undefined;
    if (!reference) return;
    const names = this.#parts.columnsOf(reference.table);
    const columns = names.map(name => ({ value: name, label: name }));
    this.#column.show([{ value: '', label: t('(its primary key)') }, ...columns], reference.columns[0] ?? '');
    showAction(this.#onDelete, reference.onDelete);
    showAction(this.#onUpdate, reference.onUpdate);
  }

  /** Shows a field for each check. A column without checks has an empty field. */
  #updateChecks({ checks }: ColumnDesign): void {
    const count = Math.max(1, checks.length);
    while (this.#checkFields.length > count) this.#checkFields.pop()!.root.remove();
    while (this.#checkFields.length < count) {
      const index = this.#checkFields.length;
      const field = new TextField({
        label: index === 0 ? t('Check') : t('Check {0}', index + 1),
        place: `columns/${this.#id}/checks/${index}`,
        isCode: true,
        onInput: text => this.#edit(column => withCheck(column, index, text)),
        onLeave: () => this.#edit(withoutEmptyChecks),
      });
      this.#checkFields.push(field);
      this.#checks.append(field.root);
    }
    for (const [index, field] of this.#checkFields.entries()) field.value = checks[index]?.expression ?? '';
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

type Action = NonNullable<ReferenceDesign['onDelete']>;

/** The action on a row when the row that it refers to is deleted or updated. */
export function actionField(label: string, place: string, onChange: (action: Action | undefined) => void): ChoiceField {
  return new ChoiceField({
    label,
    place,
    onChange: value => onChange(foreignKeyActions.find(action => action === value)),
  });
}

export function showAction(field: ChoiceField, action: Action | undefined): void {
  const choices = foreignKeyActions.map(value => ({ value, label: value }));
  field.show([{ value: '', label: t('(not set)') }, ...choices], action ?? '');
}
