import type { RowOverlay } from '../../src/model/browsing/rowOverlay.ts';

/** The overlay of a table that nobody edits. */
export const withoutEdits: RowOverlay = {
  newRows: [],
  orderVersion: 0,
  onChange: () => ({ dispose: () => undefined }),
  startReading: () => undefined,
  shownRow: row => row,
};
