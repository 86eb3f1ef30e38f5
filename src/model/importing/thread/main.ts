/** The entry of the thread that reads the file of an import. */
import { encodeSqlRequest } from '../../../wire/sqlRequest.ts';
import { answerThreadCalls } from '../../threadCalls.ts';
import type { LocalBatch } from '../batches.ts';
import { openFileSource, type OpenFile } from '../rowSource.ts';
import type { ImportThreadCalls } from './importThreadCalls.ts';

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

answerThreadCalls<ImportThreadCalls>(
  {
    async open(source) {
      file = await openFileSource(source);
      return file.size;
    },
    async read(options) {
      batches = file.batches(options);
      return undefined;
    },
    async next({ spent }) {
      const read = await batches.next();
      if (read.done === true) return undefined;
      const batch = read.value;
      lastBatches = [...lastBatches.slice(-1), batch];
      const { rowCount, readableCount, unreadable, end, request } = batch;
      return {
        batch: batchCount++,
        rowCount,
        readableCount,
        unreadable,
        end,
        request: { sql: request.sql, body: encode(encodeSqlRequest(request), spent) },
      };
    },
    requestOf: ({ batch, piece }) => recentBatch(batch).requestOf(piece),
    rowAt: ({ batch, index }) => recentBatch(batch).rowAt(index),
    requireUnchanged: () => file.requireUnchanged(),
  },
  // The body of a batch.
  value => (typeof value === 'object' && 'request' in value ? [value.request.body.buffer as ArrayBuffer] : []),
);
