/** The entry of the thread that reads the file of an import. */
import type { CallsOf } from '../../../base/callTable.ts';
import { encodeSqlRequest } from '../../../wire/sqlRequest.ts';
import { answerThreadCalls } from '../../threadCalls.ts';
import type { BatchOptions, LocalBatch } from '../batches.ts';
import type { FileSource, Piece } from '../journal.ts';
import { openFileSource, type OpenFile } from '../rowSource.ts';

const encoder = new TextEncoder();

/** The text in UTF-8, in memory of its own that can be transferred. */
function encode(text: string, spent: ArrayBuffer | undefined): Uint8Array {
  const size = Buffer.byteLength(text);
  const memory = spent && spent.byteLength >= size ? spent : new ArrayBuffer(Math.ceil(size * 1.1));
  return new Uint8Array(memory, 0, encoder.encodeInto(text, new Uint8Array(memory)).written);
}

let file: OpenFile;
let batches: AsyncGenerator<LocalBatch>;
let batchCount = 0;
/** One batch is in flight while the next one is read. Only their rows can still be refused. */
let lastBatches: readonly LocalBatch[] = [];

const recentBatch = (batch: number): LocalBatch => lastBatches[batch - batchCount + lastBatches.length]!;

const handlers = {
  async open(source: FileSource): Promise<OpenFile['size']> {
    file = await openFileSource(source);
    return file.size;
  },
  async read(options: BatchOptions) {
    batches = file.batches(options);
  },
  /** The next rows. Undefined at the end. The memory of a body that was sent holds the new one. */
  async next({ spent }: { readonly spent: ArrayBuffer | undefined }) {
    const read = await batches.next();
    if (read.done === true) return undefined;
    const batch = read.value;
    lastBatches = [...lastBatches.slice(-1), batch];
    const { rowCount, readableCount, unreadable, end, request } = batch;
    const body = encode(encodeSqlRequest(request), spent);
    return { batch: batchCount++, rowCount, readableCount, unreadable, end, request: { sql: request.sql, body } };
  },
  requestOf: ({ batch, piece }: { readonly batch: number; readonly piece: Piece }) =>
    recentBatch(batch).requestOf(piece),
  /** A row of one of the last batches as it is written in the file. */
  rowAt: ({ batch, index }: { readonly batch: number; readonly index: number }) => recentBatch(batch).rowAt(index),
  requireUnchanged: () => file.requireUnchanged(),
};

export type ImportThreadCalls = CallsOf<typeof handlers>;

answerThreadCalls<ImportThreadCalls>(
  handlers,
  // The body of a batch.
  value => (typeof value === 'object' && 'request' in value ? [value.request.body.buffer as ArrayBuffer] : []),
);
