import type { Disposable } from '../../base/disposable.ts';
import type { Row } from '../../wire/values.ts';

/** The place of a row in the table. It distinguishes equal rows without a key while they are shown. */
export interface RowPlace {
  /** Identifies one order of the rows. */
  readonly view: object;
  /** Among the rows of the table, without new ones. */
  readonly number: number;
}

/** Pending edits, as they are shown over the rows of a browsed table. */
export interface RowOverlay {
  /** New rows. They come before the first row of the table. */
  readonly newRows: readonly Row[];
  readonly orderVersion: number;
  readonly onChange: (listener: () => void) => Disposable;
  /** Says that an order of the rows is read from now on. */
  startReading(view: object): void;
  shownRow(row: Row, place: RowPlace): Row;
}

/** The shown rows of a range. Calls `fetch` with the rows of the table that are among them. */
export async function overlaidRows(
  overlay: RowOverlay,
  view: object,
  start: number,
  end: number,
  fetch: (start: number, end: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const { newRows } = overlay;
  const first = Math.max(0, start - newRows.length);
  const last = Math.max(0, end - newRows.length);
  const fetched = first < last ? await fetch(first, last) : [];
  return [
    ...newRows.slice(start, end),
    ...fetched.map((row, index) => overlay.shownRow(row, { view, number: first + index })),
  ];
}
