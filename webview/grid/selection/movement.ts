import type { Cell } from './selection.ts';

export interface Extent {
  readonly rows: number;
  /** Columns that are shown. */
  readonly positions: number;
  /** Rows that fit into the view. */
  readonly page: number;
}

/** Where a key takes the active cell, or undefined when the key means nothing to the grid. */
export function moveBy(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: Cell,
  { rows, positions, page }: Extent,
): Cell | undefined {
  if (altKey || rows === 0 || positions === 0) return undefined;
  const far = ctrlKey || metaKey;
  // These are VS Code's, for the editors before and behind.
  if (far && (key === 'PageUp' || key === 'PageDown')) return undefined;
  const last = { row: rows - 1, position: positions - 1 };
  const targets: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: far ? 0 : from.row - 1, position: from.position },
    ArrowDown: { row: far ? last.row : from.row + 1, position: from.position },
    ArrowLeft: { row: from.row, position: far ? 0 : from.position - 1 },
    ArrowRight: { row: from.row, position: far ? last.position : from.position + 1 },
    PageUp: { row: from.row - page, position: from.position },
    PageDown: { row: from.row + page, position: from.position },
    Home: { row: far ? 0 : from.row, position: 0 },
    End: { row: far ? last.row : from.row, position: last.position },
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target && { row: clamp(target.row, last.row), position: clamp(target.position, last.position) };
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));
