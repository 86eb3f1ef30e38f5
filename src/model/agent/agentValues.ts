import { beginningOf } from '../../base/oneLine.ts';
import { type Column, exactText, isBlobType, isLargeReal, type SqlValue } from '../../wire/values.ts';
import { blobBytes } from '../results/thread/formats/literals.ts';
import type { JsonValue } from './agentTool.ts';

/** Longer texts are cut. */
const shownTextLength = 500;
/** About how many characters all texts of a row have together. Each text has at least {@link minTextLength}. */
const shownRowLength = 8000;
const minTextLength = 40;

const shownBlobBytes = 16;

/** Whether a value of a row is cut. Only a cut text comes with its length. */
export const isCutValue = (value: JsonValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ('length' in value || ('bytes' in value && Number(value.bytes) > shownBlobBytes));

/** Writes the values of rows for an agent: each has its type, and long ones are cut. */
export class AgentValues {
  readonly columns: readonly Column[];
  /** The column of the statement that has the first letter of each value's type. */
  readonly #kinds: string | undefined;
  readonly #maxLength: number;

  constructor(columns: readonly Column[], kinds?: string) {
    this.columns = columns;
    this.#kinds = kinds;
    const share = Math.floor(shownRowLength / Math.max(1, columns.length));
    this.#maxLength = Math.max(minTextLength, Math.min(shownTextLength, share));
  }

  row(row: Readonly<Record<string, SqlValue>>): JsonValue[] {
    const kinds = this.#kinds === undefined ? undefined : row[this.#kinds];
    return this.columns.map(({ name, type }, index) => {
      // Without the types of the values, those of the columns are the best guess.
      const isBlob = typeof kinds === 'string' ? kinds[index] === 'b' : isBlobType(type);
      return this.#value(row[name] ?? null, isBlob);
    });
  }

  #value(value: SqlValue, isBlob: boolean): JsonValue {
    if (value === null || typeof value === 'boolean') return value;
    switch (typeof value) {
      case 'string':
        return (isBlob ? this.#blob(value) : undefined) ?? this.#text(value);
      case 'bigint':
        return { type: 'integer', text: String(value) };
      case 'number':
        return numberValue(value);
      default:
        return { type: 'json', ...this.#cut(exactText(value)) };
    }
  }

  #text(text: string): JsonValue {
    return text.length <= this.#maxLength ? text : { type: 'text', ...this.#cut(text) };
  }

  #cut(text: string): { readonly text: string; readonly length?: number } {
    if (text.length <= this.#maxLength) return { text };
    return { text: beginningOf(text, this.#maxLength), length: text.length };
  }

  /** Undefined for a text that is not base64: a BLOB column may hold texts too. */
  #blob(base64: string): JsonValue | undefined {
    const bytes = blobBytes(base64);
    return bytes && { type: 'blob', bytes: bytes.length, hex: bytes.toString('hex', 0, shownBlobBytes) };
  }
}

/** JSON has no infinity, its readers lose the sign of zero, and digits of a large REAL would be read as an integer. */
function numberValue(value: number): JsonValue {
  if (value === Infinity) return { type: 'real', text: '1e999' };
  if (value === -Infinity) return { type: 'real', text: '-1e999' };
  if (Object.is(value, -0)) return { type: 'real', text: '-0.0' };
  return isLargeReal(value) ? { type: 'real', text: value.toExponential() } : value;
}
