/** Checks that hostile answers give the rows and the error that they should, with bounded work and memory. */
import assert from 'node:assert/strict';
import { ProjectError } from '../../src/base/errors.ts';
import type { RowScanner } from '../../src/client/rowScanner.ts';
import { cpuMsSince } from '../support/cpuTime.ts';
import { HandClock } from '../support/handClock.ts';
import { readRows, scannerOf } from '../support/scanChunks.ts';
import { randomChunks } from './documents.ts';
import { answerOf, type HostileAnswer, hostileAnswer, plainRows } from './hostileAnswers.ts';
import { oneOf, type Random } from './random.ts';

/** The most CPU time for a piece of an answer. The event loop is blocked for this time. */
export const maxPieceMs = 50;
const megabyte = 2 ** 20;
const tail = Buffer.alloc(65_536, '0');
const memoryMb = (): number => process.memoryUsage.rss() / megabyte;

export class FuzzFigures {
  readonly ends = new Map<string, number>();
  readonly kinds = new Map<string, number>();
  bytes = 0;
  rows = 0;
  /** The best of three runs of each answer counts. */
  slowestPieceMs = 0;
  slowestKind = '';
  /** How much the memory of the process grew. */
  growthMb = 0;
  readonly #memoryMb = memoryMb();

  count(kind: string, fault: Error | undefined, rows: number): void {
    const end = fault ? (fault as ProjectError).code : 'clean end';
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.rows += rows;
    this.growthMb = Math.max(this.growthMb, memoryMb() - this.#memoryMb);
  }
}

/** An answer in pieces. Counts the bytes that the reader takes, and measures its time for each piece. */
class WatchedStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: readonly Uint8Array[];
  readonly #isEndless: boolean;
  bytes = 0;
  slowestMs = 0;

  /** An endless stream continues with zeros. */
  constructor(chunks: readonly Uint8Array[], isEndless: boolean) {
    this.#chunks = chunks;
    this.#isEndless = isEndless;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const chunk of this.#chunks) yield* this.#watched(chunk);
    while (this.#isEndless) yield* this.#watched(tail);
  }

  *#watched(chunk: Uint8Array): Generator<Uint8Array> {
    this.bytes += chunk.length;
    const before = process.threadCpuUsage();
    yield chunk;
    this.slowestMs = Math.max(this.slowestMs, cpuMsSince(before));
  }
}

/** Larger answers come in the pieces of a socket. Byte by byte, the fuzz would take hours. */
function chunksOf(random: Random, bytes: Buffer): Buffer[] {
  if (bytes.length < 10_000) return randomChunks(random, bytes);
  const size = oneOf(random, [1000, 16_384, tail.length]);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
    bytes.subarray(nth * size, (nth + 1) * size),
  );
}

async function readBytes(scanner: RowScanner): Promise<{ readonly text: string; readonly rowCount: number }> {
  const texts: string[] = [];
  let rowCount = 0;
  for await (const batch of scanner.rawBatches()) {
    texts.push(Buffer.from(batch.bytes).toString('utf8'));
    rowCount += batch.rowCount;
  }
  return { text: texts.join(','), rowCount };
}

/** Rounds numbers as JSON.parse and stream-json do. JSON.parse may read keys with escapes wrongly. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]));
}

const codeOf = (fault: Error | undefined): string | undefined => {
  if (fault === undefined) return undefined;
  assert.ok(fault instanceof ProjectError, String(fault.cause));
  return fault.code;
};

const describe = ({ bytes }: HostileAnswer): string =>
  bytes.length < 5000 ? bytes.toString('latin1') : `${bytes.toString('latin1', 0, 500)}… (${bytes.length} bytes)`;

export async function checkHostileAnswer(random: Random, figures: FuzzFigures): Promise<void> {
  const { kind, ...answer } = hostileAnswer(random);
  try {
    const chunks = chunksOf(random, answer.bytes);
    const fault = await checkDecoded(kind, answer, chunks, figures);
    if (!answer.hasBrokenRow) await checkRaw(answer, chunks);
    figures.bytes += answer.bytes.length;
    figures.count(kind, fault, answer.rows.length);
  } catch (thrown) {
    throw new Error(`${kind}: ${describe(answer)}`, { cause: thrown });
  }
}

async function checkDecoded(
  kind: string,
  { rows, code, isFaultInside, maxRowBytes, bytes }: HostileAnswer,
  chunks: readonly Uint8Array[],
  figures: FuzzFigures,
): Promise<Error | undefined> {
  const pieceMs: number[] = [];
  for (;;) {
    const stream = new WatchedStream(chunks, isFaultInside);
    const { rows: delivered, fault } = await readRows(
      scannerOf(stream, maxRowBytes === undefined ? {} : { maxRowBytes }),
    );
    assert.equal(codeOf(fault), code);
    assert.deepEqual(
      rounded(delivered),
      rows.map(row => JSON.parse(row) as unknown),
    );
    assert.ok(stream.bytes <= bytes.length, `${stream.bytes} of ${bytes.length} bytes were read`);
    pieceMs.push(stream.slowestMs);
    if (stream.slowestMs <= maxPieceMs || pieceMs.length === 3) {
      const ms = Math.min(...pieceMs);
      if (ms > figures.slowestPieceMs) {
        figures.slowestPieceMs = ms;
        figures.slowestKind = kind;
      }
      return fault;
    }
  }
}

async function checkRaw(
  { rows, code, isFaultInside, maxRowBytes }: HostileAnswer,
  chunks: readonly Uint8Array[],
): Promise<void> {
  const scanner = scannerOf(new WatchedStream(chunks, isFaultInside), maxRowBytes === undefined ? {} : { maxRowBytes });
  const { text, rowCount } = await readBytes(scanner);
  assert.equal(codeOf(scanner.err()), code);
  assert.equal(rowCount, rows.length);
  const delivered = JSON.parse(`[${text}]`) as unknown;
  assert.deepEqual(
    delivered,
    rows.map(row => JSON.parse(row) as unknown),
  );
}

const rowTimeout = 1000;

/** Checks an answer that comes one byte every few milliseconds, by a clock of the fuzz. */
export async function checkSlowAnswer(random: Random, figures: FuzzFigures): Promise<void> {
  const rows = plainRows(random);
  const bytes = Buffer.from(answerOf(rows));
  const stepMs = oneOf(random, [1, 5, 10, 20, 50, rowTimeout]);
  // The time limit begins again at each row, and at last for the end of the stream.
  const lengths = rows.map((row, nth) => Buffer.byteLength(row) + (nth === 0 ? '{"rows":['.length : 1));
  const read = lengths.reduce((sum, length) => sum + length, 0);
  const waits = [...lengths, bytes.length - read + 1];
  const stalled = waits.findIndex(wait => wait * stepMs >= rowTimeout);
  const clock = new HandClock();
  const { rows: delivered, fault } = await readRows(scannerOf(slowly(bytes, stepMs, clock), { rowTimeout, clock }));
  const where = `${stepMs} ms for each byte of ${bytes.toString('utf8')}`;
  assert.equal(codeOf(fault), stalled === -1 ? undefined : 'row_timeout', where);
  const expected = stalled === -1 ? rows : rows.slice(0, stalled);
  assert.deepEqual(
    delivered,
    expected.map(row => JSON.parse(row) as unknown),
    where,
  );
  figures.bytes += bytes.length;
  figures.count('slowly', fault, delivered.length);
}

async function* slowly(bytes: Buffer, stepMs: number, clock: HandClock): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) {
    clock.advance(stepMs);
    yield Uint8Array.of(byte);
  }
  clock.advance(stepMs);
}
