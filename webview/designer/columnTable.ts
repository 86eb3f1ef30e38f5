import { t } from '@vscode/l10n';
import type { ColumnDesign } from '../../src/protocol/tableDesign.ts';
import { element } from '../ui/element.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import { keyWords, type Shortcut, shortcutOf, takeKey } from '../ui/keys.ts';
import { columnKeys, ColumnRow } from './columnRow.ts';
import type { FormParts } from './designForm.ts';
import { moveColumn } from './edits.ts';

export class ColumnTable {
  readonly root = element('section', 'columns');
  readonly #parts: FormParts;
  readonly #body = element('tbody');
  readonly #rows = new Map<string, ColumnRow>();
  readonly #add = createPlainButton(t('Add Column'), () => void this.#parts.addColumn(undefined));

  constructor(parts: FormParts) {
    this.#parts = parts;
    const heading = element('h2', '', t('Columns'));
    heading.id = 'columns-heading';
    const table = element('table', '', { 'aria-labelledby': heading.id });
    table.append(createHead(), this.#body);
    table.addEventListener('keydown', event => this.#onKey(event));
    this.#add.classList.add('add');
    const keys = element(
      'p',
      'help',
      t(
        'In a column, {0} and {1} move it, {2} adds one below, and {3} deletes it.',
        keyWords(columnKeys.moveUp),
        keyWords(columnKeys.moveDown),
        keyWords(columnKeys.add),
        keyWords(columnKeys.remove),
      ),
    );
    this.root.append(heading, table, this.#add, keys);
  }

  update(): void {
    const { columns } = this.#parts.draft.design;
    const ids = new Set(columns.map(({ id }) => id));
    for (const [id, { row, detailsRow }] of this.#rows) {
      if (ids.has(id)) continue;
      row.remove();
      detailsRow.remove();
      this.#rows.delete(id);
    }
    columns.forEach((column, index) => {
      const columnRow = this.#rowOf(column);
      const { row, detailsRow } = columnRow;
      const place = this.#body.children[index * 2] ?? null;
      // An element that is moved loses the focus.
      const focused = place !== row && row.contains(document.activeElement) ? document.activeElement : undefined;
      if (place !== row) {
        this.#body.insertBefore(row, place);
        row.after(detailsRow);
      }
      if (focused instanceof HTMLElement) focused.focus();
      columnRow.update(column, index + 1);
    });
  }

  focusColumn(id: string): void {
    this.#rows.get(id)?.focus();
  }

  focusAdd(): void {
    this.#add.focus();
  }

  openDetails(id: string): void {
    this.#rows.get(id)?.openDetails();
  }

  #rowOf(column: ColumnDesign): ColumnRow {
    const row = this.#rows.get(column.id) ?? new ColumnRow(column, this.#parts);
    this.#rows.set(column.id, row);
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const id = target?.closest<HTMLElement>('[data-column]')?.dataset['column'];
    if (id === undefined) return;
    const { draft, addColumn, removeColumn } = this.#parts;
    const actions: Readonly<Record<Shortcut, () => unknown>> = {
      [columnKeys.moveUp]: () => draft.edit(moveColumn(id, -1)),
      [columnKeys.moveDown]: () => draft.edit(moveColumn(id, 1)),
      [columnKeys.add]: () => addColumn(id),
      [columnKeys.remove]: () => removeColumn(id),
    };
    const act = actions[shortcutOf(event)];
    if (!act) return;
    takeKey(event);
    act();
  }
}

function createHead(): HTMLElement {
  const headings: readonly (readonly [short: string, full: string])[] = [
    [t('Name'), t('Name')],
    [t('Type'), t('Type')],
    [t('NN'), t('Not NULL')],
    [t('Default'), t('Default')],
    [t('PK'), t('Primary key')],
    [t('UQ'), t('Unique')],
  ];
  const cells = headings.map(([short, full]) => {
    const cell = element('th', '', short);
    cell.scope = 'col';
    if (short !== full) cell.title = full;
    return cell;
  });
  return element('thead', '', [element('tr', '', [element('td'), ...cells, element('td')])]);
}
