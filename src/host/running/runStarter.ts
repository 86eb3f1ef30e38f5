import type { BoundSql } from '../../model/boundSql.ts';
import type { Profile } from '../../model/profiles.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import type { WriteKey } from '../../model/results/writeKey.ts';
import type { Projects } from '../connections/projects.ts';
import { offerRemedy } from '../remedies.ts';
import type { ExportMemory } from '../results/exportOptions.ts';
import type { Result, LogLine } from '../results/result.ts';
import { analyze } from './boundStatement.ts';
import { outcomeText } from './outcomeText.ts';
import { runInBackground } from './backgroundRun.ts';
import type { ExportedStatement } from './exportToFiles.ts';
import type { Preparation, PreparedStatement, UnpreparedStatement } from './preparation.ts';
import { runScript } from './scriptRunner.ts';
import type { QuietRun, RunnerParts, StatementCall, StatementRunner } from './statementRunner.ts';
import { vscodeScriptPrompts } from './vscodeScriptPrompts.ts';
import * as vscode from 'vscode';
import { formatDuration } from '../../base/formats.ts';
import type { ScriptLog } from '../../model/results/scriptLog.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import { runProblem } from '../results/runProblem.ts';

interface StarterParts extends Pick<RunnerParts, 'results' | 'marks' | 'active'> {
  readonly exportMemory: ExportMemory;
  readonly projects: Projects;
  readonly preparation: Preparation;
  readonly runner: StatementRunner;
}

/** A run in the background leaves the results view as it is. */
export type RunMode = 'foreground' | 'background';

export interface PreparedRun {
  readonly statements: readonly PreparedStatement[];
  readonly mode: RunMode;
  readonly isRerun?: boolean;
}

export function withoutDocument(sql: string, params: BoundSql['params'] = []): PreparedStatement {
  return { ...analyze(sql), params, selected: { sql, start: 0, end: sql.length, paramsJson: undefined } };
}

/** The statement of a result. */
interface PastStatement extends UnpreparedStatement {
  readonly profileId: string;
}

/** Starts prepared statements: one alone, or several as a script. Their results can be run again. */
export class RunStarter {
  readonly #parts: StarterParts;

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /** Resolves when all statements have ended. */
  async start(profile: Profile, { statements, mode, isRerun = false }: PreparedRun): Promise<StatementRun | undefined> {
    const { runner, results } = this.#parts;
    const kind = isRerun ? 'rerun' : statements.length > 1 ? 'script' : 'statement';
    const reveal = mode === 'foreground';
    const calls = statements.map((statement): StatementCall => ({ ...this.#callOf(statement, profile, reveal), kind }));
    const [first] = calls;
    if (calls.length > 1) await this.#startScript(calls);
    else if (first && mode === 'background') await runInBackground(first, runner, results);
    else if (first) return runner.run(first);
    return undefined;
  }

  /** Runs a query that is in no document. */
  async runQuery(profile: Profile, { sql, params }: BoundSql): Promise<void> {
    await this.#parts.runner.run(this.#callOf(withoutDocument(sql, params), profile, true));
  }

  /** Runs statements one after another, and writes the rows of each to a file. */
  async exportToFiles(exports: readonly ExportedStatement[]): Promise<void> {
    const { exportToFiles } = await import('./exportToFiles.ts');
    const newCall = ({ profile, statement }: ExportedStatement): StatementCall => ({
      ...this.#callOf(statement, profile, false),
      isForFile: true,
    });
    await exportToFiles({ ...this.#parts, newCall }, exports);
  }

  /** The new result replaces the old one. With the key of a write, the service repeats its answer or does the write now. */
  async rerun(past: PastStatement, from: Result, writeKey: WriteKey | undefined): Promise<void> {
    const { projects, preparation, runner } = this.#parts;
    try {
      // A result may be days old, so use the address and the protection that the project has now.
      const profile = await projects.get(past.profileId);
      const [statement] = (await preparation.prepare(profile, [past])) ?? [];
      if (!statement) return;
      const call = this.#callOf(statement, profile, true);
      await runner.run({ ...call, kind: 'rerun', inPlaceOf: from, writeKey });
    } catch (thrown) {
      await offerRemedy(thrown, await projects.find(past.profileId));
    }
  }

  async #startScript(calls: readonly StatementCall[]): Promise<void> {
    const { runner, marks, active } = this.#parts;
    const document = calls[0]?.document;
    const log = scriptLogTab({ ...this.#parts, calls, cancel: () => document && active.cancel(document) });
    const runStatement = (call: StatementCall): Promise<StatementRun> =>
      call.statement.effect.givesNoRows ? this.#runInLog(call, log) : runner.run(call);
    try {
      await runScript(calls, { runStatement, marks, active, prompts: vscodeScriptPrompts });
    } finally {
      await log.end();
    }
  }

  /** Runs a statement that gives no rows. The log of the script gets a line, unless the run got a result of its own. */
  async #runInLog(call: StatementCall, log: ReturnType<typeof scriptLogTab>): Promise<StatementRun> {
    const quietRun = await this.#parts.runner.runQuietly(call);
    const { run, hasResult } = quietRun;
    if (hasResult) return run;
    await log.add(call, quietRun);
    await run.dispose();
    return run;
  }

  #callOf(statement: PreparedStatement, profile: Profile, reveal: boolean): StatementCall {
    const { selected, document, params } = statement;
    const past: PastStatement = { profileId: profile.id, document, selected, params };
    return {
      profile,
      statement,
      document,
      mark: this.#parts.marks.put(document, selected, { kind: 'waiting' }),
      reveal,
      rerun: (from, writeKey) => this.rerun(past, from, writeKey),
    };
  }
}

const maxLabelLength = 200;

interface ScriptLogTabParts extends Pick<RunnerParts, 'results'> {
  readonly calls: readonly StatementCall[];
  readonly cancel: () => void;
}

/** The tab with a line for each statement of a script that gives no rows. It opens with the first such statement. */
function scriptLogTab({ calls, results, cancel }: ScriptLogTabParts) {
  /** In the order of the rows of the log. */
  const lines: LogLine[] = [];
  let opened: Promise<ScriptLog> | undefined;
  let hasCancelled = false;
  const open = async (): Promise<ScriptLog> => {
    const { ScriptLog: Log } = await import('../../model/results/scriptLog.ts');
    const log = await Log.create({
      columns: [
        { name: vscode.l10n.t('Line'), type: 'INTEGER' },
        { name: vscode.l10n.t('Statement'), type: 'TEXT' },
        { name: vscode.l10n.t('Result'), type: 'TEXT' },
        { name: vscode.l10n.t('Time'), type: 'TEXT' },
      ],
      ...(await results.runParts()),
      cancel,
    });
    const { profile, reveal } = calls[0]!;
    const statement = calls.map(call => call.statement.sql).join(';\n');
    const subject = { profile, statement, title: vscode.l10n.t('Script Log'), log: lines };
    void results.show(log, subject, { reveal });
    return log;
  };
  return {
    async add({ statement, document, mark }: StatementCall, { run, subject }: QuietRun): Promise<void> {
      const log = await (opened ??= open());
      const problem = runProblem({ run, subject });
      lines.push({ statement: subject.statement, origin: subject.origin, errorRange: problem?.range });
      const line = document && subject.origin ? document.positionAt(mark.start).line + 1 : null;
      const label = statementLabel(statement.sql, maxLabelLength);
      const duration = formatDuration(run.elapsedMs, vscode.env.language);
      const isCancelled = run.state === 'cancelled';
      if (isCancelled) hasCancelled = true;
      const outcome = problem?.message ?? outcomeText(statement, run.changedRows);
      log.append([line, label, isCancelled ? vscode.l10n.t('Cancelled') : outcome, duration], run.elapsedMs);
    },

    async end(): Promise<void> {
      await (await opened)?.end(hasCancelled ? 'cancelled' : 'done');
    },
  };
}
