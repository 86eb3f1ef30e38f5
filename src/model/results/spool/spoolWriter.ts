import type { FileHandle } from 'node:fs/promises';

/** Fewer bytes wait for more, because each write has a fixed cost. */
const minWriteBytes = 512 * 1024;
/** The most bytes that wait for the disk. With more, the writer of rows waits. */
const maxUnwrittenBytes = 3 * 1024 * 1024;
/** Several writes run at a time: when one ends, the event loop may be too busy with rows to start the next one. */
const maxWrites = 3;
/** More pieces than this are joined before they are written. */
const maxPieces = 256;

type WritableFile = Pick<FileHandle, 'write' | 'writev'>;

/** Writes pieces of bytes one after another, while more of them arrive. */
export class SpoolWriter {
  readonly #handle: WritableFile;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #waitingRowCount = 0;
  /** Writes under way. They settle in order and never reject. */
  readonly #writes: Promise<void>[] = [];
  #startedSize = 0;
  #fault: { readonly thrown: unknown } | undefined;
  #rowCount = 0;
  #size = 0;

  constructor(handle: WritableFile) {
    this.#handle = handle;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get size(): number {
    return this.#size;
  }

  /** `rowCount` counts all rows up to these pieces. Returns a promise if the caller must wait for the disk. */
  write(pieces: readonly Uint8Array[], rowCount: number): Promise<void> | undefined {
    for (const piece of pieces) {
      this.#waiting.push(piece);
      this.#waitingBytes += piece.byteLength;
    }
    this.#waitingRowCount = rowCount;
    if (this.#waitingBytes >= minWriteBytes) this.#startWrite();
    return this.#fault || this.#unwrittenBytes > maxUnwrittenBytes ? this.#waitForDisk() : undefined;
  }

  async flush(): Promise<void> {
    for (this.#startWrite(); this.#writes.length > 0; this.#startWrite()) await this.#writes.at(-1);
    if (this.#fault) throw this.#fault.thrown;
  }

  get #unwrittenBytes(): number {
    return this.#startedSize - this.#size + this.#waitingBytes;
  }

  /** Waits no longer than necessary, so that more rows arrive while the others are written. */
  async #waitForDisk(): Promise<void> {
    while (this.#writes.length > 0 && this.#unwrittenBytes > maxUnwrittenBytes) await this.#writes[0];
    if (this.#fault) throw this.#fault.thrown;
  }

  #startWrite(): void {
    if (this.#fault || this.#waitingBytes === 0 || this.#writes.length >= maxWrites) return;
    const pieces = this.#waiting.length > maxPieces ? [Buffer.concat(this.#waiting)] : this.#waiting;
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const written = this.#writeAll(pieces, this.#startedSize, bytes);
    this.#startedSize += bytes;
    this.#writes.push(this.#settle(written, this.#writes.at(-1), bytes, this.#waitingRowCount));
  }

  /** Bytes after a failed write do not count, even if they were written. */
  async #settle(
    written: Promise<void>,
    earlier: Promise<void> | undefined,
    bytes: number,
    rowCount: number,
  ): Promise<void> {
    const [, outcome] = await Promise.allSettled([earlier, written]);
    if (outcome.status === 'rejected') this.#fault ??= { thrown: outcome.reason };
    else if (!this.#fault) {
      this.#size += bytes;
      this.#rowCount = rowCount;
    }
    void this.#writes.shift();
    if (this.#waitingBytes >= minWriteBytes) this.#startWrite();
  }

  /** A full disk may write only a part. Writing the rest then fails with the reason. */
  async #writeAll(pieces: readonly Uint8Array[], offset: number, bytes: number): Promise<void> {
    const { bytesWritten } = await this.#handle.writev(pieces, offset);
    if (bytesWritten === bytes) return;
    const whole = Buffer.concat(pieces);
    for (let done = bytesWritten; done < bytes;) {
      const written = await this.#handle.write(whole, done, bytes - done, offset + done);
      done += written.bytesWritten;
    }
  }
}
