import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { ProjectError } from '../../../base/errors.ts';
import type { Synchronous } from './messages.ts';
import { noProject } from '../../noProject.ts';
import { busy, crashedAgain, madeWay, ProcessGone, replaced } from './processFaults.ts';
import { type EndReasons, type ProjectAnswer, type ProjectCall, ProjectProcess } from './projectProcess.ts';

export interface PoolOptions {
  readonly folder: string;
  readonly synchronous: Synchronous;
  readonly clock: Clock;
  /** How long a process is kept that has nothing to do, in milliseconds. */
  readonly idleTime: number;
  /** How many processes there may be. */
  readonly mostProcesses: number;
  /** How much memory each may take. */
  readonly mostMegabytes: number;
  /** How long the rows of an answer may wait for their reader in all, in milliseconds. */
  readonly readerTime: number;
}

/** Callers that may wait for a process when there are as many as may be. */
const mostWaiting = 1000;

/** How long readers may keep a process from others that wait for one, and how often these look, in milliseconds. */
const readersTime = 60_000;
const lookTime = 1000;

/** How often a call may crash its process before it is taken for the cause. */
const mostCrashes = 2;

interface Place {
  readonly process: ProjectProcess;
  /** Takes back the end of its idle time. */
  keep: () => void;
}

/** Which projects have a process. The one that was used longest ago makes way when there are too many. */
export class ProjectPool {
  readonly #options: PoolOptions;
  /** In the order of their last use. */
  readonly #places = new Map<string, Place>();
  /** What must be over before a project gets a process: the end of its last one, or an import. */
  readonly #closed = new Map<string, Promise<void>>();
  readonly #ending = new Set<Promise<void>>();
  /** Projects that are gone, so that no call that came before brings them back. */
  readonly #discarded = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  fileOf(projectId: string): string {
    return join(this.#options.folder, `${projectId}.sqlite`);
  }

  recordsOf(projectId: string): string {
    return join(this.#options.folder, `${projectId}.calls`);
  }

  /** Makes a call, again when its process ended for another's sake, and a few times when it crashed. */
  async call(projectId: string, call: ProjectCall): Promise<ProjectAnswer> {
    for (let crashes = 0; ;) {
      const process = await this.#processOf(projectId, call.signal);
      try {
        return await process.call(call);
      } catch (thrown) {
        if (!(thrown instanceof ProcessGone)) throw thrown;
        if (thrown.crashed && ++crashes > mostCrashes) throw crashedAgain();
      }
    }
  }

  /** Runs something while the project has no process but the one that is handed over; its calls wait for the end of it. */
  async alone(projectId: string, run: (process: ProjectProcess) => Promise<void>): Promise<void> {
    await this.#close(projectId, async place => {
      await place?.process.rest();
      if (place) await this.#endPlace(projectId, place, { rows: replaced() });
      const process = this.#start(projectId, () => {});
      try {
        await run(process);
      } finally {
        await process.end();
      }
      this.#discarded.delete(projectId);
    });
  }

  /** Ends the project's process, whatever it does, and runs what leaves nothing of the project. Its calls find none. */
  async discard(projectId: string, run: () => Promise<void>): Promise<void> {
    await this.#close(projectId, async place => {
      if (place) await this.#endPlace(projectId, place, { all: noProject(projectId) });
      await run();
      this.#discarded.add(projectId);
    });
  }

  /** Runs something while the project's calls wait. */
  async #close(projectId: string, run: (place: Place | undefined) => Promise<void>): Promise<void> {
    for (let closed = this.#closed.get(projectId); closed; closed = this.#closed.get(projectId)) await closed;
    this.#requireOpen();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.set(projectId, promise);
    try {
      await run(this.#places.get(projectId));
    } finally {
      this.#closed.delete(projectId);
      resolve();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting) wake();
    for (const [projectId, place] of this.#places) void this.#endPlace(projectId, place);
    await Promise.all([...this.#ending, ...this.#closed.values()]);
  }

  async #processOf(projectId: string, signal: AbortSignal | undefined): Promise<ProjectProcess> {
    for (;;) {
      signal?.throwIfAborted();
      this.#requireOpen();
      const closed = this.#closed.get(projectId);
      const place = this.#places.get(projectId);
      if (closed) await closed;
      else if (this.#discarded.has(projectId)) throw noProject(projectId);
      else if (place) return this.#use(projectId, place);
      else if (this.#places.size + this.#ending.size < this.#options.mostProcesses) return this.#open(projectId);
      else await this.#makeWay();
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new ProjectError('closed', 'closed/engine', 'The service is stopping.');
  }

  #use(projectId: string, place: Place): ProjectProcess {
    this.#places.delete(projectId);
    this.#places.set(projectId, place);
    return place.process;
  }

  #open(projectId: string): ProjectProcess {
    const place: Place = { process: this.#start(projectId, () => this.#rest(projectId, place)), keep: () => {} };
    this.#places.set(projectId, place);
    this.#awaitIdle(projectId, place);
    return place.process;
  }

  #start(projectId: string, idle: () => void): ProjectProcess {
    const settings = {
      file: this.fileOf(projectId),
      records: this.recordsOf(projectId),
      synchronous: this.#options.synchronous,
    };
    return new ProjectProcess(settings, { ...this.#options, idle });
  }

  /** A process has nothing to do, or is gone. */
  #rest(projectId: string, place: Place): void {
    const [wake] = this.#waiting;
    wake?.();
    if (place.process.isOpen) return this.#awaitIdle(projectId, place);
    place.keep();
    if (this.#places.get(projectId) === place) this.#places.delete(projectId);
  }

  #awaitIdle(projectId: string, place: Place): void {
    place.keep();
    place.keep = this.#options.clock.after(this.#options.idleTime, () => {
      if (place.process.isIdle && this.#places.get(projectId) === place) void this.#endPlace(projectId, place);
    });
  }

  async #makeWay(): Promise<void> {
    if (this.#ending.size > 0) return Promise.race(this.#ending);
    for (const [projectId, place] of this.#places) {
      if (place.process.isIdle) return this.#endPlace(projectId, place);
    }
    for (const [projectId, place] of this.#places) {
      if (place.process.onlyWaits(readersTime)) return this.#endPlace(projectId, place, { rows: madeWay() });
    }
    if (this.#waiting.size >= mostWaiting) throw busy('Too many projects are in use.');
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      this.#waiting.delete(wake);
      resolve();
    };
    this.#waiting.add(wake);
    const take = this.#options.clock.after(lookTime, wake);
    await promise;
    take();
  }

  /** Two processes on one database would wait for each other's locks, so the next one waits for the end of this one. */
  async #endPlace(projectId: string, place: Place, reasons?: EndReasons): Promise<void> {
    place.keep();
    this.#places.delete(projectId);
    const ended = place.process.end(reasons);
    this.#ending.add(ended);
    const held = this.#closed.has(projectId);
    if (!held) this.#closed.set(projectId, ended);
    try {
      await ended;
    } finally {
      this.#ending.delete(ended);
      if (!held) this.#closed.delete(projectId);
    }
  }
}
