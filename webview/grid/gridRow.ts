import type { Column, TaggedValue } from '../../src/wire/values.ts';
import { textOf } from '../../src/wire/values.ts';
import { element } from '../ui/element.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { GridRow } from './rowCache.ts';

/** Longer texts are cut for the cell, which could not show them anyway. */
const longestText = 300;

export interface RowPaint {
  readonly row: number;
  readonly cells: GridRow | undefined;
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  readonly visible: readonly [number, number];
  readonly x: number;
  readonly y: number;
  readonly activeColumn: number | undefined;
  readonly loading: string;
}

/** One row's elements, used again for other rows as the grid scrolls. */
export class GridRowElement {
  readonly root = element('div', 'row');
  readonly #cells: HTMLElement[] = [];

  constructor() {
    this.root.setAttribute('role', 'row');
  }

  paint({ row, cells, columns, layout, visible, x, y, activeColumn, loading }: RowPaint): void {
    const [first, end] = visible;
    this.root.setAttribute('aria-rowindex', String(row + 2));
    this.root.style.transform = `translate(${-x}px, ${y}px)`;
    this.root.style.width = `${layout.width}px`;
    this.root.classList.toggle('odd', row % 2 === 1);
    this.#resize(end - first);
    this.#cells.forEach((cell, i) => {
      const column = first + i;
      place(cell, layout, column);
      fillCell(cell, cells?.[column], columns[column]?.name ?? '', loading);
      const active = column === activeColumn;
      cell.classList.toggle('active', active);
      cell.id = active ? 'active-cell' : '';
      cell.setAttribute('aria-selected', String(active));
    });
  }

  #resize(count: number): void {
    while (this.#cells.length < count) {
      const cell = element('div', 'cell');
      cell.setAttribute('role', 'gridcell');
      this.#cells.push(cell);
      this.root.append(cell);
    }
    while (this.#cells.length > count) this.#cells.pop()?.remove();
  }
}

export function place(cell: HTMLElement, layout: ColumnLayout, column: number): void {
  cell.setAttribute('aria-colindex', String(column + 1));
  cell.style.left = `${layout.left(column)}px`;
  cell.style.width = `${layout.widthOf(column)}px`;
}

function fillCell(cell: HTMLElement, value: TaggedValue | undefined, column: string, loading: string): void {
  const kind = value?.kind ?? 'loading';
  cell.dataset['kind'] = kind;
  const text = value === undefined ? '…' : value.kind === 'null' ? 'NULL' : textOf(value);
  cell.textContent = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  if (value === undefined) cell.setAttribute('aria-label', `${column} ${loading}`);
  else cell.removeAttribute('aria-label');
}
