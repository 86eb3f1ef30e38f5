import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Profile } from '../../model/profiles.ts';
import type { RowsWorker } from '../../model/results/queries/rowsWorker.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { WriteKey } from '../../model/results/writeKey.ts';
import { isRead, mayChangeSchema } from '../../sql/effect/statementEffect.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import { resultLimits } from '../results/resultLimits.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import type { ActiveRuns } from './activeRuns.ts';
import type { JudgedStatement } from './judgedStatement.ts';
import type { RunMark, RunMarks } from '../documents/runMarks.ts';
import { faultOfStatement } from './statementFault.ts';

export interface RunnerParts {
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly worker: () => Promise<RowsWorker>;
  readonly marks: RunMarks;
  readonly active: ActiveRuns;
  readonly clock: Clock;
}

/** One statement on its way: what it is, where it goes, and where it stands. */
export interface StatementCall {
  readonly profile: Profile;
  readonly statement: JudgedStatement;
  /** Undefined when it is not there any more. */
  readonly document: vscode.TextDocument | undefined;
  readonly mark: RunMark;
  readonly reveal: boolean;
  /** The key of an earlier run whose outcome nobody knows: the service gives its answer again, or runs it now. */
  readonly writeKey?: WriteKey | undefined;
  /** Called before it is sent. */
  readonly onStart?: (run: StatementRun) => void;
  /** Runs it once more when somebody asks for that from its result. */
  readonly again: NonNullable<ResultSubject['rerun']>;
  /** The result that it was run again from. */
  readonly inPlaceOf?: Result;
}

/** Runs one statement and shows its rows while they arrive. Settles with the run when that has ended. */
export class StatementRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async run(call: StatementCall): Promise<StatementRun> {
    const { results, marks, active, catalogs, clock } = this.#parts;
    const { profile, statement, document, mark, reveal, again: rerun } = call;
    const { sql, params } = statement;
    const writeKey = isRead(statement.effect) ? undefined : (call.writeKey ?? new WriteKey(clock));
    marks.set(document, mark, { kind: 'running' });
    // Before anything is waited for: who runs it once more meanwhile puts another mark there.
    const origin = marks.originOf(document, mark);
    try {
      const run = await this.#open(call, writeKey);
      const ended = document && active.add(document, () => run.cancel());
      call.onStart?.(run);
      // What statements that insert the rows name, where there is no doubt.
      const [table, ...others] = statement.effect.tables;
      const named = table && others.length === 0 ? { table: table.name } : {};
      const subject = { profile, statement: sql, params, rerun, ...named, ...(origin ? { origin } : {}) };
      try {
        await results.show(run, subject, { reveal, inPlaceOf: call.inPlaceOf });
      } finally {
        ended?.dispose();
      }
      this.#mark(call, run);
      if (mayChangeSchema(statement.effect)) catalogs.for(profile).forget();
      return run;
    } catch (thrown) {
      marks.remove(document, mark);
      throw thrown;
    }
  }

  async #open({ profile, statement }: StatementCall, writeKey: WriteKey | undefined): Promise<StatementRun> {
    const { clients, results, scratch, worker } = this.#parts;
    const { sql, params } = statement;
    const { StatementRun: Made } = await import('../../model/results/resultRuns.ts');
    return new Made({
      client: await clients.for(profile),
      projectId: profile.projectId,
      request: { sql, params },
      folder: await scratch.path(),
      limits: resultLimits(profile),
      disk: results.disk,
      worker: await worker(),
      now: () => performance.now(),
      ...(writeKey ? { writeKey } : { reads: true }),
    });
  }

  #mark({ statement: { sql }, document, mark }: StatementCall, run: StatementRun): void {
    const { marks } = this.#parts;
    const { state, elapsedMs, error } = run;
    if (state === 'failed')
      marks.set(document, mark, { kind: 'failed', elapsedMs, fault: faultOfStatement(sql, error) });
    else if (state === 'cancelled') marks.remove(document, mark);
    else marks.set(document, mark, { kind: 'ok', elapsedMs });
  }
}
