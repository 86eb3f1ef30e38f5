import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../base/clock.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import { Channel, type Frame, frameKinds, valueOf } from './channel.ts';
import { CallNumbers } from './callNumbers.ts';
import { besides } from './entries.ts';
import type { ProjectReply, ProjectRequest, ProjectSettings } from './messages.ts';
import { pipes } from './pipes.ts';
import {
  busy,
  inDoubt,
  mayBeRepeated,
  ProcessGone,
  readerTimeout,
  rowsLost,
  timeout,
  tooMuchMemory,
} from './processFaults.ts';
import { ReaderTime } from './readerTime.ts';
import { RowStream } from './rowStream.ts';
import { Watchdog } from './watchdog.ts';

/** Calls that may wait for one process, and the bytes of them that it has not taken yet. */
const mostCalls = 1000;
const mostUnsent = 64 * 1024 * 1024;
/** How long a process gets to let go of a statement that nobody waits for, and to close, in milliseconds. */
const grace = 1000;
/** How often it is looked at while it has calls, in milliseconds: memory can grow by a gigabyte in a second. */
const lookTime = 250;

export interface ProjectCall {
  readonly request: ProjectRequest;
  /** How long its statement may run, in milliseconds. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export type ProjectAnswer = RowStream | (ProjectReply & { readonly kind: 'count' | 'value' });

interface OpenCall extends ProjectCall {
  readonly resolve: (answer: ProjectAnswer) => void;
  readonly reject: (reason: unknown) => void;
  /** Takes back what would end the call. */
  release: () => void;
  replayed: boolean;
  /** How long its rows had the thread so far, in milliseconds. Those of others have it in between. */
  ran: number;
  /** Set when it is a write that is done. */
  written?: true;
  rows?: RowStream;
  /** Since when the rows wait for their reader, by the clock. */
  waitsSince?: number | undefined;
  /** Set when nobody waits for the call any more, though the process may still be at it. */
  given?: true;
}

/** What calls hear that the end of a process leaves unanswered, where that is known before. */
export interface EndReasons {
  readonly all?: ServiceError;
  /** For those whose rows had begun to come. */
  readonly rows?: ServiceError;
}

export interface ProcessOptions {
  readonly clock: Clock;
  readonly mostMegabytes: number;
  /** How long the rows of an answer may wait for their reader in all, in milliseconds. */
  readonly readerTime: number;
  /** Told whenever the last call has been answered, and when the process is gone. */
  readonly idle: () => void;
}

/** One project's process, from its start to its end. */
export class ProjectProcess {
  readonly #options: ProcessOptions;
  readonly #clock: Clock;
  readonly #child: ChildProcess;
  readonly #channel: Channel;
  readonly #watchdog: Watchdog;
  readonly #calls = new Map<number, OpenCall>();
  readonly #gone: Promise<void>;
  #resting: (() => void)[] = [];
  readonly #numbers = new CallNumbers(number => this.#calls.has(number));
  /** Takes back the next look at what runs. */
  #unwatch: (() => void) | undefined;
  /** The call that the process was ended for, and why; none yet, or ended for none. */
  #culprit: { readonly call: number; readonly reason: ServiceError } | undefined;
  #endReasons: EndReasons = {};
  #state: 'open' | 'closing' | 'gone' = 'open';

  constructor(settings: ProjectSettings, options: ProcessOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const entry = fileURLToPath(besides(import.meta.url, 'sqliteWorker'));
    const stdio = ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] as const;
    // In a session of its own it hears no signals of the service's terminal, and where systems share the processor out by
    // sessions (Linux does), a statement at full speed takes no turns from the service or from who started it.
    const detached = process.platform !== 'win32';
    this.#child = spawn(process.execPath, [entry, JSON.stringify(settings)], { stdio: [...stdio], detached });
    // A fault that nobody listens for would end the service.
    this.#child.on('error', () => {});
    // Where no file is left to open, Node.js gives up before it makes the pipes.
    const made = this.#child.stdio as ChildProcess['stdio'] | undefined;
    if (!made) throw busy('The service has too many files and connections open.');
    const pipe = made[pipes.calls] as Duplex;
    this.#channel = new Channel(pipe, frame => this.#receive(frame));
    this.#watchdog = new Watchdog(made[pipes.watchdog] as Duplex);
    // What was sent before the end is read before the pipe closes, so that only what is truly unanswered counts as such.
    // A pipe that is cut has a fault of its own first, which says no more than that the process is gone.
    const closed = new Promise(resolve => pipe.once('close', resolve));
    this.#gone = Promise.all([once(this.#child, 'exit'), closed]).then(
      () => this.#leave(),
      (thrown: unknown) => this.#leave(thrown),
    );
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  async call(call: ProjectCall): Promise<ProjectAnswer> {
    call.signal?.throwIfAborted();
    if (!this.isOpen) throw new ProcessGone(false);
    if (this.#calls.size >= mostCalls || this.#channel.unsent > mostUnsent) {
      throw busy('Too many statements wait for this project.');
    }
    const number = this.#numbers.next();
    const { promise, resolve, reject } = Promise.withResolvers<ProjectAnswer>();
    const stop = (): void => this.#giveUp(number, call.signal?.reason);
    call.signal?.addEventListener('abort', stop, { once: true });
    const release = (): void => call.signal?.removeEventListener('abort', stop);
    this.#calls.set(number, { ...call, resolve, reject, release, replayed: false, ran: 0 });
    // Calls that come at the same time go as one: it is less work, and writes among them share a commit.
    this.#channel.gather();
    this.#channel.sendValue(frameKinds.call, number, call.request);
    this.#watch(call.limit);
    return promise;
  }

  /** Whether all that it has to do has waited so long, in milliseconds, for readers to read on. */
  onlyWaits(milliseconds = 0): boolean {
    const now = this.#clock.now();
    // No less than no time, also when the clock was set back.
    return this.#calls
      .values()
      .every(({ waitsSince = Infinity }) => waitsSince < Infinity && Math.max(0, now - waitsSince) >= milliseconds);
  }

  /** Resolves when all calls have been answered but those whose rows wait for their reader, or the process is gone. */
  async rest(): Promise<void> {
    while (!this.onlyWaits()) await new Promise<void>(resolve => this.#resting.push(resolve));
  }

  /** Lets what runs come to its end for a while, then ends the process. */
  async end(reasons: EndReasons = {}): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#endReasons = reasons;
      this.#channel.send(frameKinds.end, 0);
      const take = this.#clock.after(grace, () => this.#child.kill('SIGKILL'));
      this.#gone.then(take, take);
    }
    await this.#gone;
  }

  #receive({ kind, call: number, body }: Frame): void {
    if (kind === frameKinds.ended) {
      this.#child.kill('SIGKILL');
      return;
    }
    const call = this.#calls.get(number);
    if (!call) return;
    if (kind === frameKinds.written) call.written = true;
    if (kind === frameKinds.replayed) call.replayed = true;
    if (kind === frameKinds.rows) this.#rowsOf(number, call).push(body);
    if (kind === frameKinds.ran) this.#hasRun(number, call, Buffer.from(body).readUInt32LE(0));
    if (kind === frameKinds.reply) this.#settle(number, call, valueOf(body) as ProjectReply);
  }

  #rowsOf(number: number, call: OpenCall): RowStream {
    if (call.rows) return call.rows;
    const rows = new RowStream(call.replayed, {
      taken: bytes => {
        const credit = Buffer.alloc(4);
        credit.writeUInt32LE(bytes, 0);
        if (this.#calls.has(number)) this.#channel.send(frameKinds.credit, number, credit);
      },
      waits: waits => this.#pass(call, time, waits),
      left: () => this.#giveUp(number, undefined),
    });
    call.rows = rows;
    const { readerTime: reader } = this.#options;
    const time = new ReaderTime(this.#clock, reader, () => this.#giveUp(number, readerTimeout(reader)));
    this.#pass(call, time, false);
    const { release } = call;
    call.release = () => {
      time.end();
      release();
    };
    call.resolve(rows);
    return rows;
  }

  /** A write that is done runs no more: only its rows may wait. */
  #pass(call: OpenCall, time: ReaderTime, waits: boolean): void {
    time.pass(waits || call.written === true);
    call.waitsSince = waits ? this.#clock.now() : undefined;
    if (waits) this.#wakeResting();
  }

  #hasRun(number: number, call: OpenCall, milliseconds: number): void {
    call.ran = milliseconds;
    if (call.ran >= call.limit) this.#giveUp(number, timeout(call.limit));
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
    this.#wakeResting();
    if (this.isOpen && this.isIdle) this.#options.idle();
  }

  /** Nobody waits for the call any more. When the process does not let go of it soon, it is ended. */
  #giveUp(number: number, reason: unknown): void {
    const call = this.#calls.get(number);
    if (!call || call.given) return;
    call.given = true;
    call.release();
    fail(call, reason);
    this.#channel.send(frameKinds.cancel, number);
    this.#clock.after(grace, () => {
      if (this.#calls.has(number)) void this.#endFor(number);
    });
  }

  async #endFor(number: number): Promise<void> {
    if (await this.#end(number, timeout(this.#calls.get(number)?.limit ?? 0))) return;
    // It waits behind another one, or commits; it is looked at again.
    this.#clock.after(grace, () => {
      if (this.#calls.has(number)) void this.#endFor(number);
    });
  }

  async #end(call: number, reason: ServiceError): Promise<boolean> {
    const ended = await this.#watchdog.end(call);
    if (ended) this.#culprit = { call, reason };
    return ended;
  }

  /** Looks, after that time or sooner, whether a statement runs for too long or takes too much memory. */
  #watch(milliseconds: number): void {
    if (this.#unwatch || !Number.isFinite(milliseconds)) return;
    this.#unwatch = this.#clock.after(Math.min(milliseconds, lookTime), () => {
      this.#unwatch = undefined;
      void this.#judge();
    });
  }

  async #judge(): Promise<void> {
    const shortest = Math.min(...[...this.#calls.values()].map(({ limit }) => limit));
    if (this.#calls.size === 0) return;
    const now = await this.#watchdog.who();
    const running = this.#calls.get(now.call);
    const left = Math.min(shortest, running ? running.limit - running.ran - now.milliseconds : Infinity);
    const reason = running && this.#reasonToEnd(running, now);
    if (!reason || !(await this.#end(now.call, reason))) this.#watch(Math.max(left, 1));
  }

  /** What the service does for itself may take what it takes. */
  #reasonToEnd(
    { limit, ran }: OpenCall,
    { milliseconds, megabytes }: { milliseconds: number; megabytes: number },
  ): ServiceError | undefined {
    if (limit <= ran + milliseconds) return timeout(limit);
    const { mostMegabytes } = this.#options;
    return Number.isFinite(limit) && megabytes > mostMegabytes ? tooMuchMemory(mostMegabytes) : undefined;
  }

  #leave(thrown?: unknown): void {
    const { isOpen } = this;
    this.#state = 'gone';
    this.#unwatch?.();
    for (const [number, call] of this.#calls) {
      call.release();
      fail(call, thrown ?? this.#reasonFor(number, call));
    }
    this.#calls.clear();
    this.#wakeResting();
    if (isOpen) this.#options.idle();
  }

  #wakeResting(): void {
    for (const wake of this.#resting.splice(0)) wake();
  }

  #reasonFor(number: number, { request, rows, written }: OpenCall): unknown {
    if (rows && written) return rowsLost();
    if (number === this.#culprit?.call) return this.#culprit.reason;
    const { all = rows && this.#endReasons.rows } = this.#endReasons;
    if (all) return all;
    if (rows) return busy('Another statement had to be ended, and this one with it.');
    // A process that is ended for a statement is not in a commit, and has told of all that it committed.
    if (this.#culprit !== undefined) return new ProcessGone(false);
    return mayBeRepeated(request) ? new ProcessGone(true) : inDoubt();
  }
}

function fail(call: OpenCall, reason: unknown): void {
  call.rows?.fail(reason);
  call.reject(reason);
}
