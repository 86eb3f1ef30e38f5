import type { FileHandle } from 'node:fs/promises';

/** Whoever writes more than this ahead of the disk waits for it. */
const mostAhead = 1024 * 1024;

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

  /** `rowCount` is that of all rows with these. Settles at once unless too much is ahead of the disk. */
  async write(pieces: readonly Uint8Array[], rowCount: number): Promise<void> {
    this.#throwFault();
    this.#waiting.push(...pieces);
    for (const piece of pieces) this.#waitingBytes += piece.byteLength;
    this.#waitingRows = rowCount;
    this.#writing ??= this.#writeAll();
    if (this.#waitingBytes > mostAhead) await this.flush();
  }

  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#throwFault();
  }

  #throwFault(): void {
    if (this.#fault) throw this.#fault.thrown;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const data = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
        const rowCount = this.#waitingRows;
        this.#waiting = [];
        this.#waitingBytes = 0;
        await this.#write(data);
        this.#size += data.byteLength;
        this.#rowCount = rowCount;
      }
    } catch (thrown) {
      this.#fault = { thrown };
    } finally {
      this.#writing = undefined;
    }
  }

  /** A disk that fills up takes a part and says so only by how much it took; the next attempt then fails in words. */
  async #write(data: Uint8Array): Promise<void> {
    for (let done = 0; done < data.byteLength;) {
      const { bytesWritten } = await this.#handle.write(data, done, data.byteLength - done, this.#size + done);
      done += bytesWritten;
    }
  }
}
