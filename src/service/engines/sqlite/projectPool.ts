import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { ProjectError } from '../../../base/errors.ts';
import { untilAborted } from '../../../base/untilAborted.ts';
import type { EngineUsage } from '../../engine.ts';
import { busy, projectNotFound } from '../../faults.ts';
import { crashedAgain, processNeeded, ProcessGone, databaseReplaced } from './processFaults.ts';
import type { ProjectMethod, Synchronous } from './projectBridge.ts';
import { type EndReasons, type ProcessAnswer, type ProcessCall, ProjectProcess } from './projectProcess.ts';

export interface PoolOptions {
  readonly folder: string;
  readonly synchronous: Synchronous;
  readonly clock: Clock;
  /** An idle process ends after this time. */
  readonly idleMs: number;
  /** How many projects may have a process at the same time. */
  readonly maxProcesses: number;
  /** How long a statement may run. */
  readonly statementMs: number;
  /** How much memory a process may take. Several copies of the longest row need far less. */
  readonly maxMegabytes: number;
  /** How long the rows of an answer may wait for their reader in all. Until then they hold a snapshot of the database. */
  readonly readerMs: number;
}

/** How many callers may wait for a process. */
const maxWaitingCallers = 1000;

/** A process that only waits for readers makes way for another project after this time. */
const maxReadersMs = 60_000;
/** How often a waiting caller checks for such a process. */
const checkMs = 1000;

/** A call that crashes its process more often than this is refused as the cause. */
const maxCrashes = 2;

interface PooledProcess {
  readonly process: ProjectProcess;
  cancelIdleTimer: () => void;
}

/** The processes of the projects in use. If there are too many, the least recently used one makes way. */
export class ProjectPool {
  readonly #options: PoolOptions;
  /** In the order of their last use. */
  readonly #processes = new Map<string, PooledProcess>();
  /** Projects that get no process until their last one has ended, or an import is done. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #ending = new Set<Promise<void>>();
  /** Deleted projects. A call from before the deletion must not make a new database. */
  readonly #discarded = new Set<string>();
  readonly #waitingCallers = new Set<() => void>();
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

  /** Repeats the call if the process ended because of another call. After crashes, repeats it a few times. */
  async call<M extends ProjectMethod>(projectId: string, call: ProcessCall<M>): Promise<ProcessAnswer<M>> {
    for (let crashes = 0; ;) {
      const process = await this.#processOf(projectId, call.signal);
      try {
        return await process.call(call);
      } catch (thrown) {
        if (!(thrown instanceof ProcessGone)) throw thrown;
        if (thrown.crashed && ++crashes > maxCrashes) throw crashedAgain();
      }
    }
  }

  /** Runs `work` in a new process while the project's calls wait. */
  async runAlone(projectId: string, work: (process: ProjectProcess) => Promise<void>): Promise<void> {
    await this.#close(projectId, async entry => {
      await entry?.process.rest();
      if (entry) await this.#endProcess(projectId, entry, { rows: databaseReplaced() });
      const process = this.#start(projectId, () => {});
      try {
        await work(process);
      } finally {
        await process.end();
      }
      this.#discarded.delete(projectId);
    });
  }

  /** Ends the project's process at once and runs `removeFiles`. Later calls of the project are refused. */
  async discard(projectId: string, removeFiles: () => Promise<void>): Promise<void> {
    await this.#close(projectId, async entry => {
      if (entry) await this.#endProcess(projectId, entry, { all: projectNotFound(projectId) });
      await removeFiles();
      this.#discarded.add(projectId);
    });
  }

  usage(): EngineUsage {
    const processes = [...this.#processes.values()].map(({ process }) => process);
    return {
      processIds: processes.flatMap(({ pid }) => pid ?? []),
      maxProcesses: this.#options.maxProcesses,
      openStatements: processes.reduce((sum, { callCount }) => sum + callCount, 0),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waitingCallers) wake();
    for (const [projectId, entry] of this.#processes) void this.#endProcess(projectId, entry);
    await Promise.all([...this.#ending, ...this.#closing.values()]);
  }

  /** Runs `work` while the project's calls wait. */
  async #close(projectId: string, work: (entry: PooledProcess | undefined) => Promise<void>): Promise<void> {
    for (let closing = this.#closing.get(projectId); closing; closing = this.#closing.get(projectId)) await closing;
    this.#requireOpen();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing.set(projectId, promise);
    try {
      await work(this.#processes.get(projectId));
    } finally {
      this.#closing.delete(projectId);
      resolve();
    }
  }

  async #processOf(projectId: string, signal: AbortSignal | undefined): Promise<ProjectProcess> {
    for (;;) {
      signal?.throwIfAborted();
      this.#requireOpen();
      const closing = this.#closing.get(projectId);
      const entry = this.#processes.get(projectId);
      // Without the signal, the body of a caller that has left would stay in memory.
      if (closing) await untilAborted(closing, signal);
      else if (this.#discarded.has(projectId)) throw projectNotFound(projectId);
      else if (entry) return this.#use(projectId, entry);
      else if (this.#processes.size + this.#ending.size < this.#options.maxProcesses) return this.#open(projectId);
      else await this.#makeWay();
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new ProjectError('closed', 'closed/engine', 'The service is stopping.');
  }

  #use(projectId: string, entry: PooledProcess): ProjectProcess {
    this.#processes.delete(projectId);
    this.#processes.set(projectId, entry);
    return entry.process;
  }

  #open(projectId: string): ProjectProcess {
    const entry: PooledProcess = {
      process: this.#start(projectId, () => this.#onIdle(projectId, entry)),
      cancelIdleTimer: () => {},
    };
    this.#processes.set(projectId, entry);
    this.#startIdleTimer(projectId, entry);
    return entry.process;
  }

  #start(projectId: string, onIdle: () => void): ProjectProcess {
    const { synchronous, statementMs, maxMegabytes } = this.#options;
    const settings = {
      file: this.fileOf(projectId),
      records: this.recordsOf(projectId),
      synchronous,
      statementMs,
      maxMegabytes,
    };
    return new ProjectProcess(settings, { ...this.#options, onIdle });
  }

  /** A process has answered its last call, or has ended. */
  #onIdle(projectId: string, entry: PooledProcess): void {
    const [wake] = this.#waitingCallers;
    wake?.();
    if (entry.process.isOpen) return this.#startIdleTimer(projectId, entry);
    entry.cancelIdleTimer();
    if (this.#processes.get(projectId) === entry) this.#processes.delete(projectId);
  }

  #startIdleTimer(projectId: string, entry: PooledProcess): void {
    entry.cancelIdleTimer();
    entry.cancelIdleTimer = this.#options.clock.after(this.#options.idleMs, () => {
      if (entry.process.isIdle && this.#processes.get(projectId) === entry) void this.#endProcess(projectId, entry);
    });
  }

  /** Ends a process for another project, or waits until one can be ended. */
  async #makeWay(): Promise<void> {
    if (this.#ending.size > 0) return Promise.race(this.#ending);
    for (const [projectId, entry] of this.#processes) {
      if (entry.process.isIdle) return this.#endProcess(projectId, entry);
    }
    for (const [projectId, entry] of this.#processes) {
      if (entry.process.onlyWaits(maxReadersMs)) return this.#endProcess(projectId, entry, { rows: processNeeded() });
    }
    if (this.#waitingCallers.size >= maxWaitingCallers) throw busy('Too many projects are in use. Try again.');
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      this.#waitingCallers.delete(wake);
      resolve();
    };
    this.#waitingCallers.add(wake);
    const cancelCheck = this.#options.clock.after(checkMs, wake);
    await promise;
    cancelCheck();
  }

  /** Two processes on one database would wait for each other's locks. So the next process waits until this one has ended. */
  async #endProcess(projectId: string, entry: PooledProcess, reasons?: EndReasons): Promise<void> {
    entry.cancelIdleTimer();
    this.#processes.delete(projectId);
    const ended = entry.process.end(reasons);
    this.#ending.add(ended);
    const isClosing = this.#closing.has(projectId);
    if (!isClosing) this.#closing.set(projectId, ended);
    try {
      await ended;
    } finally {
      this.#ending.delete(ended);
      if (!isClosing) this.#closing.delete(projectId);
    }
  }
}
