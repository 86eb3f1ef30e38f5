import { randomBytes } from 'node:crypto';
import { distinctNames } from '../../base/distinctNames.ts';
import { objectsIn } from '../../base/jsonBytes.ts';
import type { Client, RowBatch } from '../../client/index.ts';
import type { RunState } from '../../protocol/runState.ts';
import type { SqlRequest } from '../../wire/sqlRequest.ts';
import { type Column, isBlobType } from '../../wire/values.ts';
import type { RunControls } from '../results/run.ts';
import { RunBudget, type RunLimits } from '../results/runBudget.ts';
import { Spool } from '../results/spool.ts';
import { SpooledRun } from '../results/spooledRun.ts';
import { type SpooledRunParts, StatementRun } from '../results/statementRun.ts';
import type { WriteKey } from '../results/writeKey.ts';

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

export interface ProjectRunsParts extends SpooledRunParts {
  readonly request: SqlRequest;
  readonly limits: RunLimits;
  readonly targets: readonly ProjectTarget[];
}

/** The projects that run at the same time. The others wait. */
const maxAtOnce = 8;

/** Names the project of a row. No statement knows the key, so its columns have others, also one that is named `project`. */
const projectColumn = { name: 'project', type: 'TEXT', key: randomBytes(6).toString('base64url') } as const;

/** One statement on several projects. Their rows arrive in one spool, in any order, each with the name of its project. */
export class ProjectRuns extends SpooledRun {
  readonly #parts: ProjectRunsParts;
  readonly #budget: RunBudget;
  readonly #runs: StatementRun[];
  protected spool: Spool | undefined;
  columns: readonly Column[] = [];
  /** The columns of each project that `columns` unites. */
  #unitedColumns: readonly (readonly Column[])[] = [];
  #opening: Promise<Spool> | undefined;

  constructor(parts: ProjectRunsParts) {
    super(parts.thread, parts.disk);
    this.#parts = parts;
    this.#budget = new RunBudget(parts.limits, parts.disk);
    this.#runs = parts.targets.map(target => this.#newRun(target));
  }

  override get state(): RunState {
    const states = new Set(this.#runs.map(({ state }) => state));
    return (
      (['paused', 'running', 'limited', 'done', 'failed'] as const).find(state => states.has(state)) ?? 'cancelled'
    );
  }

  /** The error of the first project that failed. */
  override get error(): unknown {
    return this.#runs.find(({ state }) => state === 'failed')?.error;
  }

  get rowCount(): number {
    return Math.min(this.spool?.rowCount ?? 0, this.#budget.maxRows);
  }

  get changedRows(): number | undefined {
    const counts = this.#runs.flatMap(({ changedRows }) => changedRows ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
  }

  get elapsedMs(): number {
    return Math.max(...this.#runs.map(({ elapsedMs }) => elapsedMs));
  }

  get isWriting(): boolean {
    return this.#runs.some(({ isWriting }) => isWriting);
  }

  get controls(): RunControls {
    const cancel = (): void => this.#runs.forEach(stop);
    const pauses = this.#runs.flatMap(({ controls }) => controls.pause ?? []);
    const [first] = pauses;
    const resume = (): void => pauses.forEach(pause => pause.resume());
    return {
      pause: first && { reason: first.reason, resume, finish: cancel },
      cancel,
      reportFirstPaint: () => this.#runs.forEach(run => run.controls.reportFirstPaint?.()),
    };
  }

  /** The run of each project. `lacks` has the columns that its rows do not have, by their numbers. */
  get projects() {
    return this.#runs.map((run, index) => {
      const own = new Set([projectColumn.key, ...run.columns.map(({ name }) => name)]);
      const missing = this.columns.flatMap(({ key = '' }, column) => (own.has(key) ? [] : [column]));
      const { name } = this.#parts.targets[index]!;
      return { name, run, canRetry: canRetry(run), lacks: own.size === 1 ? [] : missing };
    });
  }

  async start(): Promise<void> {
    const waiting = [...this.#runs].values();
    const startInTurn = async (): Promise<void> => {
      for (const run of waiting) await run.start();
    };
    await Promise.all(Array.from({ length: maxAtOnce }, startInTurn));
    // A project may have been tried again.
    await Promise.all(this.#runs.map(run => run.start()));
  }

  /** Keeps the rows that the project has given. */
  stopProject(index: number): void {
    const run = this.#runs[index];
    if (run) stop(run);
  }

  /** Runs the statement again in a project that gave no rows. False if it cannot run again. */
  async retryProject(index: number): Promise<boolean> {
    const former = this.#runs[index];
    if (!former || !canRetry(former)) return false;
    const run = this.#newRun(
      this.#parts.targets[index]!,
      former.writeOutcome === 'unknown' ? former.writeKey : undefined,
    );
    this.#runs[index] = run;
    this.#changed();
    await run.start();
    await former.dispose();
    return true;
  }

  async dispose(): Promise<void> {
    this.controls.cancel();
    for (const run of this.#runs) await run.dispose();
    await this.#opening?.catch(() => undefined);
    await this.disposeRows();
  }

  #newRun({ name, projectId, connect, newKey }: ProjectTarget, writeKey = newKey?.()): StatementRun {
    const rowStart = Buffer.from(`,{"${projectColumn.key}":${JSON.stringify(name)},`);
    const { request } = this.#parts;
    let client: Client | undefined;
    const run = new StatementRun({
      ...this.#parts,
      connect: async () => (client = await connect()),
      send: options => client!.execSqlStream(projectId, request, { ...options, isReadOnly: !writeKey }),
      writeKey,
      shared: {
        spool: () => (this.#opening ??= this.#open()),
        budget: this.#budget,
        toStored: batch => {
          this.#uniteColumns();
          return withProject(batch, rowStart);
        },
      },
    });
    run.onChange(() => this.#changed());
    return run;
  }

  async #open(): Promise<Spool> {
    this.spool = await Spool.create(this.#parts.folder);
    return this.spool;
  }

  /** Columns that a project adds come after those of the others. Types come with the ends of the answers. */
  #uniteColumns(): void {
    const all = this.#runs.map(({ columns }) => columns);
    if (all.every((columns, index) => columns === this.#unitedColumns[index])) return;
    this.#unitedColumns = all;
    const types = new Map(this.columns.slice(1).map(({ key = '' }) => [key, new Set<string>()]));
    for (const { name, type } of all.flat()) types.set(name, (types.get(name) ?? new Set()).add(type));
    if (types.size === 0) return;
    const names = distinctNames([projectColumn.name, ...types.keys()]);
    const united = [...types].map(([key, own], index) => ({
      name: names[index + 1]!,
      type: commonType([...own]),
      key,
    }));
    this.columns = [projectColumn, ...united];
  }

  #changed(): void {
    this.#uniteColumns();
    this.charge();
    this.changes.fire();
  }
}

/** Also ends a run that waits for its start. */
function stop(run: StatementRun): void {
  run.cancel();
  void run.start();
}

/** Rows of an earlier try would be there twice. */
const canRetry = ({ state, rowCount, writeOutcome }: StatementRun): boolean =>
  (state === 'failed' || state === 'cancelled') && rowCount === 0 && writeOutcome !== 'expired';

function withProject({ bytes, rowCount }: RowBatch, rowStart: Buffer): RowBatch {
  const pieces = [...objectsIn(bytes)].flatMap(row => [rowStart, row.subarray(1)]);
  // The first row needs no comma.
  return { bytes: Buffer.concat(pieces).subarray(1), rowCount };
}

/** A column is shown as BLOBs only if it has them in all projects: a text must not be taken for base64. */
function commonType(types: readonly string[]): string {
  const known = types.filter(type => type !== '');
  return known.find(type => !isBlobType(type)) ?? known[0] ?? '';
}
