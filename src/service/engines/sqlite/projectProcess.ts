import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CallAnswer } from '../../../base/callTable.ts';
import type { Clock } from '../../../base/clock.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import { busy } from '../../faults.ts';
import { CallNumbers, Channel } from './channel.ts';
import {
  inDoubt,
  isRepeatable,
  ProcessGone,
  readerTimeout,
  rowsLost,
  statementTimeout,
  tooMuchMemory,
} from './processFaults.ts';
import {
  type BrokenLimit,
  entryBeside,
  fromWatchdog,
  pipeFiles,
  type ProjectMethod,
  type ProjectMethods,
  type ProjectReply,
  type ProjectRequest,
  type ProjectSettings,
  type Rows,
  type ServiceEnd,
  toProcess,
  toService,
  toWatchdog,
} from './projectBridge.ts';
import { RowStream, ReaderTime } from './rowStream.ts';

/** The limits of pending calls of one process, and of sent bytes that it has not read. */
const maxCalls = 1000;
const maxUnsentBytes = 64 * 1024 * 1024;
/** How long a process may take to close. */
const closeMs = 1000;
/** How long a process may take to stop a cancelled statement. */
const graceMs = 1000;

export interface ProcessCall<M extends ProjectMethod = ProjectMethod> {
  readonly request: ProjectRequest<M>;
  readonly signal?: AbortSignal | undefined;
}

export type ProcessAnswer<M extends ProjectMethod = ProjectMethod> = Received<CallAnswer<ProjectMethods, M>>;
type Received<Answer> = Answer extends Rows ? RowStream : Answer;

interface OpenCall {
  /** Dropped when the call is no longer repeated: a request may be large, and its rows may wait long for their reader. */
  request: ProjectRequest | undefined;
  readonly resolve: (answer: ProcessAnswer) => void;
  readonly reject: (reason: unknown) => void;
  /** Removes the listener and the timer that would end the call. */
  release: () => void;
  isReplayed: boolean;
  /** Whether the call is a committed write. */
  isCommitted: boolean;
  rows?: RowStream;
  /** Since when its rows have waited for their reader. */
  waitingSince?: number | undefined;
  /** Whether nobody waits for the call. The process may still work on it. */
  isCancelled: boolean;
}

/** The errors for unanswered calls when the service ends a process. */
export interface EndReasons {
  readonly all?: ServiceError;
  /** For calls whose rows had begun to arrive. */
  readonly rows?: ServiceError;
}

interface ProcessOptions {
  readonly clock: Clock;
  /** How long the rows of an answer may wait for their reader in all. */
  readonly readerMs: number;
  /** Runs whenever the last call is answered, and when the process has ended. */
  readonly onIdle: () => void;
}

export class ProjectProcess {
  readonly #settings: ProjectSettings;
  readonly #options: ProcessOptions;
  readonly #clock: Clock;
  readonly #child: ChildProcess;
  readonly #channel: ServiceEnd;
  readonly #watchdog: Channel<typeof fromWatchdog, typeof toWatchdog>;
  readonly #calls = new Map<number, OpenCall>();
  readonly #numbers = new CallNumbers(number => this.#calls.has(number));
  readonly #exited: Promise<void>;
  #wakeResting: (() => void)[] = [];
  #endReasons: EndReasons = {};
  /** The call because of which the watchdog has ended the process. */
  #stoppedCall: { readonly number: number; readonly brokenLimit: BrokenLimit } | undefined;
  #state: 'open' | 'closing' | 'gone' = 'open';

  constructor(settings: ProjectSettings, options: ProcessOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#clock = options.clock;
    const entry = fileURLToPath(entryBeside(import.meta.url, 'sqliteWorker'));
    this.#child = spawn(process.execPath, [entry, JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
      // A session of its own gets no signals of the service's terminal. Linux divides the processor among sessions, so a busy
      // statement does not slow down the service or the terminal.
      detached: process.platform !== 'win32',
    });
    // Without a listener an error would end the service.
    this.#child.on('error', () => {});
    // Node.js makes no pipes if the limit of open files is reached.
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    if (!stdio) throw busy('The service has too many files and connections open. Try again.');
    const pipe = stdio[pipeFiles.calls] as Duplex;
    this.#channel = this.#connect(pipe);
    const watchdogPipe = stdio[pipeFiles.watchdog] as Duplex;
    this.#watchdog = new Channel(watchdogPipe, fromWatchdog, toWatchdog, {
      stopped: (number, brokenLimit) => (this.#stoppedCall = { number, brokenLimit }),
    });
    // A pipe closes after its last message is read, so that no answered call counts as unanswered. An error of a pipe only
    // means that the process has ended.
    const closed = [pipe, watchdogPipe].map(each => new Promise(resolve => each.once('close', resolve)));
    this.#exited = Promise.all([once(this.#child, 'exit'), ...closed]).then(
      () => this.#onGone(),
      (thrown: unknown) => this.#onGone(thrown),
    );
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  async call<M extends ProjectMethod>(call: ProcessCall<M>): Promise<ProcessAnswer<M>> {
    const { signal } = call;
    const request = call.request as ProjectRequest;
    signal?.throwIfAborted();
    if (!this.isOpen) throw new ProcessGone(false);
    if (this.#calls.size >= maxCalls || this.#channel.unsentBytes > maxUnsentBytes) {
      throw busy('Too many statements wait for this project. Try again.');
    }
    const number = this.#numbers.next();
    const { promise, resolve, reject } = Promise.withResolvers<ProcessAnswer>();
    const onAbort = (): void => this.#cancel(number, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => signal?.removeEventListener('abort', onAbort);
    this.#calls.set(number, {
      request,
      resolve,
      reject,
      release,
      isReplayed: false,
      isCommitted: false,
      isCancelled: false,
    });
    // Calls of one turn are sent in one write. That is less work, and the writes among them share a commit.
    this.#channel.batchTurn();
    this.#channel.send('call', number, request);
    // The process answers by the same table.
    return (await promise) as ProcessAnswer<M>;
  }

  /** Whether every call has waited for its reader for `minMs` or longer. */
  onlyWaits(minMs = 0): boolean {
    const now = this.#clock.now();
    return this.#calls.values().every(({ waitingSince }) => {
      // The clock may have been set back.
      return waitingSince !== undefined && Math.max(0, now - waitingSince) >= minMs;
    });
  }

  /** Resolves when all open calls only wait for their readers, or the process has ended. */
  async rest(): Promise<void> {
    while (!this.onlyWaits()) await new Promise<void>(resolve => this.#wakeResting.push(resolve));
  }

  /** Gives the running statements a short time to finish, then ends the process. */
  async end(reasons: EndReasons = {}): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#endReasons = reasons;
      this.#channel.send('end', 0);
      const cancelTimer = this.#clock.after(closeMs, () => this.#child.kill('SIGKILL'));
      this.#exited.then(cancelTimer, cancelTimer);
    }
    await this.#exited;
  }

  #connect(pipe: Duplex): ServiceEnd {
    const onCall =
      <Body>(handle: (call: OpenCall, body: Body, number: number) => void) =>
      (number: number, body: Body): void => {
        const call = this.#calls.get(number);
        if (call) handle(call, body, number);
      };
    return new Channel(pipe, toService, toProcess, {
      rows: onCall((call, batch: Uint8Array, number) => this.#rowsOf(number, call).push(batch)),
      replayed: onCall(call => (call.isReplayed = true)),
      committed: onCall(call => (call.isCommitted = true)),
      reply: onCall((call, reply: ProjectReply, number) => this.#settle(number, call, reply)),
      ended: () => this.#child.kill('SIGKILL'),
    });
  }

  #rowsOf(number: number, call: OpenCall): RowStream {
    if (call.rows) return call.rows;
    const { readerMs } = this.#options;
    const time = new ReaderTime(this.#clock, readerMs, () => this.#cancel(number, readerTimeout(readerMs)));
    const rows = new RowStream(call.isReplayed, {
      onTaken: bytes => {
        if (this.#calls.has(number)) this.#channel.send('credit', number, bytes);
      },
      onWaiting: isWaiting => this.#setWaiting(call, time, isWaiting),
      onLeft: () => this.#cancel(number, undefined),
    });
    call.rows = rows;
    call.request = undefined;
    this.#setWaiting(call, time, false);
    const { release } = call;
    call.release = () => {
      time.stop();
      release();
    };
    call.resolve(rows);
    return rows;
  }

  /** A committed write always waits for its reader: its statement has ended. */
  #setWaiting(call: OpenCall, time: ReaderTime, isWaiting: boolean): void {
    time.setWaiting(isWaiting || call.isCommitted);
    call.waitingSince = isWaiting ? this.#clock.now() : undefined;
    if (isWaiting) this.#wakeAllResting();
  }

  #settle(number: number, call: OpenCall, reply: ProjectReply): void {
    this.#remove(number, call);
    switch (reply.kind) {
      case 'rows':
        this.#rowsOf(number, call).end(reply.columns);
        call.release();
        break;
      case 'refused':
        fail(call, new ServiceError(reply.fault));
        break;
      case 'failed':
        fail(call, new Error(reply.message));
        break;
      case 'count':
      case 'value':
        call.resolve(reply);
    }
  }

  #remove(number: number, call: OpenCall): void {
    this.#calls.delete(number);
    call.release();
    this.#wakeAllResting();
    if (this.isOpen && this.isIdle) this.#options.onIdle();
  }

  #cancel(number: number, reason: unknown): void {
    const call = this.#calls.get(number);
    if (!call || call.isCancelled) return;
    call.isCancelled = true;
    call.request = undefined;
    call.release();
    fail(call, reason);
    this.#channel.send('cancel', number);
    this.#stopAfterGrace(number);
  }

  /** Ends the process while it runs the cancelled call. It may not run: a call can wait for another one, or be in a commit. */
  #stopAfterGrace(number: number): void {
    this.#clock.after(graceMs, () => {
      if (!this.#calls.has(number)) return;
      this.#watchdog.send('stop', number);
      this.#stopAfterGrace(number);
    });
  }

  #onGone(thrown?: unknown): void {
    const { isOpen } = this;
    this.#state = 'gone';
    for (const [number, call] of this.#calls) {
      call.release();
      fail(call, thrown ?? this.#reasonFor(number, call));
    }
    this.#calls.clear();
    this.#wakeAllResting();
    if (isOpen) this.#options.onIdle();
  }

  #wakeAllResting(): void {
    for (const wake of this.#wakeResting.splice(0)) wake();
  }

  #reasonFor(number: number, { request, rows, isCommitted }: OpenCall): unknown {
    if (rows && isCommitted) return rowsLost();
    if (this.#stoppedCall?.number === number) {
      const { statementMs, maxMegabytes } = this.#settings;
      return this.#stoppedCall.brokenLimit === 'time' ? statementTimeout(statementMs) : tooMuchMemory(maxMegabytes);
    }
    const endReason = this.#endReasons.all ?? (rows && this.#endReasons.rows);
    if (endReason) return endReason;
    if (rows) return busy('Another statement had to be stopped, and this one with it. Try again.');
    // The watchdog ends no process during a commit, and after a commit only when the process has reported it.
    if (this.#stoppedCall) return new ProcessGone(false);
    return request && isRepeatable(request) ? new ProcessGone(true) : inDoubt();
  }
}

function fail(call: OpenCall, reason: unknown): void {
  call.rows?.fail(reason);
  call.reject(reason);
}
