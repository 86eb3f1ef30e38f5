import * as vscode from 'vscode';
import { formatDuration } from '../../base/formats.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import type { ScriptLog } from '../../model/results/scriptLog.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { LogLine } from '../results/result.ts';
import { runProblem } from '../results/runProblem.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import { outcomeText } from './outcomeText.ts';
import type { StatementCall, QuietRun } from './statementRunner.ts';

const maxLabelLength = 200;

interface ScriptLogTabParts {
  readonly calls: readonly StatementCall[];
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly rowsThread: () => Promise<RowsThread>;
  readonly cancel: () => void;
}

/** The tab with a line for each statement of a script that gives no rows. It opens with the first such statement. */
export class ScriptLogTab {
  readonly #parts: ScriptLogTabParts;
  /** In the order of the rows of the log. */
  readonly #lines: LogLine[] = [];
  #log: Promise<ScriptLog> | undefined;
  #isCancelled = false;

  constructor(parts: ScriptLogTabParts) {
    this.#parts = parts;
  }

  async add({ statement, document, mark }: StatementCall, { run, subject }: QuietRun): Promise<void> {
    this.#log ??= this.#open();
    const log = await this.#log;
    const problem = runProblem({ run, subject });
    this.#lines.push({ statement: subject.statement, origin: subject.origin, errorRange: problem?.range });
    const line = document && subject.origin ? document.positionAt(mark.start).line + 1 : null;
    const label = statementLabel(statement.sql, maxLabelLength);
    const duration = formatDuration(run.elapsedMs, vscode.env.language);
    const isCancelled = run.state === 'cancelled';
    if (isCancelled) this.#isCancelled = true;
    const outcome = problem?.message ?? outcomeText(statement, run.changedRows);
    log.append([line, label, isCancelled ? vscode.l10n.t('Cancelled') : outcome, duration], run.elapsedMs);
  }

  async end(): Promise<void> {
    await (await this.#log)?.end(this.#isCancelled ? 'cancelled' : 'done');
  }

  async #open(): Promise<ScriptLog> {
    const { calls, results, scratch, rowsThread, cancel } = this.#parts;
    const { ScriptLog: Log } = await import('../../model/results/scriptLog.ts');
    const log = await Log.create({
      columns: [
        { name: vscode.l10n.t('Line'), type: 'INTEGER' },
        { name: vscode.l10n.t('Statement'), type: 'TEXT' },
        { name: vscode.l10n.t('Result'), type: 'TEXT' },
        { name: vscode.l10n.t('Time'), type: 'TEXT' },
      ],
      folder: await scratch.path(),
      thread: await rowsThread(),
      cancel,
    });
    const profile = calls[0]!.profile;
    const statement = calls.map(call => call.statement.sql).join(';\n');
    const subject = { profile, statement, title: vscode.l10n.t('Script Log'), log: this.#lines };
    void results.show(log, subject, { reveal: calls[0]!.reveal });
    return log;
  }
}
