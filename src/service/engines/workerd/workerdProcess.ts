import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '../../../base/clock.ts';
import { endOrphan } from './orphan.ts';
import { storeHeaders } from './storeCalls.ts';
import { StoreConnections, type StoreRequest } from './storeRequest.ts';
import { workerdConfig } from './workerdConfig.ts';
import type { WorkerdParts } from './workerdParts.ts';

interface WorkerdProcessOptions {
  /** Has the objects of the process, and its configuration. */
  readonly folder: string;
  readonly parts: WorkerdParts;
  readonly secret: string;
  /** How long the process may be silent: a statement cannot be interrupted, but the process can be ended. */
  readonly statementMs: number;
  readonly clock: Clock;
}

/** The process ended before it answered a call. */
export class ProcessEnded extends Error {
  /** Whether it was ended because it worked for this call, and for how many calls it may have worked. */
  readonly reason: 'this call' | 'this call, perhaps' | 'other';

  constructor(reason: ProcessEnded['reason'], options?: ErrorOptions) {
    super('The process of the project has ended.', options);
    this.reason = reason;
  }
}

/** How often a process with calls is asked whether it still answers. */
const pingMs = 1000;
/** How long a process may take to end by itself. */
const endMs = 3000;
/** A process that does not answer in this time works for somebody who has left. On a busy machine an answer takes seconds. */
const abandonedMs = 10_000;
/** Time is counted in steps of this length: on a busy machine, this process gets as little of it as the other one. */
const stepMs = 100;

interface WaitingCall {
  /** When the call has begun to wait for the process. */
  readonly waitingSince: number;
  readonly fail: () => void;
  /** Why the process is ended. */
  reason?: ProcessEnded['reason'];
}

/** Why the process is ended, for the call that has waited longest, the next one, and so on. */
type ReasonOf = (nth: number, count: number) => ProcessEnded['reason'];

/** The call that has waited longest is the one that a process which hangs is busy with. */
const hung: ReasonOf = (nth, count) => (nth > 0 ? 'other' : count === 1 ? 'this call' : 'this call, perhaps');

interface CurrentProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
}

/** One process of workerd. It starts with the first call, and again with the next call after it ended. */
export class WorkerdProcess {
  readonly #options: WorkerdProcessOptions;
  readonly #waitingCalls = new Set<WaitingCall>();
  #connections: Promise<StoreConnections> | undefined;
  #current: CurrentProcess | undefined;
  #cancelPing: (() => void) | undefined;
  #isClosed = false;

  constructor(options: WorkerdProcessOptions) {
    this.#options = options;
  }

  /** Undefined when no process runs. */
  get pid(): number | undefined {
    return this.#current?.child.pid;
  }

  /** Sends a call. Its answer may be a stream, whose chunks are waited for with `waitFor`. */
  async send(call: StoreRequest): Promise<IncomingMessage> {
    const connections = await this.#start();
    const headers = { ...call.headers, [storeHeaders.secret]: this.#options.secret };
    return this.waitFor(connections.send({ ...call, headers }), call.signal);
  }

  /** Waits for something that only the process can give. Throws `ProcessEnded` if it ends, or hangs and is ended. */
  async waitFor<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const call: WaitingCall = {
      waitingSince: this.#options.clock.now(),
      fail: () => reject(new Error('The process was ended.')),
    };
    const sentTo = this.#current;
    this.#waitingCalls.add(call);
    this.#watch();
    try {
      return await Promise.race([answer, failed]);
    } catch (cause) {
      signal?.throwIfAborted();
      // A broken connection is seen before the end of the process. The next call must not go to it.
      await this.#exitOf(sentTo);
      throw new ProcessEnded(call.reason ?? 'other', { cause });
    } finally {
      this.#waitingCalls.delete(call);
    }
  }

  /** The caller has left. If the process still works for it, no other call gets an answer before it is ended. */
  abandon(): void {
    void this.#endUnlessItAnswers(abandonedMs, () => 'other');
  }

  /** Runs work while the process is not there. */
  async stopped<T>(work: () => Promise<T>): Promise<T> {
    await this.#end();
    const { promise, reject, resolve } = Promise.withResolvers<StoreConnections>();
    promise.catch(() => undefined);
    this.#connections = promise;
    try {
      return await work();
    } finally {
      this.#connections = undefined;
      this.#start().then(resolve, reject);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #start(): Promise<StoreConnections> {
    if (this.#isClosed) throw new ProcessEnded('other');
    this.#connections ??= this.#spawn();
    const connections = this.#connections;
    try {
      return await connections;
    } catch (thrown) {
      if (this.#connections === connections) this.#connections = undefined;
      throw thrown;
    }
  }

  async #spawn(): Promise<StoreConnections> {
    const { folder, parts, secret } = this.#options;
    await mkdir(join(folder, 'objects'), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'worker.js'), parts.worker, { mode: 0o600 });
    const config = join(folder, 'workerd.capnp');
    await writeFile(config, workerdConfig(secret), { mode: 0o600 });
    // One that was killed may still have the files open.
    await this.#current?.exited;
    const pidFile = join(folder, 'workerd.pid');
    await endOrphan(pidFile, config);
    const child = spawn(parts.program, ['serve', config, '--control-fd=3'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise<void>(resolve => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    // The next call starts another process.
    const forget = (): void => {
      if (this.#current?.child !== child) return;
      this.#current = undefined;
      this.#connections = undefined;
    };
    void exited.then(forget);
    this.#current = { child, exited };
    const failed = exited.then(() =>
      Promise.reject(new Error('workerd has ended. See whether the program can run here.')),
    );
    const [line] = (await Promise.race([once(child.stdio[3] as Readable, 'data'), failed])) as [Buffer];
    await writeFile(pidFile, String(child.pid));
    // It holds the secret.
    await rm(config, { force: true });
    const { port } = JSON.parse(String(line)) as { port: number };
    const connections = new StoreConnections(port);
    void exited.then(() => connections.close());
    return connections;
  }

  /** Asks the process as long as calls wait for it. */
  #watch(): void {
    if (this.#cancelPing) return;
    this.#cancelPing = this.#options.clock.after(pingMs, () => void this.#ping());
  }

  async #ping(): Promise<void> {
    if (this.#waitingCalls.size > 0) await this.#endUnlessItAnswers(this.#options.statementMs, hung);
    this.#cancelPing = undefined;
    if (this.#waitingCalls.size > 0 && !this.#isClosed) this.#watch();
  }

  /** A process that breaks its connections ends. One that does not is ended. */
  async #exitOf(sentTo: CurrentProcess | undefined): Promise<void> {
    const cancel = this.#options.clock.after(endMs, () => sentTo?.child.kill('SIGKILL'));
    await sentTo?.exited;
    cancel();
  }

  async #endUnlessItAnswers(limitMs: number, reasonOf: ReasonOf): Promise<void> {
    // If the process does not start, its calls get the error.
    const answers = await this.#answersWithin(limitMs).catch(() => true);
    if (!answers) await this.#kill(reasonOf);
  }

  /** Whether the process answers a ping. One that has ended does not hang. */
  async #answersWithin(limitMs: number): Promise<boolean> {
    const { clock, secret } = this.#options;
    const connections = await this.#start();
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const cancel = afterSteps(clock, limitMs, () => resolve(false));
    const answered = connections
      .send({ path: '/', body: '', headers: { [storeHeaders.secret]: secret } })
      .then(buffer)
      .then(
        () => true,
        () => true,
      );
    try {
      return await Promise.race([answered, late]);
    } finally {
      cancel();
    }
  }

  /** Ends the process, and then the calls that wait for it. */
  async #kill(reasonOf: ReasonOf): Promise<void> {
    const calls = [...this.#waitingCalls].toSorted((one, other) => one.waitingSince - other.waitingSince);
    // Their connections may break before this process learns that the other one has ended.
    for (const [nth, call] of calls.entries()) call.reason = reasonOf(nth, calls.length);
    const current = this.#current;
    current?.child.kill('SIGKILL');
    await current?.exited;
    for (const call of calls) call.fail();
  }

  async #end(): Promise<void> {
    this.#cancelPing?.();
    await this.#connections?.catch(() => undefined);
    const current = this.#current;
    if (!current) return;
    current.child.kill('SIGTERM');
    const cancel = this.#options.clock.after(endMs, () => current.child.kill('SIGKILL'));
    await current.exited;
    cancel();
  }
}

/** Calls back after a time, which is counted in steps. */
function afterSteps(clock: Clock, limitMs: number, callback: () => void): () => void {
  let leftMs = limitMs;
  let cancel: () => void;
  const step = (): void => {
    if (leftMs <= 0) return callback();
    cancel = clock.after(Math.min(stepMs, leftMs), step);
    leftMs -= stepMs;
  };
  cancel = clock.after(0, step);
  return () => cancel();
}
