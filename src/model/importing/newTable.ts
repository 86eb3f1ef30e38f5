import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { Cell, SourceRow } from './sourceRow.ts';

type ProposedType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

/** The statement that creates a table for the rows of a file. The user can change it before it runs. */
export function proposeTable(table: string, columns: readonly string[], rows: readonly SourceRow[]): string {
  const valid = rows.filter(({ fault }) => !fault);
  const lines = columns.map((name, index) => {
    const type = proposedType(valid.map(({ cells }) => cells[index] ?? null));
    return `  ${quoteIdentifierIfNeeded(name)} ${type}`;
  });
  return `CREATE TABLE ${quoteIdentifierIfNeeded(table)} (\n${lines.join(',\n')}\n)`;
}

/** A number type only if it changes no value: each text must be spelled as SQLite would write the number. */
function proposedType(cells: readonly Cell[]): ProposedType {
  const values = cells.filter(cell => cell !== null);
  if (values.length === 0) return 'TEXT';
  if (values.every(value => value instanceof Uint8Array)) return 'BLOB';
  if (values.every(isInteger)) return 'INTEGER';
  return values.every(isReal) ? 'REAL' : 'TEXT';
}

function isInteger(value: Cell): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer && String(integer) === value;
}

/** A decimal number that a REAL column gives back as it was spelled. An integer is none: it would come back as `5.0`. */
function isReal(value: Cell): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'string' || !/^-?\d+\.\d+$/.test(value)) return false;
  const number = Number(value);
  return Number.isFinite(number) && (String(number) === value || number.toFixed(1) === value) && value.length <= 17;
}
