import { t } from '@vscode/l10n';
import type { ColumnDesign } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import { icon } from '../ui/icons.ts';
import { createMenuButton, type MenuItem } from '../ui/menu.ts';
import { visibleText } from '../ui/visibleText.ts';
import { createColumnDetails } from './columnDetails.ts';
import type { FormParts } from './designForm.ts';
import { editColumn, moveColumn, textOrNone, toggleKeyColumn } from './edits.ts';
import { CheckField, fieldsIn, TextField } from '../ui/field.ts';

/** Work wherever the focus is in the column. They are the keys for lines in VS Code's editors. */
export const columnKeys = {
  moveUp: 'Alt+ArrowUp',
  moveDown: 'Alt+ArrowDown',
  add: 'Mod+Enter',
  remove: 'Mod+Shift+K',
} as const;

/** One column: a line with its usual fields, and a row of details below. */
export class ColumnRow {
  readonly row = element('tr', 'column');
  readonly detailsRow = element('tr', 'details', { hidden: '' });
  readonly #parts: FormParts;
  readonly #name: TextField;
  readonly #default: TextField;
  readonly #rank = element('span', 'rank');
  readonly #toggle = createIconButton({ label: t('Details'), sign: '', onClick: () => this.#toggleDetails() });
  readonly #moreButton = createMenuButton(t('Actions'), icon('more'), () => this.#menuItems());
  readonly #cell = element('td');
  #column: ColumnDesign;
  #shownName = '';
  #details: ReturnType<typeof createColumnDetails> | undefined;

  constructor(column: ColumnDesign, parts: FormParts) {
    this.#column = column;
    this.#parts = parts;
    const { id } = column;
    const { draft } = parts;
    const options = (field: string, label: string) => ({
      place: `columns/${id}/${field}`,
      name: () => this.#labelOf(label),
    });
    const edit = (change: (column: ColumnDesign) => ColumnDesign): void => draft.edit(editColumn(id, change));
    this.#name = new TextField({
      ...options('name', t('Name')),
      read: () => draft.nameOf(id, this.#column.name),
      onInput: name => draft.typeName({ id, name }),
      onLeave: () => void draft.commitName(),
    });
    const type = new TextField({
      ...options('type', t('Type')),
      suggestions: 'column-types',
      read: () => this.#column.type,
      onInput: text => edit(before => ({ ...before, type: text.trim() })),
    });
    const createFlag = (field: 'notNull' | 'unique', label: string): CheckField =>
      new CheckField({
        ...options(field, label),
        read: () => this.#column[field] !== undefined,
        onChange: isSet => edit(before => ({ ...before, [field]: isSet ? {} : undefined })),
      });
    const notNull = createFlag('notNull', t('Not NULL'));
    this.#default = new TextField({
      ...options('defaultValue', t('Default')),
      suggestions: 'default-values',
      isCode: true,
      read: () => this.#column.defaultValue ?? '',
      onInput: text => edit(before => ({ ...before, defaultValue: textOrNone(text) })),
    });
    const primaryKey = new CheckField({
      ...options('primaryKey', t('Primary key')),
      read: () => this.#rankInKey > 0,
      onChange: isKey => draft.edit(toggleKeyColumn(id, isKey)),
    });
    const unique = createFlag('unique', t('Unique'));
    this.#toggle.classList.add('toggle');
    this.#toggle.setAttribute('aria-expanded', 'false');
    primaryKey.root.append(this.#rank);
    this.row.dataset['column'] = id;
    this.detailsRow.dataset['column'] = id;
    const cells = [this.#name, type, notNull, this.#default, primaryKey, unique].map(field => cellOf(field.root));
    this.row.append(cellOf(this.#toggle), ...cells, cellOf(this.#moreButton));
    this.#cell.colSpan = cells.length + 2;
    this.detailsRow.append(this.#cell);
  }

  /** The fields refresh themselves afterwards. */
  update(column: ColumnDesign, number: number): void {
    const { draft } = this.#parts;
    this.#column = column;
    this.#shownName = visibleText(draft.nameOf(column.id, column.name)) || String(number);
    const hasSeveral = (draft.design.primaryKey?.columns.length ?? 0) > 1;
    this.#rank.textContent = hasSeveral && this.#rankInKey > 0 ? String(this.#rankInKey) : '';
    this.#default.control.disabled = column.generated !== undefined && column.defaultValue === undefined;
    this.#toggle.setAttribute('aria-label', this.#labelOf(t('Details')));
    this.#moreButton.setAttribute('aria-label', this.#labelOf(t('Actions')));
    this.row.classList.toggle('has-details', hasDetails(column));
    this.#details?.update();
  }

  focus(): void {
    this.#name.control.focus();
    this.#name.control.select();
  }

  /** Called for a fault in one of the details. */
  openDetails(): void {
    if (this.detailsRow.hidden) this.#toggleDetails();
  }

  #labelOf(label: string): string {
    return t('{0} of {1}', label, this.#shownName);
  }

  /** The place of the column in the primary key, from 1 on. 0 for another column. */
  get #rankInKey(): number {
    const columns = this.#parts.draft.design.primaryKey?.columns ?? [];
    return columns.findIndex(({ column }) => column === this.#column.id) + 1;
  }

  #toggleDetails(): void {
    const isOpen = this.detailsRow.hidden;
    this.detailsRow.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || this.#details) return;
    this.#details = createColumnDetails(() => this.#column, this.#parts);
    this.#cell.append(this.#details.root);
    this.#details.update();
    for (const field of fieldsIn(this.#cell)) field.refresh();
    this.#parts.showFaults();
  }

  #menuItems(): MenuItem[] {
    const { draft, addColumn, removeColumn } = this.#parts;
    const { columns } = draft.design;
    const { id } = this.#column;
    const index = columns.findIndex(column => column.id === id);
    const move = (by: -1 | 1): void => draft.edit(moveColumn(id, by));
    return [
      { label: t('Move Up'), keys: columnKeys.moveUp, disabled: index === 0, run: () => move(-1) },
      {
        label: t('Move Down'),
        keys: columnKeys.moveDown,
        disabled: index === columns.length - 1,
        run: () => move(1),
      },
      'line',
      { label: t('Add Column Below'), keys: columnKeys.add, run: () => void addColumn(id) },
      { label: t('Delete Column'), keys: columnKeys.remove, run: () => void removeColumn(id) },
    ];
  }
}

const hasDetails = ({ checks, collation, generated, references }: ColumnDesign): boolean =>
  checks.length > 0 || collation !== undefined || generated !== undefined || references !== undefined;

const cellOf = (content: HTMLElement): HTMLTableCellElement => element('td', '', [content]);
