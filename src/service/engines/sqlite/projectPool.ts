import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { ProjectError } from '../../../base/errors.ts';
import { untilAborted } from '../../../base/untilAborted.ts';
import type { EngineUsage } from '../../engine.ts';
import { busy, internalError, projectNotFound } from '../../faults.ts';
import { ProcessGone } from './processFaults.ts';
import type { ProjectMethod, ProjectRequest, ProjectSettings, Synchronous } from './projectBridge.ts';
import type { EndReasons, ProcessAnswer, ProjectPlace } from './projectPlace.ts';
import { ProjectProcess } from './projectProcess.ts';

export interface PoolOptions {
  readonly folder: string;
  readonly synchronous: Synchronous;
  readonly clock: Clock;
  /** An idle project is closed after this time. */
  readonly idleMs: number;
  /** The first projects have these processes for themselves. Later ones share them. */
  readonly sharedProcesses: number;
  /** How many processes there may be while projects block some of them. */
  readonly maxProcesses: number;
  /** If more projects are open, unused ones are closed: each has several files open. */
  readonly maxProjects: number;
  /** How long a statement may run. */
  readonly statementMs: number;
  /** How much memory a process may take. Several copies of the longest row need far less. */
  readonly maxMegabytes: number;
  /** How long the rows of an answer may wait for their reader in all. Until then they hold a snapshot of the database. */
  readonly readerMs: number;
}

/** A call that crashes its process more often than this is refused as the cause. */
const maxCrashes = 2;
const crashedAgain =
  'The process of the project crashed each time it ran this statement. The statement may need too much memory.';

interface PooledProject {
  readonly place: ProjectPlace;
  cancelIdleTimer: () => void;
}

/** The projects in use, and their processes. */
export class ProjectPool {
  readonly #options: PoolOptions;
  /** In the order of their last use. */
  readonly #projects = new Map<string, PooledProject>();
  readonly #processes = new Set<ProjectProcess>();
  /** Projects that get no process until their last one has closed them, or an import is done. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Deleted projects. A call from before the deletion must not make a new database. */
  readonly #discarded = new Set<string>();
  /** Resolves when a process has ended, or is no longer blocked. */
  #change = Promise.withResolvers<void>();
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
  async call<M extends ProjectMethod>(
    projectId: string,
    request: ProjectRequest<M>,
    signal?: AbortSignal,
  ): Promise<ProcessAnswer<M>> {
    for (let crashes = 0; ;) {
      // A call that may have crashed a process should not end another shared one.
      const place = await this.#placeOf(projectId, crashes > 0, signal);
      try {
        return await place.call(request, signal);
      } catch (thrown) {
        if (!(thrown instanceof ProcessGone)) throw thrown;
        if (thrown.crashed && ++crashes > maxCrashes) throw internalError(crashedAgain);
      }
    }
  }

  /** Runs `work` in a new process while the project's calls wait. */
  async runAlone(projectId: string, work: (place: ProjectPlace) => Promise<void>): Promise<void> {
    await this.#close(projectId, async () => {
      await Promise.all(this.#placesOf(projectId).map(place => place.rest()));
      const rows = busy('The database was replaced before its rows were read. Try again.');
      await this.#closePlaces(projectId, { rows });
      const process = new ProjectProcess(this.#options, this.#options.clock);
      try {
        await work(process.serve(this.#settingsOf(projectId), { ...this.#options, onIdle() {} }));
      } finally {
        await process.end();
      }
      this.#discarded.delete(projectId);
    });
  }

  /** Closes the project at once and runs `removeFiles`. Later calls of the project are refused. */
  async discard(projectId: string, removeFiles: () => Promise<void>): Promise<void> {
    await this.#close(projectId, async () => {
      await this.#closePlaces(projectId, { all: projectNotFound(projectId) });
      await removeFiles();
      this.#discarded.add(projectId);
    });
  }

  usage(): EngineUsage {
    const processes = [...this.#processes];
    const openStatements = processes.reduce((sum, { placesOfCalls }) => sum + placesOfCalls.size, 0);
    const { maxProcesses } = this.#options;
    return { processIds: processes.flatMap(({ pid }) => pid ?? []), maxProcesses, openStatements };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#change.resolve();
    for (const { cancelIdleTimer } of this.#projects.values()) cancelIdleTimer();
    await Promise.all([...this.#processes].map(process => process.end()).concat([...this.#closing.values()]));
  }

  /** Runs `work` while the project's calls wait. */
  async #close(projectId: string, work: () => Promise<void>): Promise<void> {
    for (let closing = this.#closing.get(projectId); closing; closing = this.#closing.get(projectId)) await closing;
    this.#requireOpen();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing.set(projectId, promise);
    try {
      await work();
    } finally {
      this.#closing.delete(projectId);
      resolve();
    }
  }

  async #placeOf(projectId: string, isAlone: boolean, signal: AbortSignal | undefined): Promise<ProjectPlace> {
    for (;;) {
      signal?.throwIfAborted();
      this.#requireOpen();
      const closing = this.#closing.get(projectId);
      const project = this.#projects.get(projectId);
      // Without the signal, the body of a caller that has left would stay in memory.
      if (closing) await untilAborted(closing, signal);
      else if (this.#discarded.has(projectId)) throw projectNotFound(projectId);
      else if (project) return this.#use(projectId, project);
      else {
        const process = this.#availableProcess(isAlone);
        if (process) return this.#open(projectId, process);
        await untilAborted(this.#change.promise, signal);
      }
    }
  }

  /** A process that can serve another project: a new one, or the one with the least to do. */
  #availableProcess(isAlone: boolean): ProjectProcess | undefined {
    const { sharedProcesses, maxProcesses } = this.#options;
    const available = [...this.#processes].filter(({ isAvailable }) => isAvailable);
    const mayStart = this.#processes.size < maxProcesses;
    if (mayStart && (isAlone || available.length < sharedProcesses)) return this.#start();
    return available.toSorted(
      (a, b) => a.placesOfCalls.size - b.placesOfCalls.size || a.places.length - b.places.length,
    )[0];
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new ProjectError('closed', 'closed/engine', 'The service is stopping.');
  }

  #use(projectId: string, project: PooledProject): ProjectPlace {
    this.#projects.delete(projectId);
    this.#projects.set(projectId, project);
    return project.place;
  }

  #open(projectId: string, process: ProjectProcess): ProjectPlace {
    const onIdle = (): void => this.#onIdle(projectId, project);
    const project: PooledProject = {
      place: process.serve(this.#settingsOf(projectId), { ...this.#options, onIdle }),
      cancelIdleTimer: () => {},
    };
    this.#projects.set(projectId, project);
    this.#startIdleTimer(projectId, project);
    this.#closeExcess();
    return project.place;
  }

  #start(): ProjectProcess {
    const onChange = (): void => {
      this.#change.resolve();
      this.#change = Promise.withResolvers();
    };
    const process = new ProjectProcess(this.#options, this.#options.clock, onChange);
    this.#processes.add(process);
    void process.exited.then(() => this.#processes.delete(process)).then(onChange);
    return process;
  }

  #settingsOf(projectId: string): ProjectSettings {
    const { synchronous, statementMs, maxMegabytes } = this.#options;
    return { file: this.fileOf(projectId), records: this.recordsOf(projectId), synchronous, statementMs, maxMegabytes };
  }

  /** The project's places, with those in processes that it had to leave. */
  #placesOf(projectId: string): ProjectPlace[] {
    const file = this.fileOf(projectId);
    return [...this.#processes].flatMap(({ places }) => places.filter(({ settings }) => settings.file === file));
  }

  /** A project has no open call, or has left its process. */
  #onIdle(projectId: string, project: PooledProject): void {
    if (project.place.isOpen) return this.#startIdleTimer(projectId, project);
    project.cancelIdleTimer();
    if (this.#projects.get(projectId) === project) this.#projects.delete(projectId);
  }

  #startIdleTimer(projectId: string, project: PooledProject): void {
    project.cancelIdleTimer();
    project.cancelIdleTimer = this.#options.clock.after(this.#options.idleMs, () => {
      const isCurrent = this.#projects.get(projectId) === project;
      if (project.place.isIdle && isCurrent) void this.#closeProject(projectId, project);
    });
  }

  /** Closes the least recently used project that is not in use. */
  #closeExcess(): void {
    if (this.#projects.size <= this.#options.maxProjects) return;
    const unused = [...this.#projects].find(([, { place }]) => place.isIdle);
    if (unused) void this.#closeProject(...unused);
  }

  /** Two processes on one database would wait for each other's locks. So the next process waits until this one has closed it. */
  async #closeProject(projectId: string, project: PooledProject, reasons?: EndReasons): Promise<void> {
    project.cancelIdleTimer();
    this.#projects.delete(projectId);
    const ended = project.place.end(reasons);
    const isClosing = this.#closing.has(projectId);
    if (!isClosing) this.#closing.set(projectId, ended);
    await ended;
    if (!isClosing) this.#closing.delete(projectId);
  }

  /** Resolves when no process has a file of the project open. */
  async #closePlaces(projectId: string, reasons: EndReasons): Promise<void> {
    const places = this.#placesOf(projectId);
    const project = this.#projects.get(projectId);
    if (project) await this.#closeProject(projectId, project, reasons);
    for (const place of places) void place.end(reasons);
    await Promise.all(places.map(({ closed }) => closed));
  }
}
