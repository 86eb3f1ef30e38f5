import { Worker } from 'node:worker_threads';
import { ProjectError } from '../../../base/errors.ts';
import { ThreadCalls } from '../../threadCalls.ts';
import type { BatchOptions, SourceBatch } from '../batches.ts';
import type { FileSource } from '../journal.ts';
import { type RowSource, shareOf } from '../rowSource.ts';
import type { ImportThreadCalls } from './main.ts';

interface ImportThreadOptions {
  /** `thread/main.ts`, as source or as a bundle. */
  readonly entry: URL | string;
  readonly signal: AbortSignal;
  readonly maxHeapMb?: number;
}

/** Encoded rows are garbage. A small space for new objects keeps V8 from gathering hundreds of megabytes, at no cost in time. */
const youngHeapMb = 8;
/** A row has at most some millions of characters, so usual files never need this much. */
const usualHeapMb = 512;

/** Reads and encodes the rows of a file in a thread of its own, so that the window stays free. */
export async function openFileInThread(
  source: FileSource,
  { entry, signal, maxHeapMb = usualHeapMb }: ImportThreadOptions,
): Promise<RowSource> {
  signal.throwIfAborted();
  const resourceLimits = { maxYoungGenerationSizeMb: youngHeapMb, maxOldGenerationSizeMb: maxHeapMb };
  const thread = new ThreadCalls<ImportThreadCalls>(new Worker(entry, { resourceLimits }), lossError);
  const abort = (): void => thread.fail(signal.reason as Error);
  signal.addEventListener('abort', abort);
  const end = async (): Promise<void> => {
    signal.removeEventListener('abort', abort);
    await thread.end();
  };
  try {
    const size = await thread.call('open', source);
    return {
      batches: from => batchesOf(thread, from),
      isLive: false,
      share: shareOf(size),
      requireUnchanged: () => thread.call('requireUnchanged', undefined),
      isChanged: async () => false,
      [Symbol.asyncDispose]: end,
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

async function* batchesOf(thread: ThreadCalls<ImportThreadCalls>, options: BatchOptions): AsyncGenerator<SourceBatch> {
  await thread.call('read', options);
  const bodies: ArrayBuffer[] = [];
  for (;;) {
    // While a batch is on its way, the next one is read. So the last body may still be sent, and not the one before.
    const spent = bodies.length > 1 ? bodies.shift() : undefined;
    const sent = await thread.call('next', { spent }, { transfer: spent && [spent] });
    if (!sent) return;
    const { batch, ...rest } = sent;
    bodies.push(rest.request.body.buffer as ArrayBuffer);
    yield {
      ...rest,
      requestOf: piece => thread.call('requestOf', { batch, piece }),
      rowAt: index => thread.call('rowAt', { batch, index }),
    };
  }
}

function lossError(cause: unknown): ProjectError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ProjectError('misuse', 'import_out_of_memory', 'There is not enough memory to read the file.', { cause })
    : new ProjectError('misuse', 'import_interrupted', 'Reading the file was interrupted.', { cause });
}
