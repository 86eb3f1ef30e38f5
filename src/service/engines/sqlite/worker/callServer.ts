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
import { type BeginResult, ProjectDatabase } from './projectDatabase.ts';
import type { BatchSource } from './rowBatches.ts';
import type { FinishedWrite } from './writeQueue.ts';

/** A project that the process serves. */
class ServedProject {
  readonly place: number;
  readonly database: ProjectDatabase;
  /** Calls that have not begun. */
  newCalls: { readonly call: number; readonly request: ProjectRequest }[] = [];
  /** How many calls are done in the background, such as an export. */
  backgroundCalls = 0;
  isEnding = false;

  constructor(place: number, database: ProjectDatabase) {
    this.place = place;
    this.database = database;
  }

  /** Forgets what has not begun, and all that would write. An export writes in no project. */
  drop(): void {
    this.newCalls = this.newCalls.filter(({ request }) => request.method === 'export');
    this.database.stopWriting();
  }

  /** Removes a call that has changed nothing. Returns whether there was one. */
  remove(call: number): boolean {
    const at = this.newCalls.findIndex(other => other.call === call);
    if (at !== -1) this.newCalls.splice(at, 1);
    return at !== -1 || (this.database.writes?.remove(call) ?? false);
  }

  get hasWork(): boolean {
    const { keyedCalls, writes } = this.database;
    return this.newCalls.length > 0 || keyedCalls?.hasFreed || !(writes?.isEmpty ?? true);
  }
}

interface Stream {
  readonly call: number;
  readonly project: ServedProject;
  readonly source: BatchSource;
  /** Whether the rows are those of a committed write, which are in memory. */
  readonly isWritten: boolean;
  /** How many more bytes may be sent before the reader takes some. */
  creditBytes: number;
  /** How long the stream has had the thread. */
  threadMs: number;
}

/** The methods that run SQL of tenants. The service's own calls may take any time and memory. */
const limitedMethods: ReadonlySet<ProjectMethod> = new Set(['execute', 'browse', 'unmarkBackup']);

/** How long a project may begin calls before others get a turn. */
const maxTurnMs = 10;

/**
 * Answers the calls of the service. SQLite blocks the thread while it works, so each turn has a group of writes of one project,
 * then a batch of rows for one reader, then the messages that have arrived since.
 */
export class CallServer {
  readonly #running: RunningCall;
  readonly #statementMs: number;
  readonly #channel: ProcessEnd;
  /** By the numbers of their places. */
  readonly #projects = new Map<number, ServedProject>();
  /** Projects with work, in the order of their turns. */
  readonly #readyProjects = new Set<ServedProject>();
  readonly #streams = new Map<number, Stream>();
  /** Calls that wait for the answer of another call with the same key. */
  readonly #waitingCalls = new Map<number, { readonly project: ServedProject; readonly request: ProjectRequest }>();
  /** Streams with credit, in the order of their turns. */
  #readyStreams: Stream[] = [];
  /** Work for projects that cannot have the thread now. They are moved, or can have it again, when the service says so. */
  #untilShared: (() => void)[] = [];
  /** How many messages were sent up to the last report of a write. */
  #reportCount = 0;
  #isFlushing = false;
  #isTurnScheduled = false;

  /** `statementMs` is how long a statement may have the thread. */
  constructor(
    running: RunningCall,
    statementMs: number,
    connect: (handlers: MessageHandlers<typeof toProcess>) => ProcessEnd,
  ) {
    this.#running = running;
    this.#statementMs = statementMs;
    this.#channel = connect({
      serve: (place, settings) => {
        this.#projects.set(place, new ServedProject(place, new ProjectDatabase(settings, running)));
      },
      call: (call, { place, request }) => {
        const project = this.#projects.get(place);
        if (!project) return this.#reply(call, { kind: 'moved' });
        project.newCalls.push({ call, request });
        this.#note(project);
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
      end: place => this.#release(place, project => (project.isEnding = true)),
      drop: place => this.#release(place, project => project.drop()),
      share: () => {
        running.share();
        this.#channel.send('shared', noCall);
        for (const work of this.#untilShared.splice(0)) work();
        this.#schedule();
      },
    });
  }

  #release(place: number, release: (project: ServedProject) => void): void {
    const project = this.#projects.get(place);
    if (!project) return;
    release(project);
    this.#note(project);
    this.#schedule();
  }

  /** Returns false if another project has the thread for itself. This one is then moved to another process. */
  #enter({ place }: ServedProject): boolean {
    return this.#running.enter(place, this.#reportCount);
  }

  #begin(call: number, project: ServedProject, request: ProjectRequest): void {
    this.#run(call, limitedMethods.has(request.method) ? this.#statementMs : Infinity, () => {
      const outcome = project.database.begin(call, request);
      if (outcome instanceof Promise) void this.#awaitResult(call, project, outcome);
      else if (outcome.kind === 'waiting') this.#waitingCalls.set(call, { project, request });
      else this.#onBeginResult(call, project, outcome);
    });
    this.#note(project);
  }

  async #awaitResult(call: number, project: ServedProject, outcome: Promise<BeginResult>): Promise<void> {
    project.backgroundCalls++;
    try {
      this.#onBeginResult(call, project, await outcome);
    } catch (thrown) {
      this.#refuse(call, thrown);
    }
    project.backgroundCalls--;
    this.#note(project);
    this.#schedule();
  }

  #onBeginResult(call: number, project: ServedProject, result: BeginResult): void {
    if (result.kind === 'value') this.#reply(call, result);
    if (result.kind === 'openRows') this.#stream(call, project, result.source);
    if (result.kind === 'replay') this.#report(project, { call, result: result.result });
  }

  #stream(call: number, project: ServedProject, source: BatchSource, isWritten = false): void {
    const stream = { call, project, source, isWritten, creditBytes: rowCreditBytes, threadMs: 0 };
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
    const work = (): void => {
      const batch = source.next();
      if (!batch) return this.#endStream(stream);
      if (batch.length === 0) return;
      this.#channel.send('rows', call, batch);
      stream.creditBytes -= batch.length;
    };
    // Nothing ends the process before the reports of a commit have left.
    if (stream.isWritten) work();
    else this.#run(call, this.#statementMs - stream.threadMs, work);
    stream.threadMs += performance.now() - startedAt;
    if (this.#streams.has(call) && stream.threadMs >= this.#statementMs) {
      this.#fail(call, statementTimeout(this.#statementMs));
    }
    this.#note(stream.project);
  }

  #addCredit(call: number, bytes: number): void {
    const stream = this.#streams.get(call);
    if (!stream) return;
    if (stream.creditBytes <= 0 && stream.creditBytes + bytes > 0) this.#readyStreams.push(stream);
    stream.creditBytes += bytes;
  }

  #cancel(call: number): void {
    const stream = this.#streams.get(call);
    if (stream) {
      // The end of a keyed read is stored. Another process may store the records of this project now.
      if (this.#enter(stream.project)) return this.#endStream(stream);
      this.#untilShared.push(() => this.#cancel(call));
      return;
    }
    const isWaiting = this.#waitingCalls.delete(call);
    const writing = this.#projects.values().find(project => project.remove(call));
    if (isWaiting || writing) this.#reply(call, { kind: 'value', value: undefined });
    if (writing) this.#note(writing);
  }

  #endStream({ call, project, source }: Stream): void {
    this.#streams.delete(call);
    source.close();
    this.#reply(call, { kind: 'rows', columns: source.columns() });
    this.#note(project);
  }

  /** Gives the project a turn if it has work. */
  #note(project: ServedProject): void {
    if (project.isEnding || project.hasWork) this.#readyProjects.add(project);
  }

  #schedule(): void {
    if (this.#isTurnScheduled || this.#isFlushing) return;
    if (this.#readyStreams.length === 0 && this.#readyProjects.size === 0) return;
    this.#isTurnScheduled = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnScheduled = false;
    const [project] = this.#readyProjects;
    if (project) {
      this.#readyProjects.delete(project);
      const sentCount = this.#channel.sentCount;
      if (this.#enter(project)) {
        this.#work(project);
        this.#endIfDone(project);
      } else this.#refuseTurn(project);
      if (this.#reportCount > sentCount && this.#channel.unsentBytes > 0) {
        void this.#flush();
        return;
      }
    }
    const stream = this.#readyStreams.shift();
    if (stream && this.#streams.get(stream.call) === stream && stream.creditBytes > 0) {
      if (this.#enter(stream.project)) this.#step(stream);
      if (this.#streams.has(stream.call) && stream.creditBytes > 0) this.#readyStreams.push(stream);
    }
    this.#schedule();
  }

  /** The calls of the project begin in another process. */
  #refuseTurn(project: ServedProject): void {
    for (const { call } of project.newCalls.splice(0)) this.#reply(call, { kind: 'moved' });
    this.#untilShared.push(() => this.#note(project));
  }

  /** Begins calls for a short time, and runs a group of writes. */
  #work(project: ServedProject): void {
    const startedAt = performance.now();
    for (let next = project.newCalls.shift(); next; next = project.newCalls.shift()) {
      this.#begin(next.call, project, next.request);
      if (performance.now() - startedAt > maxTurnMs) break;
    }
    const { keyedCalls, writes } = project.database;
    for (const call of keyedCalls?.takeFreed() ?? []) {
      const waiting = this.#waitingCalls.get(call);
      if (waiting && this.#waitingCalls.delete(call)) this.#begin(call, project, waiting.request);
    }
    if (!writes || writes.isEmpty) return;
    const finished = writes.run();
    this.#channel.batch(() => {
      for (const write of finished) this.#report(project, write);
    });
    this.#reportCount = this.#channel.sentCount;
    this.#note(project);
  }

  /** Does no work until all reports have left: the next statement may end the process, or have the other projects moved. */
  async #flush(): Promise<void> {
    this.#isFlushing = true;
    await this.#channel.flush();
    this.#isFlushing = false;
    this.#schedule();
  }

  #report(project: ServedProject, { call, result }: FinishedWrite): void {
    if (result.kind === 'fault') return this.#refuse(call, result.thrown);
    if (result.kind === 'count') return this.#reply(call, result);
    this.#channel.send('committed', call);
    if (result.replayed) this.#channel.send('replayed', call);
    this.#stream(call, project, writtenRows(result.batches, result.columns), true);
  }

  #endIfDone(project: ServedProject): void {
    const { place, database, isEnding, backgroundCalls, hasWork } = project;
    if (!isEnding || backgroundCalls > 0 || hasWork) return;
    for (const [call, stream] of this.#streams) {
      if (stream.project === project && this.#streams.delete(call)) stream.source.close();
    }
    for (const [call, waiting] of this.#waitingCalls) {
      if (waiting.project === project) this.#waitingCalls.delete(call);
    }
    this.#projects.delete(place);
    this.#readyProjects.delete(project);
    database.close();
    this.#channel.send('ended', place);
  }

  /** An error becomes the answer of the call. */
  #run(call: number, limitMs: number, work: () => void): void {
    this.#running.replace(call, limitMs);
    try {
      work();
    } catch (thrown) {
      this.#fail(call, thrown);
    } finally {
      this.#running.replace(noCall);
    }
  }

  #fail(call: number, thrown: unknown): void {
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
