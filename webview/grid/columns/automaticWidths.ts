import type { ResultView, RowWindow } from '../../../src/protocol/results.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { GridFont } from '../gridFont.ts';
import { roomFor } from '../gridGeometry.ts';
import type { ChangedCells } from '../comparison/changedCells.ts';
import type { GridRow } from '../rows/rowCache.ts';
import { firstWidths, type FirstWidthsOptions, grownWidths } from './columnWidths.ts';

const sampleRows = 50;

interface AutomaticWidthsOptions {
  readonly changes: ChangedCells | undefined;
  readonly view: ResultView;
  readonly first: RowWindow;
  readonly layout: ColumnLayout;
  readonly font: GridFont;
  /** The grid shares the width of this element with the record. Opening the record moves no column. */
  readonly panel: HTMLElement;
  readonly onChanged: () => void;
}

/** Fits columns to the first rows and to the view, except columns that the user has sized. */
export class AutomaticWidths {
  readonly #options: AutomaticWidthsOptions;
  readonly #observer = new ResizeObserver(() => this.#onResize());
  #view: ResultView;
  #sample: readonly GridRow[];
  /** Kept here, because a read from the element lays out the page for each batch of rows. */
  #panelWidth: number;
  #room: number;

  constructor(options: AutomaticWidthsOptions) {
    const { view, first, panel, font } = options;
    this.#options = options;
    this.#view = view;
    this.#sample = first.rows;
    this.#panelWidth = panel.clientWidth;
    this.#room = roomFor(view.rowCount, this.#panelWidth, font);
    this.#observer.observe(panel);
    this.fit();
  }

  get measuredRows(): number {
    return Math.min(this.#sample.length, sampleRows);
  }

  /** Types of columns and the number of rows come after the first rows. */
  show(view: ResultView): void {
    const { columns, showsTypes } = this.#view;
    this.#view = view;
    this.#options.layout.add(view.columns.length);
    const isSame = view.columns.every(({ type }, column) => type === columns[column]?.type);
    if (!isSame || showsTypes !== view.showsTypes) this.fit();
    this.#fitToPanel();
  }

  /** Measures by more rows when they have come. */
  offer(rowAt: (row: number) => GridRow | undefined): void {
    const sampleLength = this.#sample.length;
    if (sampleLength >= sampleRows || !rowAt(sampleLength)) return;
    this.#sample = Array.from({ length: sampleRows }, (_, row) => rowAt(row)).filter(row => row !== undefined);
    this.fit();
  }

  fit(): void {
    this.#take(firstWidths(this.#measuresBy(this.#sample)));
  }

  /** Gives free room to cut values in view. No column gets narrower, so that columns do not move to and fro. */
  grow(rows: readonly GridRow[]): void {
    const { layout } = this.#options;
    if (layout.width >= this.#room) return;
    const widths = layout.shown.map((_column, position) => layout.widthAt(position));
    this.#take(grownWidths(widths, this.#measuresBy(rows)));
  }

  #measuresBy(sample: readonly GridRow[]): FirstWidthsOptions {
    const { layout, font, changes } = this.#options;
    const { shown } = layout;
    return {
      columns: shown.map(column => this.#view.columns[column]!),
      sample: sample.map(row => shown.map(column => changes?.measured(row, column) ?? row[column]!)),
      characterWidth: font.characterWidth,
      room: this.#room,
      showsTypes: this.#view.showsTypes === true,
      chosenWidth: position => layout.chosenWidth(layout.columnAt(position)),
      leastWidth: position => layout.formerWidth(layout.columnAt(position)),
    };
  }

  #take(widths: readonly number[]): void {
    if (this.#options.layout.fit(widths)) this.#options.onChanged();
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  #onResize(): void {
    this.#panelWidth = this.#options.panel.clientWidth;
    this.#fitToPanel();
  }

  /** A hidden panel has no width. While rows arrive, columns stay in place although row numbers get longer. */
  #fitToPanel(): void {
    if (this.#panelWidth === 0 || this.#view.state === 'running') return;
    const room = roomFor(this.#view.shownRows, this.#panelWidth, this.#options.font);
    if (room === this.#room) return;
    this.#room = room;
    this.fit();
  }
}
