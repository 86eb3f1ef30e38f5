import { createHash, type Hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { asCount, asString, type Infer, object } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';

export const decodeFingerprint = object({
  sizeBytes: asCount,
  /** In nanoseconds, which are more than a double holds. */
  modified: asString,
  hash: asString,
});

type Fingerprint = Infer<typeof decodeFingerprint>;

/** Large enough to be fast, and small enough that its rows block the event loop for a few milliseconds only. */
const pieceBytes = 64 * 1024;
const hashedBytes = 64 * 1024;

export class SourceFile implements AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  readonly #handle: FileHandle;
  readonly #modified: string;

  private constructor(path: string, handle: FileHandle, { size, mtimeNs }: BigIntStats) {
    this.path = path;
    this.#handle = handle;
    this.sizeBytes = Number(size);
    this.#modified = String(mtimeNs);
  }

  static async open(path: string): Promise<SourceFile> {
    const handle = await open(path, 'r');
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) throw misuse('not_a_file', `${path} is not a file.`);
      return new SourceFile(path, handle, stats);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** The bytes from a place on, piece by piece. A piece is used up before the next one is read. */
  async *pieces(from: number): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (let at = from; ;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, pieceBytes, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async head(sizeBytes: number): Promise<Uint8Array> {
    return partOf(this.#handle, 0, Math.min(sizeBytes, this.sizeBytes));
  }

  async fingerprint(): Promise<Fingerprint> {
    const hash = createHash('sha256');
    await addParts(hash, this.#handle, this.sizeBytes);
    await addWriteAheadLog(hash, this.path);
    return { sizeBytes: this.sizeBytes, modified: this.#modified, hash: hash.digest('hex') };
  }

  /** Throws if another program has written to the file since it was opened. */
  async requireUnchanged(): Promise<void> {
    const stats = await this.#handle.stat({ bigint: true });
    if (Number(stats.size) !== this.sizeBytes || String(stats.mtimeNs) !== this.#modified) throw sourceChanged();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

async function addParts(hash: Hash, handle: FileHandle, sizeBytes: number): Promise<void> {
  const lastPart = Math.max(0, sizeBytes - hashedBytes);
  for (const from of [0, Math.floor(lastPart / 2), lastPart]) {
    hash.update(await partOf(handle, from, Math.min(hashedBytes, sizeBytes - from)));
  }
}

/** A database in WAL mode first writes changes to a file beside it. Each change alters the beginning or the end of that file. */
async function addWriteAheadLog(hash: Hash, path: string): Promise<void> {
  const log = await open(`${path}-wal`, 'r').catch(() => undefined);
  if (!log) return;
  try {
    const { size } = await log.stat();
    if (size === 0) return;
    hash.update(`wal ${size}`);
    await addParts(hash, log, size);
  } finally {
    await log.close();
  }
}

async function partOf(handle: FileHandle, from: number, sizeBytes: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(sizeBytes);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

export const sourceChanged = () =>
  misuse('source_changed', 'The file was changed while it was imported, so the rest of it was not read.');

export const isSameFile = (one: Fingerprint, other: Fingerprint): boolean =>
  one.sizeBytes === other.sizeBytes && one.modified === other.modified && one.hash === other.hash;
