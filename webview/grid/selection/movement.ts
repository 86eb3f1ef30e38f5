import type { Cell } from './selection.ts';

interface Extent {
  readonly rows: number;
  /** The number of shown columns. */
  readonly positions: number;
  readonly pageRows: number;
}

/** The cell to which a key moves the active cell; undefined for a key that moves nothing. */
export function moveBy(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: Cell,
  { rows, positions, pageRows }: Extent,
): Cell | undefined {
  if (altKey || rows === 0 || positions === 0) return undefined;
  const far = ctrlKey || metaKey;
  // VS Code switches editors by these keys.
  if (far && (key === 'PageUp' || key === 'PageDown')) return undefined;
  const last = { row: rows - 1, position: positions - 1 };
  const targets: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: far ? 0 : from.row - 1, position: from.position },
    ArrowDown: { row: far ? last.row : from.row + 1, position: from.position },
    ArrowLeft: { row: from.row, position: far ? 0 : from.position - 1 },
    ArrowRight: { row: from.row, position: far ? last.position : from.position + 1 },
    PageUp: { row: from.row - pageRows, position: from.position },
    PageDown: { row: from.row + pageRows, position: from.position },
    Home: { row: far ? 0 : from.row, position: 0 },
    End: { row: far ? last.row : from.row, position: last.position },
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target && { row: clamp(target.row, last.row), position: clamp(target.position, last.position) };
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value));
