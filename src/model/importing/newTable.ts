import { asProjectError } from '../../base/errors.ts';
import { emptyDesign, type TableDesign } from '../../protocol/tableDesign.ts';
import { plainColumn } from '../shaping/tableDesign.ts';
import { type SourceValue, firstPlace, type SourceReader, type SourceRow } from './sourceRow.ts';

interface NewColumn {
  readonly name: string;
  /** As SQL text. Empty for a column without a type. */
  readonly type: string;
}

/** The table for the rows of a file. The user can change it before it is created. */
export const proposeTable = (name: string, columns: readonly NewColumn[]): TableDesign => ({
  ...emptyDesign,
  name,
  columns: columns.map((column, index) => plainColumn(`column${index + 1}`, column.name, column.type)),
});

/** The columns of a new table that stores each value as it is. All rows are read, because the last one may be `007`. */
export async function proposeColumns(reader: SourceReader, signal: AbortSignal): Promise<NewColumn[]> {
  const { columns, types } = reader;
  if (types) return columns.map((name, index) => ({ name, type: types[index] ?? '' }));
  const proposed: (ColumnType | undefined)[] = columns.map(() => undefined);
  const pending = new Set(proposed.keys());
  try {
    for await (const { rows } of reader.blocks(firstPlace)) {
      signal.throwIfAborted();
      for (const row of rows) {
        if (row.fault) continue;
        for (const index of pending) {
          proposed[index] = typeWith(proposed[index], row, index);
          // A text stays one, whatever the later rows have.
          if (proposed[index] === 'TEXT') pending.delete(index);
        }
      }
      if (pending.size === 0) break;
    }
  } catch (thrown) {
    // The import stops at the same place, so later rows do not matter.
    if (asProjectError(thrown)?.kind !== 'misuse') throw thrown;
  }
  return columns.map((name, index) => ({ name, type: proposed[index] ?? 'TEXT' }));
}

type ColumnType = 'INTEGER' | 'REAL' | 'TEXT';

/**
 * The type of a column with the value of one more row. A number type only if it changes no value: each text must be spelled as
 * SQLite would write the number.
 */
function typeWith(
  before: ColumnType | undefined,
  { cells, strings }: SourceRow,
  index: number,
): ColumnType | undefined {
  const cell = cells[index] ?? null;
  if (cell === null) return before;
  const type = strings?.includes(index) ? 'TEXT' : typeOfNumber(cell);
  return (before ?? type) === type ? type : 'TEXT';
}

function typeOfNumber(cell: SourceValue): ColumnType {
  if (typeof cell !== 'string') return 'TEXT';
  if (isInteger(cell)) return 'INTEGER';
  return isReal(cell) ? 'REAL' : 'TEXT';
}

function isInteger(text: string): boolean {
  if (!/^-?\d{1,19}$/.test(text)) return false;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer && String(integer) === text;
}

/** A decimal number that a REAL column returns with the same spelling. An integer is not one: it would come back as `5.0`. */
function isReal(text: string): boolean {
  if (!/^-?\d+\.\d+$/.test(text)) return false;
  const number = Number(text);
  return Number.isFinite(number) && (String(number) === text || number.toFixed(1) === text) && text.length <= 17;
}
