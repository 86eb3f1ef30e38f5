import { t } from '@vscode/l10n';
import type { ShownValue } from '../../../src/protocol/shownValues.ts';
import type { RowEdits } from '../../../src/protocol/browsing.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { showChange } from '../comparison/changedCells.ts';
import { type CellLink, linkLabel, showLink, showLoading, showValue } from '../values/cellContent.ts';
import { visibleText } from '../../ui/visibleText.ts';
import { CellStrip, hasSameCells, type Viewport } from './viewport.ts';
import type { GridRow, ShownEdits } from './rowCache.ts';

/** The id of the active cell's element, for `aria-activedescendant`. */
export const activeCellId = 'active-cell';

interface GridCell {
  readonly root: HTMLElement;
  /** The shown value, which is not painted again. */
  value?: ShownValue | undefined;
  column?: number;
  /** The type of the column may come after the value. */
  type?: string;
  link?: CellLink | undefined;
  before?: ShownValue | undefined;
}

/** The elements of one row. The grid reuses them for other rows while it scrolls. */
export class GridRowElement {
  readonly root = element('div', 'row', { role: 'row' });
  readonly #number = element('div', 'cell number', { role: 'rowheader', 'aria-colindex': '1' });
  readonly #strip = new CellStrip<GridCell>(this.root, this.#number, () => ({
    root: element('div', 'cell', { role: 'gridcell' }),
  }));
  #row = -1;
  #y: number | undefined;
  #cells: GridRow | undefined;
  #viewport: Viewport | undefined;

  paint(row: number, cells: GridRow | undefined, y: number, viewport: Viewport): void {
    if (y !== this.#y) this.root.style.transform = `translateY(${y}px)`;
    this.#y = y;
    this.#strip.scrollTo(viewport.scrollLeft);
    if (row === this.#row && cells === this.#cells && hasSameCells(this.#viewport, viewport)) return;
    this.#row = row;
    this.#cells = cells;
    this.#viewport = viewport;
    const { selection, layout, headerRows } = viewport;
    // A service may return rows without columns, which have no active cell.
    const hasCells = layout.shown.length > 0;
    const active = hasCells && row === selection.active.row ? selection.active.position : undefined;
    this.root.setAttribute('aria-rowindex', String(headerRows + row + 1));
    this.root.style.width = `${viewport.width}px`;
    this.root.classList.toggle('odd', row % 2 === 1);
    const edits = viewport.cache.editsOf(row);
    this.#showNumber(row, edits);
    this.#number.classList.toggle('active', active !== undefined);
    this.#number.setAttribute('aria-selected', String(selection.hasWholeRow(row, layout.shown.length)));
    this.#strip.layOut(viewport, active, (cell, position) => {
      const column = layout.columnAt(position);
      const { root } = cell;
      // Painting the value restores its own description.
      if (root.hasAttribute('data-problem')) cell.value = undefined;
      this.#paintValue(cell, column, viewport);
      showEdit(root, column, edits);
      showProblem(root, problemAt(edits, column));
      const selected = selection.contains(row, position);
      root.classList.toggle('selected', selected);
      root.classList.toggle('active', position === active);
      root.classList.toggle('numeric', viewport.isNumeric(layout.columnAt(position)));
      setAttribute(root, 'id', position === active ? activeCellId : undefined);
      root.setAttribute('aria-selected', String(selected));
    });
  }

  #showNumber(row: number, edits: RowEdits | undefined): void {
    const problem = problemAt(edits, undefined);
    const note = problem ?? rowNote(edits);
    this.#number.textContent = String(row + 1);
    this.#number.title = note ?? '';
    setAttribute(this.#number, 'aria-description', note);
    setAttribute(this.#number, 'data-problem', problem);
    setAttribute(this.root, 'data-edits', edits?.state);
  }

  #paintValue(cell: GridCell, column: number, viewport: Viewport): void {
    const { columns } = viewport;
    const value = this.#cells?.[column];
    const { type = '' } = columns[column] ?? {};
    const link = value && this.#linkOf(value, column, viewport);
    const change = this.#cells && viewport.changes?.of(this.#cells, column);
    const isSameValue = cell.value === value && cell.before === change?.before;
    if (value !== undefined && isSameValue && cell.type === type && isSameLink(cell.link, link)) return;
    if (value === undefined && cell.value === undefined && cell.column === column) return;
    cell.value = value;
    cell.column = column;
    cell.type = type;
    cell.link = link;
    cell.before = change?.before;
    if (!value) return showLoading(cell.root, columns[column]?.name ?? '');
    showValue(cell.root, value, type);
    showChange(cell.root, change, type);
    if (link) showLink(cell.root, link);
  }

  #linkOf(value: ShownValue, column: number, { columns, cache }: Viewport): CellLink | undefined {
    if (value.kind === 'null') return undefined;
    const { references, leadsTo } = columns[column] ?? {};
    if (references !== undefined) return { label: t('Go to Row in {0}', visibleText(references)) };
    const label = linkLabel(leadsTo);
    if (label !== undefined) return { label };
    const isError = leadsTo === 'error' && cache.hasError(this.#row);
    return isError ? { label: t('Go to Error'), isShown: true } : undefined;
  }
}

function rowNote(edits: RowEdits | undefined): string | undefined {
  if (edits?.state === 'deleted') return t('This row is deleted when you save.');
  return edits?.state === 'new' ? t('This row is added when you save.') : undefined;
}

function showEdit(cell: HTMLElement, column: number, edits: ShownEdits | undefined): void {
  const isEdited = edits?.columns.includes(column) === true;
  const isDefault = edits?.defaults?.includes(column) === true;
  const isSent = edits?.sent?.includes(column) === true;
  setAttribute(cell, 'data-edit', isDefault ? 'default' : isSent ? 'sent' : isEdited ? 'edited' : undefined);
  if (isDefault) cell.textContent = t('default');
  setAttribute(cell, 'aria-roledescription', isEdited ? t('edited cell') : undefined);
}

/** The problems of a cell, or without a column those of the whole row. */
export function problemAt(edits: RowEdits | undefined, column: number | undefined): string | undefined {
  const ofCell = edits?.problems?.filter(problem => problem.column === column) ?? [];
  return ofCell.length === 0 ? undefined : ofCell.map(({ message }) => visibleText(message)).join('\n');
}

/** Marks a cell that cannot be saved. The reason is its tooltip and its description. */
function showProblem(cell: HTMLElement, problem: string | undefined): void {
  if (problem === undefined && !cell.hasAttribute('data-problem')) return;
  setAttribute(cell, 'data-problem', problem);
  setAttribute(cell, 'title', problem);
  setAttribute(cell, 'aria-invalid', problem === undefined ? undefined : 'true');
  setAttribute(cell, 'aria-description', problem);
}

const isSameLink = (one: CellLink | undefined, other: CellLink | undefined): boolean => one?.label === other?.label;
