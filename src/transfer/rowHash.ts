import { hash } from 'node:crypto';
import { type SourceValue, RawText } from '../model/importing/sourceRow.ts';

/** Hexadecimal digits of a hash of 128 bits. */
const digits = 32;
const modulus = 1n << BigInt(4 * digits);

/**
 * The sum of the hashes of rows. Their order does not matter, so each side reads its rows in its own order. Adding can
 * continue from a stored sum.
 */
export class RowHash {
  #sum: bigint;
  rowCount: number;

  constructor({ text, rowCount }: { readonly text: string; readonly rowCount: number } = { text: '', rowCount: 0 }) {
    this.#sum = BigInt(`0x${text === '' ? '0' : text}`);
    this.rowCount = rowCount;
  }

  add(cells: readonly SourceValue[]): void {
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', rowBytes(cells)).slice(0, digits)}`)) % modulus;
    this.rowCount++;
  }

  equals(other: RowHash): boolean {
    return this.rowCount === other.rowCount && this.text === other.text;
  }

  get text(): string {
    return this.#sum.toString(16).padStart(digits, '0');
  }
}

/** The bytes of two rows differ if any value or its storage class does. */
function rowBytes(cells: readonly SourceValue[]): Uint8Array | string {
  const parts: (string | Uint8Array)[] = [];
  for (const cell of cells) {
    if (cell === null) parts.push('n;');
    else if (typeof cell === 'bigint') parts.push(`i${cell};`);
    else if (typeof cell === 'number') parts.push(`r${Object.is(cell, -0) ? '-0' : cell};`);
    else if (typeof cell === 'string') parts.push(`t${cell.length};${cell}`);
    else parts.push(`${cell instanceof RawText ? 'u' : 'b'}${cell.length};`, cell);
  }
  if (parts.every(part => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
}
