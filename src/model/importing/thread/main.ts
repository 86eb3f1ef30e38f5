/** The entry of the thread that reads the file of an import. */
import { parentPort } from 'node:worker_threads';
import type { CallAnswer, CallOf, CallParams } from '../../../base/callTable.ts';
import { asProjectError, messageOf } from '../../../base/errors.ts';
import { encodeSqlRequest } from '../../../wire/sqlRequest.ts';
import type { LocalBatch } from '../batches.ts';
import { openFileSource, type OpenFile } from '../rowSource.ts';
import type { FromImportThread, ImportThreadCalls, ToImportThread } from './importThreadCalls.ts';

const port = parentPort;
if (!port) throw new Error('The import thread must be started as a worker thread.');

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

const handlers: {
  readonly [M in keyof ImportThreadCalls]: (
    params: CallParams<ImportThreadCalls, M>,
  ) => Promise<CallAnswer<ImportThreadCalls, M>>;
} = {
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
};

const recentBatch = (batch: number): LocalBatch => lastBatches[batch - batchCount + lastBatches.length]!;

const handle = <M extends keyof ImportThreadCalls>({
  method,
  params,
}: CallOf<ImportThreadCalls, M>): Promise<CallAnswer<ImportThreadCalls, M>> => handlers[method](params);

async function answer({ id, call }: ToImportThread): Promise<FromImportThread> {
  try {
    return { kind: 'answer', id, value: await handle(call) };
  } catch (thrown) {
    return { kind: 'failure', id, code: asProjectError(thrown)?.code, message: messageOf(thrown) };
  }
}

port.on('message', (message: ToImportThread) => {
  void answer(message).then(sent => port.postMessage(sent, transferableOf(sent)));
});

/** The body of a batch is handed over and not copied. */
function transferableOf(sent: FromImportThread): ArrayBuffer[] {
  if (sent.kind === 'failure' || typeof sent.value !== 'object' || !('request' in sent.value)) return [];
  return [sent.value.request.body.buffer as ArrayBuffer];
}
