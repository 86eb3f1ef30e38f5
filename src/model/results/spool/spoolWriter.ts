import type { FileHandle } from 'node:fs/promises';

/** Less is not written by itself, since each write costs the same beside what it writes. */
const worthWriting = 512 * 1024;
/** Whoever is further ahead of the disk than that waits for it. */
const mostAhead = 3 * 1024 * 1024;
/** So many writes are begun at a time: when one is done, whoever takes rows in may have no time to begin the next. */
const mostWrites = 3;
/** More pieces than that are joined before they are written. */
const mostPieces = 256;

type WrittenFile = Pick<FileHandle, 'write' | 'writev'>;

/** Writes what it is given one after another, while the next rows are on their way. */
export class SpoolWriter {
  readonly #handle: WrittenFile;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #waitingRows = 0;
  /** Those that were begun. They settle in their order, and none rejects. */
  readonly #writes: Promise<void>[] = [];
  #begunSize = 0;
  #fault: { readonly thrown: unknown } | undefined;
  #rowCount = 0;
  #size = 0;

  constructor(handle: WrittenFile) {
    this.#handle = handle;
  }

  /** Rows that stand in the file whole. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Bytes that stand in the file. */
  get size(): number {
    return this.#size;
  }

  /** `rowCount` is that of all rows with these. Gives what has to be waited for, when too much is ahead of the disk. */
  write(pieces: readonly Uint8Array[], rowCount: number): Promise<void> | undefined {
    for (const piece of pieces) {
      this.#waiting.push(piece);
      this.#waitingBytes += piece.byteLength;
    }
    this.#waitingRows = rowCount;
    if (this.#waitingBytes >= worthWriting) this.#begin();
    return this.#fault || this.#ahead > mostAhead ? this.#room() : undefined;
  }

  async flush(): Promise<void> {
    for (this.#begin(); this.#writes.length > 0; this.#begin()) await this.#writes.at(-1);
    if (this.#fault) throw this.#fault.thrown;
  }

  get #ahead(): number {
    return this.#begunSize - this.#size + this.#waitingBytes;
  }

  /** Waits for no more than is needed, so that the next rows come while the rest is written. */
  async #room(): Promise<void> {
    while (this.#writes.length > 0 && this.#ahead > mostAhead) await this.#writes[0];
    if (this.#fault) throw this.#fault.thrown;
  }

  #begin(): void {
    if (this.#fault || this.#waitingBytes === 0 || this.#writes.length >= mostWrites) return;
    const [pieces, bytes, rowCount] = [this.#waiting, this.#waitingBytes, this.#waitingRows];
    this.#waiting = [];
    this.#waitingBytes = 0;
    const written = this.#writeAll(
      pieces.length > mostPieces ? [Buffer.concat(pieces)] : pieces,
      this.#begunSize,
      bytes,
    );
    this.#begunSize += bytes;
    this.#writes.push(this.#settle(written, this.#writes.at(-1), bytes, rowCount));
  }

  /** What stands behind bytes that did not get to the disk does not count. */
  async #settle(
    written: Promise<void>,
    before: Promise<void> | undefined,
    bytes: number,
    rowCount: number,
  ): Promise<void> {
    const [, outcome] = await Promise.allSettled([before, written]);
    if (outcome.status === 'rejected') this.#fault ??= { thrown: outcome.reason };
    else if (!this.#fault) {
      this.#size += bytes;
      this.#rowCount = rowCount;
    }
    void this.#writes.shift();
    if (this.#waitingBytes >= worthWriting) this.#begin();
  }

  /** A disk that fills up takes a part and says so only by how much it took; the next attempt then fails in words. */
  async #writeAll(pieces: readonly Uint8Array[], at: number, bytes: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(pieces, at);
    if (bytesWritten === bytes) return;
    const whole = Buffer.concat(pieces);
    for (let done = bytesWritten; done < bytes;) {
      const written = await this.#handle.write(whole, done, bytes - done, at + done);
      done += written.bytesWritten;
    }
  }
}
