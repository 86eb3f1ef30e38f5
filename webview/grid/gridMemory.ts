import { asArrayOf, asCount, asRecord } from '../../src/base/decode.ts';
import { PacedWrite } from '../ui/pacedWrite.ts';
import { PageMemory } from '../ui/pageMemory.ts';
import type { ColumnLayout, RememberedLayout } from './columns/columnLayout.ts';
import type { GridView, ScrollPlace } from './gridView.ts';
import type { Selection } from './selection/selection.ts';

/** So that scrolling does not hand over a state with each frame. */
const pauseMs = 250;

export interface GridMemoryOptions {
  readonly runId: string;
  readonly view: GridView;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
}

/** How a result was looked at: its columns, the place, the active cell. It is taken up when the result is shown again. */
export class GridMemory {
  readonly #memory = new PageMemory('grids');
  readonly #options: GridMemoryOptions;
  readonly #pace = new PacedWrite(() => this.#write(), pauseMs);
  #written = '';

  constructor(options: GridMemoryOptions) {
    this.#options = options;
  }

  recall(): void {
    const { runId, view, layout, selection } = this.#options;
    const record = asRecord(this.#memory.read(runId));
    const [columns, place] = [decodeLayout(record?.['layout']), decodePlace(record?.['place'])];
    const [row, column] = [asCount(record?.['row']), asCount(record?.['column'])];
    if (columns) layout.restore(columns);
    if (place) view.scrollTo(place);
    if (row !== undefined && column !== undefined) {
      selection.start({ row, position: layout.positionOf(column) ?? 0 });
    }
  }

  /** Called when something may be different. */
  note(): void {
    this.#pace.note();
  }

  /** Called when somebody went to a place, and may go elsewhere before the next pause is over. */
  keep(): void {
    this.#pace.now();
  }

  dispose(): void {
    this.#pace.dispose();
  }

  /** What is the same is not written again. */
  #write(): void {
    const { runId, view, layout, selection } = this.#options;
    const { row, position } = selection.active;
    const grid = { layout: layout.remembered(), place: view.scrolled, row, column: layout.columnAt(position) };
    const written = JSON.stringify(grid);
    if (written === this.#written) return;
    this.#written = written;
    this.#memory.write(runId, grid);
  }
}

function decodeLayout(value: unknown): RememberedLayout | undefined {
  const record = asRecord(value);
  const [order, hidden] = [asArrayOf(record?.['order'], asCount), asArrayOf(record?.['hidden'], asCount)];
  const [widths, frozen] = [asArrayOf(record?.['widths'], asCount), asCount(record?.['frozen'])];
  return order && hidden && widths && frozen !== undefined ? { order, hidden, widths, frozen } : undefined;
}

function decodePlace(value: unknown): ScrollPlace | undefined {
  const record = asRecord(value);
  const [top, left] = [record?.['top'], record?.['left']];
  return isDistance(top) && isDistance(left) ? { top, left } : undefined;
}

const isDistance = (value: unknown): value is number => typeof value === 'number' && value >= 0;
