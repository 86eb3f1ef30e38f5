import type { GridColumn } from '../../../src/protocol/results.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridFont } from '../gridFont.ts';
import type { GridRow } from '../rows/rowCache.ts';
import { firstWidths } from './columnWidths.ts';

/** The rows that widths are measured by. */
const sampleRows = 50;

export interface AutomaticWidthsOptions {
  readonly columns: readonly GridColumn[];
  readonly showsTypes: boolean;
  readonly sample: readonly GridRow[];
  readonly layout: ColumnLayout;
  readonly font: GridFont;
  /** The width for columns. */
  readonly room: number;
  /** Called when columns got other widths. */
  readonly onChanged: () => void;
}

/** Fits the columns to the first rows and to the view, except those that the user has sized. */
export class AutomaticWidths {
  readonly #options: AutomaticWidthsOptions;
  #columns: readonly GridColumn[];
  #sample: readonly GridRow[];
  #room: number;
  #showsTypes: boolean;

  constructor(options: AutomaticWidthsOptions) {
    this.#options = options;
    this.#columns = options.columns;
    this.#showsTypes = options.showsTypes;
    this.#sample = options.sample;
    this.#room = options.room;
    this.fit();
  }

  /** Takes the types of the columns, which come after the rows. */
  setColumns(columns: readonly GridColumn[], showsTypes: boolean): void {
    const isSame = columns.every(({ type }, column) => type === this.#columns[column]?.type);
    if (isSame && showsTypes === this.#showsTypes) return;
    this.#columns = columns;
    this.#showsTypes = showsTypes;
    this.fit();
  }

  /** Takes the width for columns. */
  setRoom(room: number): void {
    if (room === this.#room) return;
    this.#room = room;
    this.fit();
  }

  /** Takes rows that came after the first ones. */
  offer(rowAt: (row: number) => GridRow | undefined): void {
    const known = this.#sample.length;
    if (known >= sampleRows || !rowAt(known)) return;
    this.#sample = Array.from({ length: sampleRows }, (_, row) => rowAt(row)).filter(row => row !== undefined);
    this.fit();
  }

  /** Fits the shown columns again, for example because others are hidden. */
  fit(): void {
    const { layout, font, onChanged } = this.#options;
    const { shown } = layout;
    const widths = firstWidths({
      columns: shown.map(column => this.#columns[column]!),
      sample: this.#sample.map(row => shown.map(column => row[column]!)),
      characterWidth: font.characterWidth,
      room: this.#room,
      showsTypes: this.#showsTypes,
      chosenWidth: position => layout.chosenWidth(layout.columnAt(position)),
      leastWidth: position => layout.formerWidth(layout.columnAt(position)),
    });
    if (layout.fit(widths)) onChanged();
  }
}
