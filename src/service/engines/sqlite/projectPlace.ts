import type { CallAnswer } from '../../../base/callTable.ts';
import type { Clock } from '../../../base/clock.ts';
import { pausableTimer, type PausableTimer } from '../../../base/pausableTimer.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import { busy } from '../../faults.ts';
import {
  inDoubt,
  isRepeatable,
  ProcessGone,
  readerTimeout,
  rowsLost,
  statementTimeout,
  tooMuchMemory,
} from './processFaults.ts';
import type {
  BrokenLimit,
  ProjectMethod,
  ProjectMethods,
  ProjectReply,
  ProjectRequest,
  ProjectSettings,
  Rows,
} from './projectBridge.ts';
import type { ProjectProcess } from './projectProcess.ts';
import { RowStream } from './rowStream.ts';

/** The limits of pending calls of one project, and of sent bytes that its process has not read. */
const maxCalls = 1000;
const maxUnsentBytes = 64 * 1024 * 1024;
/** How long a project may take to close. */
export const closeMs = 1000;
/** How long a process may take to stop a cancelled statement. */
const graceMs = 1000;

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
  /** Whether its rows wait for their reader. */
  isWaiting?: boolean;
  /** Whether nobody waits for the call. The process may still work on it. */
  isCancelled: boolean;
}

/** The errors for unanswered calls when the service closes a project. */
export interface EndReasons {
  readonly all?: ServiceError;
  /** For calls whose rows had begun to arrive. */
  readonly rows?: ServiceError;
}

export interface PlaceOptions {
  readonly clock: Clock;
  /** How long the rows of an answer may wait for their reader in all. */
  readonly readerMs: number;
  /** Runs whenever the last call is answered, and when the place takes no calls any more. */
  readonly onIdle: () => void;
}

/** The call because of which the watchdog has ended a process. */
export interface StoppedCall {
  readonly number: number;
  readonly brokenLimit: BrokenLimit;
}

/** A project in a process that serves it, perhaps together with others. */
export class ProjectPlace {
  readonly number: number;
  readonly settings: ProjectSettings;
  readonly #process: ProjectProcess;
  readonly #options: PlaceOptions;
  readonly #calls = new Map<number, OpenCall>();
  readonly #released = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #wakeResting: (() => void)[] = [];
  #endReasons: EndReasons | undefined;
  /** A moved place only ends the calls that cannot be repeated in another process. */
  #state: 'open' | 'closing' | 'moved' | 'closed' = 'open';

  constructor(process: ProjectProcess, number: number, settings: ProjectSettings, options: PlaceOptions) {
    this.#process = process;
    this.number = number;
    this.settings = settings;
    this.#options = options;
    process.channel.send('serve', number, settings);
  }

  /** Resolves when the process has closed the database. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  async call<M extends ProjectMethod>(
    typedRequest: ProjectRequest<M>,
    signal?: AbortSignal,
  ): Promise<ProcessAnswer<M>> {
    const request = typedRequest as ProjectRequest;
    signal?.throwIfAborted();
    if (this.isOpen && this.#process.isBlockedFor(this)) this.moveAway();
    if (!this.isOpen) throw new ProcessGone(false);
    const { channel } = this.#process;
    if (this.#calls.size >= maxCalls || channel.unsentBytes > maxUnsentBytes) {
      throw busy('Too many statements wait for this project. Try again.');
    }
    const number = this.#process.nextCall(this);
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
    channel.batchTurn();
    channel.send('call', number, { place: this.number, request });
    // The process answers by the same table.
    return (await promise) as ProcessAnswer<M>;
  }

  /** Resolves when all open calls only wait for their readers, or the place is closed. */
  async rest(): Promise<void> {
    const isAtRest = (): boolean => this.#calls.values().every(({ isWaiting }) => isWaiting);
    while (!isAtRest()) await new Promise<void>(resolve => this.#wakeResting.push(resolve));
  }

  /** Gives the running statements a short time to finish, then closes the project. Resolves when another process may open it. */
  async end(reasons: EndReasons = {}): Promise<void> {
    if (this.#state !== 'closed' && !this.#endReasons) {
      this.#endReasons = reasons;
      if (this.isOpen) this.#state = 'closing';
      // Nobody waits for the outcome of writes that have not begun.
      if (reasons.all) this.#process.channel.send('drop', this.number);
      this.#process.channel.send('end', this.number);
      this.#killAfterClose();
      if (this.#process.isBlockedFor(this)) this.moveAway();
    }
    await this.#released.promise;
  }

  /** Another project blocks the process. The calls that have not begun to answer are repeated in another process. */
  moveAway(): void {
    if (this.#state === 'moved' || this.#state === 'closed') return;
    const { isOpen } = this;
    this.#state = 'moved';
    this.#process.channel.send('drop', this.number);
    for (const [number, call] of this.#calls) {
      // An export writes in the background. A second one would write the same file.
      if (call.rows || call.isCommitted || call.request?.method === 'export') continue;
      this.#process.channel.send('cancel', number);
      this.#remove(number, call);
      fail(call, this.#reasonFor(number, call));
    }
    if (this.isIdle) void this.end();
    this.#release(isOpen);
  }

  /** The process has closed the project, or has ended. */
  onClosed(stoppedCall?: StoppedCall, thrown?: unknown): void {
    const { isOpen } = this;
    for (const [number, call] of this.#calls) {
      this.#process.placesOfCalls.delete(number);
      call.release();
      fail(call, thrown ?? this.#reasonFor(number, call, stoppedCall));
    }
    this.#state = 'closed';
    this.#calls.clear();
    this.#wakeAllResting();
    this.#closed.resolve();
    this.#release(isOpen);
  }

  onRows(number: number, batch: Uint8Array): void {
    this.#rowsOf(number, this.#calls.get(number)!).push(batch);
  }

  onState(number: number, state: Partial<Pick<OpenCall, 'isReplayed' | 'isCommitted'>>): void {
    Object.assign(this.#calls.get(number)!, state);
  }

  onReply(number: number, reply: ProjectReply): void {
    const call = this.#calls.get(number)!;
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
      case 'moved':
        // The watchdog's message is still on its way.
        fail(call, new ProcessGone(false));
        this.moveAway();
        break;
      case 'count':
      case 'value':
        call.resolve(reply);
    }
  }

  #rowsOf(number: number, call: OpenCall): RowStream {
    if (call.rows) return call.rows;
    const { clock, readerMs } = this.#options;
    // The time passes only while the rows wait for their reader.
    const time = pausableTimer(clock, readerMs, () => this.#cancel(number, readerTimeout(readerMs)));
    const rows = new RowStream(call.isReplayed, {
      onTaken: bytes => {
        if (this.#calls.has(number)) this.#process.channel.send('credit', number, bytes);
      },
      onWaiting: isWaiting => this.#setWaiting(call, time, isWaiting),
      onLeft: () => this.#cancel(number, undefined),
    });
    call.rows = rows;
    call.request = undefined;
    this.#setWaiting(call, time, false);
    const { release } = call;
    call.release = () => {
      time.pause();
      release();
    };
    call.resolve(rows);
    return rows;
  }

  /** A committed write always waits for its reader: its statement has ended. */
  #setWaiting(call: OpenCall, time: PausableTimer, isWaiting: boolean): void {
    if (isWaiting || call.isCommitted) time.start();
    else time.pause();
    call.isWaiting = isWaiting;
    if (isWaiting) this.#wakeAllResting();
  }

  #remove(number: number, call: OpenCall): void {
    this.#calls.delete(number);
    this.#process.placesOfCalls.delete(number);
    call.release();
    this.#wakeAllResting();
    if (this.isOpen && this.isIdle) this.#options.onIdle();
    if (this.#state === 'moved' && this.isIdle) void this.end();
  }

  #cancel(number: number, reason: unknown): void {
    const call = this.#calls.get(number);
    if (!call || call.isCancelled) return;
    call.isCancelled = true;
    call.request = undefined;
    call.release();
    fail(call, reason);
    this.#process.channel.send('cancel', number);
    this.#stopAfterGrace(number);
  }

  /** Ends the process while it runs the cancelled call. It may not run: a call can wait for another one, or be in a commit. */
  #stopAfterGrace(number: number): void {
    this.#options.clock.after(graceMs, () => {
      if (!this.#calls.has(number)) return;
      this.#process.stop(number);
      this.#stopAfterGrace(number);
    });
  }

  /** A shared process is not ended for one project, which then closes when the thread comes to it. */
  #killAfterClose(): void {
    const cancelTimer = this.#options.clock.after(closeMs, () => {
      this.#process.killFor(this);
      this.#killAfterClose();
    });
    void this.closed.then(cancelTimer);
  }

  #release(wasOpen: boolean): void {
    this.#released.resolve();
    if (wasOpen) this.#options.onIdle();
  }

  #wakeAllResting(): void {
    for (const wake of this.#wakeResting.splice(0)) wake();
  }

  #reasonFor(number: number, { request, rows, isCommitted }: OpenCall, stoppedCall?: StoppedCall): unknown {
    if (isCommitted) return rowsLost();
    if (stoppedCall?.number === number) {
      const { statementMs, maxMegabytes } = this.settings;
      return stoppedCall.brokenLimit === 'time' ? statementTimeout(statementMs) : tooMuchMemory(maxMegabytes);
    }
    const endReason = this.#endReasons?.all ?? (rows && this.#endReasons?.rows);
    if (endReason) return endReason;
    if (rows) return busy('Another statement had to be stopped, and this one with it. Try again.');
    // The watchdog ends no process during a commit, and after a commit only when the process has reported it.
    if (stoppedCall || this.#state === 'moved') return new ProcessGone(false);
    return request && isRepeatable(request) ? new ProcessGone(true) : inDoubt();
  }
}

function fail(call: OpenCall, reason: unknown): void {
  call.rows?.fail(reason);
  call.reject(reason);
}
