import { objectsIn } from '../../base/jsonBytes.ts';
import { WorkQueue } from '../../base/workQueue.ts';
import type { Client, RowBatch } from '../../client/index.ts';
import type { RunState } from '../../protocol/runState.ts';
import { type Column, isBlobType } from '../../wire/values.ts';
import type { DiskBudget } from '../results/diskBudget.ts';
import { hasEnded, type RunControls, type RunPause, type RunStorage } from '../results/run.ts';
import { RunBudget } from '../results/runBudget.ts';
import { Spool } from '../results/spool.ts';
import { saveSpool } from '../results/spool/savedSpool.ts';
import { SpooledRun } from '../results/spooledRun.ts';
import { StatementRun, type StatementRunParts, StopWatch } from '../results/statementRun.ts';
import type { WriteKey } from '../results/writeKey.ts';
import { columnNameInRun, ProjectColumn, projectColumnName } from './projectColumn.ts';

/** A project that the statement goes to. */
export interface ProjectTarget {
  /** Differs from the names of the others. */
  readonly name: string;
  readonly projectId: string;
  /** A fault is that of this project alone. */
  readonly connect: () => Promise<Client>;
  /** Absent if the statement certainly only reads. */
  readonly newKey?: (() => WriteKey) | undefined;
}

export type ProjectRunsParts = Pick<StatementRunParts, 'request' | 'folder' | 'limits' | 'thread' | 'clock'> & {
  readonly disk: DiskBudget;
  readonly targets: readonly ProjectTarget[];
};

/** The part of one project in a run. */
class Member {
  readonly target: ProjectTarget;
  readonly projectColumn: ProjectColumn;
  /** Undefined while the project waits. */
  run: StatementRun | undefined;
  rowCount = 0;
  /** Rows of an earlier try that are not removed yet. */
  staleRows = 0;
  columns: readonly Column[] = [];
  hasAllColumns = false;
  readonly ended = Promise.withResolvers<void>();
  readonly connect: ProjectTarget['connect'];
  readonly writeKey: WriteKey | undefined;

  constructor(target: ProjectTarget, connect = target.connect, writeKey = target.newKey?.()) {
    this.target = target;
    this.projectColumn = new ProjectColumn(target.name);
    this.connect = connect;
    this.writeKey = writeKey;
  }

  get state(): RunState | 'waiting' {
    return this.run?.state ?? 'waiting';
  }
}

/** The projects that run at the same time. The others wait. */
const maxAtOnce = 8;

/** One statement on several projects. Their rows arrive in one spool, in any order, each with the name of its project. */
export class ProjectRuns extends SpooledRun {
  readonly #parts: ProjectRunsParts;
  readonly #members: Member[];
  readonly #budget: RunBudget;
  readonly #watch: StopWatch;
  /** Adds and removes rows, one after another. */
  readonly #rowChanges = new WorkQueue();
  readonly #ended = Promise.withResolvers<void>();
  readonly controls: RunControls;
  readonly storage: RunStorage = {
    releaseBudget: () => this.#charge(0),
    save: async file => this.spool && saveSpool(this.spool, file, this.columns),
  };
  protected spool: Spool | undefined;
  columns: readonly Column[] = [];
  #opening: Promise<unknown> | undefined;
  #chargedBytes = 0;
  #isPainted = false;

  constructor(parts: ProjectRunsParts) {
    super(parts.thread);
    this.#parts = parts;
    this.#members = parts.targets.map(target => new Member(target));
    this.#budget = new RunBudget(parts.limits, parts.disk);
    this.#watch = new StopWatch(parts.clock);
    const pause = (): RunPause | undefined => this.#pause;
    this.controls = {
      get pause() {
        return pause();
      },
      cancel: () => this.#members.forEach((_member, index) => this.stopProject(index)),
      reportFirstPaint: () => {
        this.#isPainted = true;
        for (const { run } of this.#members) run?.controls.reportFirstPaint?.();
      },
    };
  }

  get state(): RunState {
    const states = new Set(this.#members.map(({ state }) => state));
    if (states.has('paused')) return 'paused';
    if (states.has('running') || states.has('waiting')) return 'running';
    return (['limited', 'done', 'failed'] as const).find(end => states.has(end)) ?? 'cancelled';
  }

  /** The error of the first project that failed. */
  get error(): unknown {
    return this.#members.find(({ state }) => state === 'failed')?.run?.error;
  }

  get rowCount(): number {
    return Math.min(this.spool?.rowCount ?? 0, this.#budget.maxRows);
  }

  get changedRows(): number | undefined {
    const counts = this.#members.flatMap(({ run }) => run?.changedRows ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
  }

  get elapsedMs(): number {
    return this.#watch.elapsedMs;
  }

  get isWriting(): boolean {
    return this.#members.some(({ run }) => run?.isWriting);
  }

  /** The part of each project. `lacks` has the columns that its rows do not have, by their numbers. */
  get projects() {
    return this.#members.map(({ target, state, run, rowCount, columns }) => {
      const own = new Set([projectColumnName, ...columns.map(({ name }) => columnNameInRun(name))]);
      const missing = this.columns.flatMap(({ name }, column) => (own.has(name) ? [] : [column]));
      return { name: target.name, state, run, rowCount, lacks: columns.length === 0 ? [] : missing };
    });
  }

  async start(): Promise<void> {
    this.#opening ??= Spool.create(this.#parts.folder).then(spool => (this.spool = spool));
    this.#startNext();
    await this.#ended.promise;
  }

  /** Keeps the rows that the project has given. */
  stopProject(index: number): void {
    const member = this.#members[index]!;
    if (member.run) member.run.cancel();
    else void this.#run(member, true);
  }

  /**
   * Runs the statement again in a project that failed or was stopped, after its rows are removed. False if it cannot run again.
   */
  async retryProject(index: number): Promise<boolean> {
    const { run, target, projectColumn, rowCount, staleRows } = this.#members[index]!;
    if (!run || (run.state !== 'failed' && run.state !== 'cancelled') || run.writeOutcome === 'expired') return false;
    const writeKey = run.writeOutcome === 'unknown' ? run.writeKey : undefined;
    const connect = async (): Promise<Client> => {
      if (member.staleRows > 0) await this.#rowChanges.run(() => this.#removeRowsOf(projectColumn));
      member.staleRows = 0;
      return target.connect();
    };
    const member = new Member(target, connect, writeKey);
    member.staleRows = rowCount + staleRows;
    this.#members[index] = member;
    this.#startNext();
    this.#changed();
    await member.ended.promise;
    await run.dispose();
    return true;
  }

  async dispose(): Promise<void> {
    this.controls.cancel();
    for (const { run } of this.#members) await run?.dispose();
    await this.#opening?.catch(() => undefined);
    this.changes.dispose();
    this.queries.dispose();
    await this.spool?.delete();
    this.#charge(0);
  }

  get #pause(): RunPause | undefined {
    const pauses = this.#members.flatMap(({ run }) => run?.controls.pause ?? []);
    const reason = pauses[0]?.reason;
    const resume = (): void => pauses.forEach(pause => pause.resume());
    return reason && { reason, resume, finish: () => this.controls.cancel() };
  }

  #startNext(): void {
    let free = maxAtOnce - this.#members.filter(({ run }) => run && !hasEnded(run)).length;
    for (const member of this.#members) if (!member.run && free-- > 0) void this.#run(member);
  }

  async #run(member: Member, isStopped = false): Promise<void> {
    const { target, connect, writeKey, ended } = member;
    const run = new StatementRun({
      ...this.#parts,
      projectId: target.projectId,
      client: async () => {
        await this.#opening;
        return connect();
      },
      writeKey,
      isReadOnly: !writeKey,
      shared: { budget: this.#budget, rows: this.#rowsOf(member) },
    });
    member.run = run;
    run.onChange(() => this.#changed());
    if (this.#isPainted) run.controls.reportFirstPaint?.();
    if (isStopped) run.cancel();
    void run.start().then(ended.resolve);
    this.#changed();
    await ended.promise;
    this.#startNext();
  }

  #rowsOf(member: Member) {
    const spool = (): Spool => this.spool!;
    return {
      append: (batch: RowBatch) => this.#rowChanges.run(() => this.#append(member, batch)),
      flush: () => spool().flush(),
      get rowCount() {
        return spool().rowCount;
      },
      get size() {
        return spool().size;
      },
    };
  }

  async #append(member: Member, batch: RowBatch): Promise<void> {
    this.#learnColumns(member);
    member.rowCount += batch.rowCount;
    const written = this.spool!.append(member.projectColumn.addTo(batch, member.columns));
    this.#charge(this.spool!.size);
    await written;
  }

  /** Copies the rows of the others to a new spool. */
  async #removeRowsOf(projectColumn: ProjectColumn): Promise<void> {
    const former = this.spool!;
    const spool = await Spool.create(this.#parts.folder);
    for (let block = 0; block < former.index.count; block++) {
      const { offset, length } = former.index.at(block, former.rowCount, former.size);
      const rows = [...objectsIn(await former.bytes(offset, length))].filter(row => !projectColumn.isIn(row));
      const bytes = Buffer.concat(rows.flatMap(row => [comma, row])).subarray(1);
      await spool.append({ bytes, rowCount: rows.length });
    }
    this.spool = spool;
    this.queries.rowsReplaced(former);
    this.#charge(spool.size);
    await former.delete();
  }

  /** Columns that a project adds come after those of the others. Types come with the ends of the answers. */
  #learnColumns(member: Member): void {
    const columns = member.hasAllColumns ? [] : (member.run?.columns ?? []);
    if (columns.length === 0 || columns === member.columns) return;
    member.columns = columns;
    member.hasAllColumns = hasEnded(member.run!);
    const types = new Map(this.columns.slice(1).map(({ name }) => [name, new Set<string>()]));
    for (const { name, type } of this.#members.flatMap(other => other.columns)) {
      const inRun = columnNameInRun(name);
      types.set(inRun, (types.get(inRun) ?? new Set()).add(type));
    }
    const named = [...types].map(([name, all]) => ({ name, type: commonType([...all]) }));
    this.columns = [{ name: projectColumnName, type: 'TEXT' }, ...named];
  }

  #charge(bytes: number): void {
    this.#parts.disk.take(bytes - this.#chargedBytes);
    this.#chargedBytes = bytes;
  }

  #changed(): void {
    for (const member of this.#members) this.#learnColumns(member);
    if (this.state === 'running') this.#watch.resume();
    else this.#watch.stop();
    if (hasEnded(this)) this.#ended.resolve();
    this.changes.fire();
  }
}

const comma = Buffer.from(',');

/** A column is shown as BLOBs only if it has them in all projects: a text must not be taken for base64. */
function commonType(types: readonly string[]): string {
  const known = types.filter(type => type !== '');
  return known.find(type => !isBlobType(type)) ?? known[0] ?? '';
}
