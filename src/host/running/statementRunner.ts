import type * as vscode from 'vscode';
import { type Clock, monotonicClock } from '../../base/clock.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { WriteKey } from '../../model/results/writeKey.ts';
import { isRead } from '../../sql/effect/statementEffect.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { RunMark, RunMarks } from '../documents/runMarks.ts';
import { errorMessage } from '../errorMessages.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import { resultLimits } from '../results/resultLimits.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import type { ActiveRuns } from './activeRuns.ts';
import { type BoundStatement, mayHaveChangedSchema } from './boundStatement.ts';
import { statementFault } from './statementFault.ts';

export interface RunnerParts {
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly rowsThread: () => Promise<RowsThread>;
  readonly marks: RunMarks;
  readonly active: ActiveRuns;
  readonly clock: Clock;
}

/** A statement to run, with its project and its position. */
export interface StatementCall {
  readonly profile: Profile;
  readonly statement: BoundStatement;
  /** Undefined when the document is gone. */
  readonly document: vscode.TextDocument | undefined;
  readonly mark: RunMark;
  /** Whether to bring the results view to the front. */
  readonly reveal: boolean;
  /** The key of an earlier write with an unknown outcome: the service repeats its answer or runs the statement now. */
  readonly writeKey?: WriteKey | undefined;
  /** Called before the statement is sent. */
  readonly onStart?: (run: StatementRun) => void;
  /** Runs the statement again, from its result. */
  readonly rerun: NonNullable<ResultSubject['rerun']>;
  /** The result that the new one replaces. */
  readonly inPlaceOf?: Result;
}

/** Runs one statement and shows its rows while they arrive. */
export class StatementRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Resolves when the run has ended. A failed run resolves too. */
  async run(call: StatementCall): Promise<StatementRun> {
    const { results, marks, active, catalogs } = this.#parts;
    const { profile, statement, document, mark, reveal, inPlaceOf, onStart } = call;
    marks.set(document, mark, { kind: 'running' });
    // Read the origin before any wait: a second run of the statement replaces its mark.
    const subject = this.#subject(call);
    try {
      const run = await this.#newRun(call);
      const activeRun = document && active.add(document, () => run.cancel());
      onStart?.(run);
      try {
        await results.show(run, subject, { reveal, inPlaceOf });
      } finally {
        activeRun?.dispose();
      }
      this.#markEnd(call, run);
      if (mayHaveChangedSchema(statement, run)) catalogs.for(profile).forget();
      return run;
    } catch (thrown) {
      marks.remove(document, mark);
      throw thrown;
    }
  }

  #subject({ profile, statement, document, mark, rerun }: StatementCall): ResultSubject {
    const { sql, params, effect } = statement;
    const [table, ...otherTables] = effect.tables;
    const origin = this.#parts.marks.originOf(document, mark);
    return {
      profile,
      statement: sql,
      params,
      rerun,
      // Exported INSERT statements name the table, if there is only one.
      ...(table && otherTables.length === 0 && { table: table.name }),
      ...(origin && { origin }),
    };
  }

  async #newRun({ profile, statement, writeKey }: StatementCall): Promise<StatementRun> {
    const { clients, results, scratch, rowsThread, clock } = this.#parts;
    const { sql, params, effect } = statement;
    const { StatementRun: Run } = await import('../../model/results/statementRun.ts');
    return new Run({
      client: await clients.for(profile),
      projectId: profile.projectId,
      request: { sql, params },
      folder: await scratch.path(),
      limits: resultLimits(profile),
      disk: results.disk,
      thread: await rowsThread(),
      clock: monotonicClock,
      ...(isRead(effect) ? { reads: true } : { writeKey: writeKey ?? new WriteKey(clock) }),
    });
  }

  #markEnd({ statement, document, mark }: StatementCall, { state, elapsedMs, error }: StatementRun): void {
    const { marks } = this.#parts;
    if (state === 'cancelled') marks.remove(document, mark);
    else if (state !== 'failed') marks.set(document, mark, { kind: 'ok', elapsedMs });
    else {
      const fault = statementFault(statement.sql, error, errorMessage(error));
      marks.set(document, mark, { kind: 'failed', elapsedMs, fault });
    }
  }
}
