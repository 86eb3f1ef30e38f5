export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit into the view. */
  readonly page: number;
}

/** Where a key takes the active cell, or undefined when the key means nothing to the grid. */
export function moveBy(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: Cell,
  { rows, columns, page }: Extent,
): Cell | undefined {
  if (altKey || rows === 0 || columns === 0) return undefined;
  const far = ctrlKey || metaKey;
  const last = { row: rows - 1, column: columns - 1 };
  const targets: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: far ? 0 : from.row - 1, column: from.column },
    ArrowDown: { row: far ? last.row : from.row + 1, column: from.column },
    ArrowLeft: { row: from.row, column: far ? 0 : from.column - 1 },
    ArrowRight: { row: from.row, column: far ? last.column : from.column + 1 },
    PageUp: { row: from.row - page, column: from.column },
    PageDown: { row: from.row + page, column: from.column },
    Home: { row: far ? 0 : from.row, column: 0 },
    End: { row: far ? last.row : from.row, column: last.column },
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target && { row: clamp(target.row, last.row), column: clamp(target.column, last.column) };
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));
