import { messageOf } from '../../../../base/errors.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import type { Column } from '../../../../wire/values.ts';
import type { MessageHandlers } from '../channel.ts';
import {
  type ProcessEnd,
  type ProjectMethod,
  type ProjectReply,
  type ProjectRequest,
  rowCreditBytes,
  type toProcess,
} from '../projectBridge.ts';
import { statementTimeout } from '../processFaults.ts';
import { noCall, type RunningCall } from '../runningCall.ts';
import type { BeginResult, ProjectDatabase } from './projectDatabase.ts';
import type { BatchSource } from './rowBatches.ts';
import type { FinishedWrite } from './writeQueue.ts';

interface Stream {
  readonly call: number;
  readonly source: BatchSource;
  /** How many more bytes may be sent before the reader takes some. */
  creditBytes: number;
  /** How long the stream has had the thread. */
  threadMs: number;
}

/** The methods that run SQL of tenants. The service's own calls may take any time and memory. */
const limitedMethods: ReadonlySet<ProjectMethod> = new Set(['execute', 'browse', 'unmarkBackup']);

interface CallServerOptions {
  readonly project: ProjectDatabase;
  readonly running: RunningCall;
  /** How long a statement may have the thread. */
  readonly statementMs: number;
  readonly connect: (handlers: MessageHandlers<typeof toProcess>) => ProcessEnd;
}

/**
 * Answers the calls of the service. SQLite blocks the thread while it works, so each turn has a group of writes, then a batch
 * of rows for one reader, then the messages that have arrived since.
 */
export class CallServer {
  readonly #project: ProjectDatabase;
  readonly #running: RunningCall;
  readonly #statementMs: number;
  readonly #channel: ProcessEnd;
  readonly #streams = new Map<number, Stream>();
  /** Calls that wait for the answer of another call with the same key. */
  readonly #waitingCalls = new Map<number, ProjectRequest>();
  /** Streams with credit, in the order of their turns. */
  #readyStreams: Stream[] = [];
  #isFlushing = false;
  #isTurnScheduled = false;
  #isEnding = false;

  constructor({ project, running, statementMs, connect }: CallServerOptions) {
    this.#project = project;
    this.#running = running;
    this.#statementMs = statementMs;
    this.#channel = connect({
      call: (call, request) => {
        this.#begin(call, request);
        this.#schedule();
      },
      credit: (call, bytes) => {
        this.#addCredit(call, bytes);
        this.#schedule();
      },
      cancel: call => {
        this.#cancel(call);
        this.#schedule();
      },
      end: () => {
        this.#isEnding = true;
        this.#schedule();
      },
    });
  }

  #begin(call: number, request: ProjectRequest): void {
    this.#run(call, limitedMethods.has(request.method) ? this.#statementMs : Infinity, () => {
      const outcome = this.#project.begin(call, request);
      if (outcome instanceof Promise) {
        outcome.then(
          result => this.#onBeginResult(call, result),
          (thrown: unknown) => this.#refuse(call, thrown),
        );
      } else if (outcome.kind === 'waiting') this.#waitingCalls.set(call, request);
      else this.#onBeginResult(call, outcome);
    });
  }

  #onBeginResult(call: number, result: BeginResult): void {
    if (result.kind === 'value') this.#reply(call, result);
    if (result.kind === 'openRows') this.#stream(call, result.source);
    if (result.kind === 'replay') this.#report({ call, result: result.result });
  }

  #stream(call: number, source: BatchSource): void {
    const stream = { call, source, creditBytes: rowCreditBytes, threadMs: 0 };
    this.#streams.set(call, stream);
    // Most answers are short and end here.
    this.#step(stream);
    if (this.#streams.has(call)) this.#step(stream);
    if (this.#streams.has(call) && stream.creditBytes > 0) this.#readyStreams.push(stream);
  }

  /** Sends one batch, or the end. */
  #step(stream: Stream): void {
    const { call, source } = stream;
    const startedAt = performance.now();
    this.#run(call, this.#statementMs - stream.threadMs, () => {
      const batch = source.next();
      if (!batch) return this.#endStream(stream);
      if (batch.length === 0) return;
      this.#channel.send('rows', call, batch);
      stream.creditBytes -= batch.length;
    });
    stream.threadMs += performance.now() - startedAt;
    if (this.#streams.has(call) && stream.threadMs >= this.#statementMs) {
      this.#drop(call, statementTimeout(this.#statementMs));
    }
  }

  #addCredit(call: number, bytes: number): void {
    const stream = this.#streams.get(call);
    if (!stream) return;
    if (stream.creditBytes <= 0 && stream.creditBytes + bytes > 0) this.#readyStreams.push(stream);
    stream.creditBytes += bytes;
  }

  #cancel(call: number): void {
    const stream = this.#streams.get(call);
    if (stream) return this.#endStream(stream);
    const isRemoved = this.#waitingCalls.delete(call) || this.#project.writes?.remove(call);
    if (isRemoved) this.#reply(call, { kind: 'value', value: undefined });
  }

  #endStream({ call, source }: Stream): void {
    this.#streams.delete(call);
    source.close();
    this.#reply(call, { kind: 'rows', columns: source.columns() });
  }

  #schedule(): void {
    if (this.#isTurnScheduled || this.#isFlushing) return;
    const { writes, keyedCalls } = this.#project;
    const hasCalls = this.#readyStreams.length > 0 || keyedCalls?.hasFreed || !(writes?.isEmpty ?? true);
    if (!this.#isEnding && !hasCalls) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnScheduled = false;
    const { writes } = this.#project;
    if (writes && !writes.isEmpty) {
      const finished = writes.run();
      this.#channel.batch(() => {
        for (const write of finished) this.#report(write);
      });
      if (this.#channel.unsentBytes > 0) {
        void this.#flush();
        return;
      }
    }
    const stream = this.#readyStreams.shift();
    if (stream && this.#streams.get(stream.call) === stream && stream.creditBytes > 0) {
      this.#step(stream);
      if (this.#streams.has(stream.call) && stream.creditBytes > 0) this.#readyStreams.push(stream);
    }
    this.#beginFreed();
    if (this.#isEnding && (writes?.isEmpty ?? true)) this.#end();
    else this.#schedule();
  }

  #beginFreed(): void {
    for (const call of this.#project.keyedCalls?.takeFreed() ?? []) {
      const request = this.#waitingCalls.get(call);
      if (request && this.#waitingCalls.delete(call)) this.#begin(call, request);
    }
  }

  /** Does no work until all reports have left: the next statement may end the process. */
  async #flush(): Promise<void> {
    this.#isFlushing = true;
    await this.#channel.flush();
    this.#isFlushing = false;
    this.#schedule();
  }

  #report({ call, result }: FinishedWrite): void {
    if (result.kind === 'fault') return this.#refuse(call, result.thrown);
    if (result.kind === 'count') return this.#reply(call, result);
    this.#channel.send('committed', call);
    if (result.replayed) this.#channel.send('replayed', call);
    this.#stream(call, writtenRows(result.batches, result.columns));
  }

  #end(): void {
    for (const { source } of this.#streams.values()) source.close();
    this.#streams.clear();
    this.#project.close();
    this.#channel.send('ended', noCall);
  }

  /** An error becomes the answer of the call. */
  #run(call: number, limitMs: number, work: () => void): void {
    this.#running.replace(call, limitMs);
    try {
      work();
    } catch (thrown) {
      this.#drop(call, thrown);
    } finally {
      this.#running.replace(noCall);
    }
  }

  #drop(call: number, thrown: unknown): void {
    this.#streams.get(call)?.source.close();
    this.#streams.delete(call);
    this.#refuse(call, thrown);
  }

  #refuse(call: number, thrown: unknown): void {
    if (!(thrown instanceof ServiceError)) return this.#reply(call, { kind: 'failed', message: messageOf(thrown) });
    const { status, code, message, details, retryAfter, replayed } = thrown;
    this.#reply(call, { kind: 'refused', fault: { status, code, message, details, retryAfter, replayed } });
  }

  #reply(call: number, reply: ProjectReply): void {
    this.#channel.send('reply', call, reply);
  }
}

/** The rows that a committed write returned. */
function writtenRows(batches: readonly Uint8Array[], columns: readonly Column[]): BatchSource {
  const iterator = batches.values();
  return { next: () => iterator.next().value, columns: () => columns, close: () => {} };
}
