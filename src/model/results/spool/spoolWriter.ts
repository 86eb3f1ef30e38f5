import type { FileHandle } from 'node:fs/promises';

/** Less is not written by itself, since each write costs the same beside what it writes. */
const worthWriting = 512 * 1024;
/** Whoever is further ahead of the disk than that waits for it. */
const mostAhead = 2 * 1024 * 1024;
/** More pieces than that are joined before they are written. */
const mostPieces = 256;

/** Writes what it is given one after another, while the next rows are on their way. */
export class SpoolWriter {
  readonly #handle: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #waitingRows = 0;
  #writing: Promise<void> | undefined;
  #fault: { readonly thrown: unknown } | undefined;
  #rowCount = 0;
  #size = 0;

  constructor(handle: FileHandle) {
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
    return this.#fault || this.#waitingBytes > mostAhead ? this.#room() : undefined;
  }

  async flush(): Promise<void> {
    for (this.#begin(); this.#writing; this.#begin()) await this.#writing;
    if (this.#fault) throw this.#fault.thrown;
  }

  /** Waits for no more than is needed, so that the next rows come while the rest is written. */
  async #room(): Promise<void> {
    while (this.#writing && this.#waitingBytes > mostAhead) await this.#writing;
    if (this.#fault) throw this.#fault.thrown;
  }

  #begin(): void {
    if (!this.#fault && this.#waitingBytes > 0) this.#writing ??= this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    const [pieces, bytes, rowCount] = [this.#waiting, this.#waitingBytes, this.#waitingRows];
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      await this.#writeAll(pieces.length > mostPieces ? [Buffer.concat(pieces)] : pieces, bytes);
      this.#size += bytes;
      this.#rowCount = rowCount;
    } catch (thrown) {
      this.#fault = { thrown };
    } finally {
      this.#writing = undefined;
    }
  }

  /** A disk that fills up takes a part and says so only by how much it took; the next attempt then fails in words. */
  async #writeAll(pieces: readonly Uint8Array[], bytes: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(pieces, this.#size);
    if (bytesWritten === bytes) return;
    const whole = Buffer.concat(pieces);
    for (let done = bytesWritten; done < bytes;) {
      const written = await this.#handle.write(whole, done, bytes - done, this.#size + done);
      done += written.bytesWritten;
    }
  }
}
