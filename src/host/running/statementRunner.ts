import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { asProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import { hasEnded, type Run } from '../../model/results/run.ts';
import type { DescribedColumn, StatementRun } from '../../model/results/statementRun.ts';
import { WriteKey } from '../../model/results/writeKey.ts';
import type { ResultColumns } from '../../protocol/languageBridge.ts';
import { isRead } from '../../sql/effect/statementEffect.ts';
import { positionalText } from '../../sql/parameters/positionalText.ts';
import type { HistoryKind } from '../../model/history/historyEntry.ts';
import type { History } from '../history/history.ts';
import type { Catalogs } from '../connections/projects.ts';
import type { Clients } from '../connections/clients.ts';
import type { FindColumns } from '../documents/runLenses.ts';
import type { RunMark, RunMarks } from '../documents/runMarks.ts';
import type { Result, ResultSubject, ShownProject } from '../results/result.ts';
import { resultLimits } from '../results/resultLimits.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import type { ActiveRuns } from './activeRuns.ts';
import { type BoundStatement, mayHaveChangedSchema } from './boundStatement.ts';
import { doneText } from './outcomeText.ts';
import type { PreparedStatement } from './preparation.ts';
import { statementFault } from './statementFault.ts';

export interface RunnerParts {
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly results: ResultsView;
  readonly marks: RunMarks;
  readonly active: ActiveRuns;
  readonly resultColumns: FindColumns;
  /** Opens the row that the foreign key in a cell refers to. */
  readonly follow: (profileId: string, run: Run, row: number, column: number) => Promise<void>;
  readonly record: History['recordStatement'];
  /** The time of day, for the age of idempotency keys. Runs are measured with `monotonicClock`. */
  readonly clock: Clock;
}

export interface StatementCall {
  readonly profile: Profile;
  readonly statement: PreparedStatement;
  /** Undefined when the document is gone. */
  readonly document: vscode.TextDocument | undefined;
  readonly mark: RunMark;
  /** Whether to bring the results view to the front. */
  readonly reveal: boolean;
  /** The key of an earlier write with an unknown outcome: the service repeats its answer or runs the statement now. */
  readonly writeKey?: WriteKey | undefined;
  /** How the history names the run; `statement` unless set. */
  readonly kind?: HistoryKind;
  /** Set if only a file gets the rows: they have no limit but that of the disk, and the history keeps none. */
  readonly isForFile?: boolean;
  /** Called before the statement is sent. */
  readonly onStart?: (run: StatementRun) => void;
  readonly rerun: NonNullable<ResultSubject['rerun']>;
  /** The result that the new one replaces. */
  readonly inPlaceOf?: Result;
}

type SubjectParts = Pick<StatementCall, 'statement' | 'document' | 'mark' | 'rerun'> & {
  readonly profile: ShownProject;
};

/** A run that has ended. It was shown only if it has a result. */
export interface QuietRun {
  readonly run: StatementRun;
  readonly subject: ResultSubject;
  readonly hasResult: boolean;
}

/** Runs one statement and shows its rows while they arrive. */
export class StatementRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Resolves when the run has ended. A failed run resolves too. */
  async run(call: StatementCall): Promise<StatementRun> {
    const { reveal, inPlaceOf } = call;
    // It starts the run, and resolves when the run has ended.
    const show = (run: StatementRun, subject: ResultSubject): Promise<void> =>
      this.#parts.results.show(run, subject, { reveal, inPlaceOf });
    const run = await this.#run(call, subjectOf(this.#parts.marks, call), show);
    const suggesting = run.state === 'failed' ? this.#suggestFix(call, run) : undefined;
    // A script asks about the error next.
    if (call.onStart) await suggesting;
    return run;
  }

  /**
   * Runs a statement that should give no rows, without showing it. It gets a result nevertheless if rows arrive, if the service
   * asks to wait, or if the outcome of the write needs the user. Otherwise the caller disposes the run.
   */
  async runQuietly(call: StatementCall): Promise<QuietRun> {
    const { results } = this.#parts;
    const subject = subjectOf(this.#parts.marks, call);
    let shown: Promise<void> | undefined;
    const run = await this.#run(call, subject, async (newRun, runSubject) => {
      const show = (): void => void (shown ??= results.show(newRun, runSubject, { reveal: call.reveal }));
      const listener = newRun.onChange(() => {
        if (newRun.rowCount > 0 || newRun.controls.wait) show();
      });
      try {
        await newRun.start();
        if (hasUnsettledWrite(newRun)) show();
        await shown;
      } finally {
        listener.dispose();
      }
    });
    if (run.state === 'failed') await this.#suggestFix(call, run);
    return { run, subject, hasResult: shown !== undefined };
  }

  /**
   * Runs a statement whose rows no view shows, and deletes them after `use`. Rejects if `use` does. The run is shown after all if the
   * user must see the outcome of a write, or has no other copy of its rows.
   */
  async runUnseen<T>(call: StatementCall, use: (run: StatementRun, subject: ResultSubject) => Promise<T>): Promise<T> {
    const subject = subjectOf(this.#parts.marks, call);
    let used: Promise<T> | undefined;
    const run = await this.#run(call, subject, async newRun => {
      used = use(newRun, subject);
      await Promise.allSettled([used]);
    });
    let isShown = false;
    try {
      return await used!;
    } catch (thrown) {
      isShown = hasUnsettledWrite(run) || (run.state === 'done' && !isRead(call.statement.effect));
      if (isShown) await this.#parts.results.show(run, subject);
      throw thrown;
    } finally {
      if (!isShown) await run.dispose();
    }
  }

  async #run(
    call: StatementCall,
    subject: ResultSubject,
    startAndShow: (run: StatementRun, subject: ResultSubject) => Promise<void>,
  ): Promise<StatementRun> {
    const { marks, active, catalogs, follow, record } = this.#parts;
    const { profile, statement, document, mark, onStart } = call;
    marks.set(document, mark, { kind: 'running' });
    try {
      const run = await this.#newRun(call);
      const activeRun = document && active.add(document, () => run.cancel());
      onStart?.(run);
      const describing = this.#describeColumns(call, subject, run);
      try {
        await startAndShow(run, { ...subject, follow: (row, column) => follow(profile.id, run, row, column) });
      } finally {
        describing.dispose();
        activeRun?.dispose();
      }
      record({ kind: call.kind ?? 'statement', profile, statement, run, dropsRows: call.isForFile });
      marks.set(document, mark, endOf(run, statement.sql));
      if (mayHaveChangedSchema(statement, run)) catalogs.for(profile).forget();
      return run;
    } catch (thrown) {
      marks.remove(document, mark);
      throw thrown;
    }
  }

  /** Asks for the keys of the columns after the first rows: no row waits for them. */
  #describeColumns({ document }: StatementCall, { origin }: ResultSubject, run: StatementRun): Disposable {
    const listener = run.onChange(() => {
      if (run.rowCount === 0 && !hasEnded(run)) return;
      listener.dispose();
      if (document && origin?.isUnchanged) void this.#describe(document, origin.start, run);
    });
    return listener;
  }

  async #describe(document: vscode.TextDocument, start: number, run: StatementRun): Promise<void> {
    const answer = await this.#parts.resultColumns(document, document.positionAt(start));
    if (answer?.columns.some(({ isKey, references }) => isKey || references))
      run.describe(answer.columns.map(described));
  }

  async #newRun({ profile, statement, writeKey, isForFile }: StatementCall): Promise<StatementRun> {
    const { clients, clock, results } = this.#parts;
    const { StatementRun: NewRun } = await import('../../model/results/statementRun.ts');
    const runParts = await results.runParts();
    const request = requestOf(statement);
    const client = await clients.for(profile);
    const isReadOnly = isRead(statement.effect);
    return new NewRun({
      ...runParts,
      ...(!isForFile && { limits: resultLimits(profile) }),
      send: options => client.execSqlStream(profile.projectId, request, { ...options, isReadOnly }),
      ...(!isReadOnly && { writeKey: writeKey ?? new WriteKey(clock) }),
    });
  }

  /** Adds a hint to an error. The failure is shown before, since columns may have to be fetched. */
  async #suggestFix({ profile, statement, document, mark }: StatementCall, run: StatementRun): Promise<void> {
    const { marks, catalogs } = this.#parts;
    const { state } = mark;
    const error = asProjectError(run.error)?.message ?? '';
    const { errorHint } = await import('../../sql/fixes/errorHint.ts');
    const hint = await errorHint(error, statement.sql, catalogs.for(profile));
    if (hint === undefined) return;
    run.suggest(hint);
    if (mark.state !== state || state.kind !== 'failed' || !state.fault) return;
    const message = runErrorMessage(run.error, hint);
    marks.set(document, mark, { ...state, fault: { ...state.fault, message } });
  }
}

/** Whether the user must find out if a write was done. */
const hasUnsettledWrite = ({ writeOutcome }: StatementRun): boolean =>
  writeOutcome === 'unknown' || writeOutcome === 'expired';

export const requestOf = ({ sql, params }: BoundStatement) => ({ sql: positionalText(sql).text, params });

/** Read the origin before any wait: a second run of the statement replaces its mark. */
export function subjectOf(marks: RunMarks, { profile, statement, document, mark, rerun }: SubjectParts): ResultSubject {
  const { sql, params, effect, selected } = statement;
  const { heading, chartLine } = selected;
  const [table, ...otherTables] = effect.tables;
  const origin = marks.originOf(document, mark);
  const done = doneText(statement);
  // The result of a write is named by what it does.
  const title = heading ?? (isRead(effect) ? table?.name : undefined);
  return {
    profile,
    statement: sql,
    params,
    rerun,
    faultOf: (error, message) => statementFault(sql, error, message),
    ...(title !== undefined && { title }),
    ...(chartLine !== undefined && { chartLine }),
    // Exported INSERT statements name the table, if there is only one.
    ...(table && otherTables.length === 0 && { table: table.name }),
    ...(origin && { origin }),
    ...(done !== undefined && { doneText: done }),
  };
}

/** The state of the mark of a statement that has run. */
export function endOf({ state, elapsedMs, error }: Run, sql: string): RunMark['state'] {
  if (state === 'cancelled' || state === 'limited') return { kind: state, elapsedMs };
  if (state !== 'failed') return { kind: 'ok', elapsedMs };
  return { kind: 'failed', elapsedMs, fault: statementFault(sql, error, runErrorMessage(error)) };
}

const described = ({ name, isKey, references }: ResultColumns['columns'][number]): DescribedColumn => ({
  name,
  key: { isKey: isKey === true, references },
});
