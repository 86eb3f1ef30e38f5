import { arrayOf, asCount, asNumber, asString, object, optional, refine } from '../../src/base/decode.ts';
import { Debouncer } from '../../src/base/debouncer.ts';
import { PageMemory } from '../ui/host.ts';
import { decodeLayout } from './columnLayout.ts';
import type { GridParts, GridView } from './gridView.ts';

/** Writes at most this often while the user scrolls. */
const writeIntervalMs = 250;

const decodeDistance = refine(asNumber, pixels => pixels >= 0);
const decodeGrid = object({
  layout: optional(decodeLayout),
  place: optional(object({ top: decodeDistance, left: decodeDistance })),
  /** Undefined if there are too many to be remembered. */
  names: optional(arrayOf(asString)),
  row: optional(asCount),
  column: optional(asCount),
  measuredRows: optional(asCount),
});

/** VS Code keeps all that pages remember in memory. */
const maxRememberedNames = 500;

interface GridMemoryOptions extends GridParts {
  readonly runId: string;
  /** The result before this one. The columns stay as they were there. */
  readonly formerRunId: string | undefined;
}

/** Remembers the columns, the place and the active cell of a result until it is shown again. */
export class GridMemory {
  readonly #memory = new PageMemory('grids');
  readonly #options: GridMemoryOptions;
  readonly writer = new Debouncer({
    run: () => this.#write(),
    delayMs: writeIntervalMs,
    leading: true,
  });
  #writtenState = '';

  constructor(options: GridMemoryOptions) {
    this.#options = options;
  }

  restore(): void {
    const { runId, view, layout, widths, selection } = this.#options;
    const remembered = decodeGrid(this.#memory.read(runId));
    if (!remembered) return this.#restoreFormer();
    const { row, column, measuredRows } = remembered;
    if (remembered.layout) layout.restore(remembered.layout);
    // The grid was left while its first rows arrived. Later rows may not fit the widths.
    if (measuredRows !== undefined && measuredRows < widths.measuredRows) widths.fit();
    if (remembered.place) view.scrollTo(remembered.place);
    if (row !== undefined && column !== undefined) {
      selection.start({ row, position: layout.positionOf(column) ?? 0 });
    }
  }

  #restoreFormer(): void {
    const { formerRunId, layout, view } = this.#options;
    if (formerRunId === undefined) return;
    const formerGrid = decodeGrid(this.#memory.read(formerRunId));
    if (formerGrid?.layout && formerGrid.names)
      layout.restoreByName(formerGrid.layout, formerGrid.names, namesOf(view));
  }

  #write(): void {
    const { runId, view, layout, widths, selection } = this.#options;
    const { row, position } = selection.active;
    const grid = {
      layout: layout.remembered(),
      ...(view.columns.length <= maxRememberedNames && { names: namesOf(view) }),
      place: view.scrollPlace,
      row,
      column: layout.columnAt(position),
      measuredRows: widths.measuredRows,
    };
    const state = JSON.stringify(grid);
    if (state === this.#writtenState) return;
    this.#writtenState = state;
    this.#memory.write(runId, grid);
  }
}

const namesOf = ({ columns }: GridView): string[] => columns.map(({ name }) => name);
