import { parseJson } from '../../../base/decode.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import type { Column } from '../../../wire/values.ts';
import { type RowsTail, tailMark } from './storeCalls.ts';

const headBytes = 4;

export const batchFrame = (batch: Uint8Array): Uint8Array[] =>
  batch.length > 0 ? [frameHead(batch.length), batch] : [];

export const tailFrame = (tail: RowsTail): Uint8Array[] => [
  frameHead(tailMark),
  new TextEncoder().encode(JSON.stringify(tail)),
];

/** The number in front of a batch or of the tail. */
function frameHead(length: number): Uint8Array {
  const head = new Uint8Array(headBytes);
  new DataView(head.buffer).setUint32(0, length);
  return head;
}

/** The batches of rows in an answer, and the columns that come after them. */
export class FramedRows {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #unreadBytes: Uint8Array = new Uint8Array();
  #columns: readonly Column[] = [];

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Complete after the rows have been read. */
  get columns(): readonly Column[] {
    return this.#columns;
  }

  async *batches(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const head = await this.#take(headBytes);
        const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
        if (length === tailMark) break;
        yield await this.#take(length);
      }
      const { columns = [], fault } = parseJson(new TextDecoder().decode(await this.#takeAll())) as RowsTail;
      if (fault) throw new ServiceError(fault);
      this.#columns = columns;
    } finally {
      await this.#chunks.return?.();
    }
  }

  async #take(length: number): Promise<Uint8Array> {
    const parts = [this.#unreadBytes];
    let available = this.#unreadBytes.length;
    while (available < length) {
      const step = await this.#chunks.next();
      if (step.done === true) throw new Error('The store ended its answer too early.');
      parts.push(step.value);
      available += step.value.length;
    }
    const whole = parts.length === 1 ? this.#unreadBytes : Buffer.concat(parts);
    this.#unreadBytes = whole.subarray(length);
    return whole.subarray(0, length);
  }

  async #takeAll(): Promise<Uint8Array> {
    const parts = [this.#unreadBytes];
    for (let step = await this.#chunks.next(); step.done !== true; step = await this.#chunks.next())
      parts.push(step.value);
    return Buffer.concat(parts);
  }
}
