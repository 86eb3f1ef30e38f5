import { t } from '@vscode/l10n';
import type { ColumnDesign, TableDesign } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { createIconButton } from '../ui/iconButton.ts';
import { icon } from '../ui/icons.ts';
import { openMenu } from '../ui/menu.ts';
import { placeBelow } from '../ui/popup.ts';
import { visibleText } from '../ui/visibleText.ts';
import { ColumnDetails } from './columnDetails.ts';
import type { FormParts } from './designForm.ts';
import { editColumn, moveColumn, textOrNone, toggleKeyColumn } from './edits.ts';
import { CheckField, TextField } from '../ui/field.ts';

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
  readonly detailsRow = element('tr', 'details');
  readonly #id: string;
  readonly #parts: FormParts;
  readonly #name: TextField;
  readonly #type: TextField;
  readonly #notNull: CheckField;
  readonly #default: TextField;
  readonly #primaryKey: CheckField;
  readonly #rank = element('span', 'rank');
  readonly #unique: CheckField;
  readonly #toggle: HTMLButtonElement;
  readonly #moreButton: HTMLButtonElement;
  readonly #cell = element('td');
  #details: ColumnDetails | undefined;
  #shownDesign: TableDesign | undefined;

  constructor(id: string, parts: FormParts) {
    this.#id = id;
    this.#parts = parts;
    const { draft } = parts;
    const place = (field: string): string => `columns/${id}/${field}`;
    const edit = (change: (column: ColumnDesign) => ColumnDesign): void => draft.edit(editColumn(id, change));
    this.#name = new TextField({
      place: place('name'),
      onInput: name => draft.typeName({ id, name }),
      onLeave: () => void draft.commitName(),
    });
    this.#type = new TextField({
      place: place('type'),
      suggestions: 'column-types',
      onInput: type => edit(column => ({ ...column, type: type.trim() })),
    });
    this.#notNull = new CheckField({
      place: place('notNull'),
      onChange: isSet => edit(column => ({ ...column, notNull: isSet ? {} : undefined })),
    });
    this.#default = new TextField({
      place: place('defaultValue'),
      suggestions: 'default-values',
      isCode: true,
      onInput: text => edit(column => ({ ...column, defaultValue: textOrNone(text) })),
    });
    this.#primaryKey = new CheckField({
      place: place('primaryKey'),
      onChange: isKey => draft.edit(toggleKeyColumn(id, isKey)),
    });
    this.#unique = new CheckField({
      place: place('unique'),
      onChange: isSet => edit(column => ({ ...column, unique: isSet ? {} : undefined })),
    });
    this.#toggle = createIconButton({ label: t('Details'), sign: '', onClick: () => this.#toggleDetails() });
    this.#toggle.classList.add('toggle');
    this.#toggle.setAttribute('aria-expanded', 'false');
    this.#moreButton = createIconButton({
      label: t('Actions'),
      sign: icon('more'),
      onClick: () => this.#openMenu(),
    });
    this.#moreButton.setAttribute('aria-haspopup', 'menu');
    this.#primaryKey.root.append(this.#rank);
    this.row.dataset['column'] = id;
    this.detailsRow.dataset['column'] = id;
    this.#fillRow();
  }

  update(column: ColumnDesign, design: TableDesign): void {
    const { draft } = this.#parts;
    this.#shownDesign = design;
    const name = draft.nameOf(column.id, column.name);
    const number = design.columns.indexOf(column) + 1;
    const shownName = visibleText(name) || String(number);
    const keyColumns = design.primaryKey?.columns ?? [];
    const rank = keyColumns.findIndex(part => part.column === column.id) + 1;
    this.#name.value = name;
    this.#type.value = column.type;
    this.#notNull.value = column.notNull !== undefined;
    this.#default.value = column.defaultValue ?? '';
    this.#default.control.disabled = column.generated !== undefined && column.defaultValue === undefined;
    this.#primaryKey.value = rank > 0;
    this.#rank.textContent = rank > 0 && keyColumns.length > 1 ? String(rank) : '';
    this.#unique.value = column.unique !== undefined;
    const labelOf = (label: string): string => t('{0} of {1}', label, shownName);
    this.#name.label = labelOf(t('Name'));
    this.#type.label = labelOf(t('Type'));
    this.#notNull.label = labelOf(t('Not NULL'));
    this.#default.label = labelOf(t('Default'));
    this.#primaryKey.label = labelOf(t('Primary key'));
    this.#unique.label = labelOf(t('Unique'));
    this.#toggle.setAttribute('aria-label', labelOf(t('Details')));
    this.#moreButton.setAttribute('aria-label', labelOf(t('Actions')));
    this.row.classList.toggle('has-details', hasDetails(column));
    this.#details?.update(column, design);
  }

  focus(): void {
    this.#name.control.focus();
    this.#name.control.select();
  }

  /** Called for a fault in one of the details. */
  openDetails(): void {
    if (this.detailsRow.hidden) this.#toggleDetails();
  }

  #fillRow(): void {
    const fields = [this.#name, this.#type, this.#notNull, this.#default, this.#primaryKey, this.#unique];
    const cells = fields.map(field => cellOf(field.root));
    this.row.append(cellOf(this.#toggle), ...cells, cellOf(this.#moreButton));
    this.#cell.colSpan = cells.length + 2;
    this.detailsRow.append(this.#cell);
    this.detailsRow.hidden = true;
  }

  #toggleDetails(): void {
    const isOpen = this.detailsRow.hidden;
    this.detailsRow.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || this.#details) return;
    this.#details = new ColumnDetails(this.#id, this.#parts);
    this.#cell.append(this.#details.root);
    const column = this.#shownDesign?.columns.find(({ id }) => id === this.#id);
    if (column && this.#shownDesign) this.#details.update(column, this.#shownDesign);
    this.#parts.showFaults();
  }

  #openMenu(): void {
    const { draft, addColumn, removeColumn } = this.#parts;
    const columns = this.#shownDesign?.columns ?? [];
    const index = columns.findIndex(({ id }) => id === this.#id);
    const button = this.#moreButton;
    const move = (by: -1 | 1): void => draft.edit(moveColumn(this.#id, by));
    openMenu({
      label: button.getAttribute('aria-label') ?? t('Actions'),
      place: placeBelow(button),
      onClose: () => button.focus(),
      items: [
        { label: t('Move Up'), keys: columnKeys.moveUp, disabled: index === 0, run: () => move(-1) },
        {
          label: t('Move Down'),
          keys: columnKeys.moveDown,
          disabled: index === columns.length - 1,
          run: () => move(1),
        },
        'line',
        { label: t('Add Column Below'), keys: columnKeys.add, run: () => void addColumn(this.#id) },
        { label: t('Delete Column'), keys: columnKeys.remove, run: () => void removeColumn(this.#id) },
      ],
    });
  }
}

const hasDetails = ({ checks, collation, generated, references }: ColumnDesign): boolean =>
  checks.length > 0 || collation !== undefined || generated !== undefined || references !== undefined;

function cellOf(content: HTMLElement): HTMLTableCellElement {
  const cell = element('td');
  cell.append(content);
  return cell;
}
