import { addAbortListener } from 'node:events';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isAbort, misuse } from '../../base/errors.ts';
import { shortList } from '../../base/oneLine.ts';
import type { Profile } from '../../model/profiles.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { settings } from '../names.ts';
import { showInformation, withoutLinks } from '../notifications.ts';
import { rowsText } from '../numbers.ts';
import { withNotification } from '../progress.ts';
import { offerRemedy } from '../remedies.ts';
import { type ExportMemory, type ExportOptions, lastOptions, rememberOptions } from '../results/exportOptions.ts';
import { promptForFiles, promptForOptions } from '../results/exportPrompts.ts';
import {
  exportingTitle,
  mixedNote,
  offerToOpen,
  type WrittenRows,
  writeRows,
  writtenText,
} from '../results/exportRows.ts';
import { newResult, type ResultSubject } from '../results/result.ts';
import { showWaits } from './backgroundRun.ts';
import { outcomeText } from './outcomeText.ts';
import type { PreparedStatement } from './preparation.ts';
import type { StatementCall, StatementRunner } from './statementRunner.ts';

const maxNamed = 5;
/** A notification cannot be read faster. */
const reportMs = 200;

interface ExportParts {
  readonly runner: StatementRunner;
  readonly exportMemory: ExportMemory;
  /** Called before the statement is sent. */
  readonly newCall: (exported: ExportedStatement) => StatementCall;
}

/** A statement whose rows go to a file. */
export interface ExportedStatement {
  readonly profile: Profile;
  readonly statement: PreparedStatement;
  /** The name of the table or of the statement. The name of the file is made of it. */
  readonly name: string;
}

/** Asks for the format and the files, and runs the statements one after another. No view shows their rows. */
export async function exportToFiles(
  { runner, exportMemory, newCall }: ExportParts,
  exports: readonly ExportedStatement[],
): Promise<void> {
  const names = exports.map(({ name }) => name);
  const isOne = names.length === 1;
  const title = shortList(names, maxNamed);
  const choice = await promptForOptions(title, lastOptions(exportMemory));
  const files = choice && (await promptForFiles(names, choice.format));
  if (!choice || !files) return;
  await rememberOptions(exportMemory, choice);
  const place = basename(isOne ? files[0]!.path : dirname(files[0]!.path));
  const exported: WrittenRows[] = [];
  await withNotification(exportingTitle(place), async (progress, signal) => {
    for (const [nth, statement] of exports.entries()) {
      const { name, profile } = statement;
      const report = (text: string): void =>
        progress.report({ message: isOne ? text : withoutLinks(`${name}: ${text}`) });
      const output: FileOutput = { ...statement, file: files[nth]!, options: choice, signal, report };
      try {
        const call = newCall(statement);
        const written = await runner.runUnseen(call, (run, subject) => writeRun(run, subject, output));
        if (!written) continue;
        const mixedColumns = written.mixedColumns.map(column => (isOne ? column : `${name}.${column}`));
        exported.push({ ...written, mixedColumns });
      } catch (thrown) {
        if (signal.aborted || isAbort(thrown)) return;
        void offerRemedy(thrown, profile, message => vscode.l10n.t("'{0}' was not exported: {1}", name, message));
        return;
      }
    }
  });
  const [first] = exported;
  if (!first) return;
  if (isOne) return offerToOpen(files[0]!, writtenText(place, first), choice.format);
  const message = vscode.l10n.t('Exported {0} of {1} tables to {2}.', exported.length, names.length, place);
  const mixedColumns = exported.flatMap(written => written.mixedColumns);
  await offerToOpen(files[0]!, `${message}${mixedNote(mixedColumns)}`);
}

interface FileOutput extends ExportedStatement {
  readonly file: vscode.Uri;
  readonly options: ExportOptions;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

/** Runs a statement to its end, and writes its rows. Undefined if it gives none: a message says so. */
async function writeRun(
  run: StatementRun,
  subject: ResultSubject,
  { name, statement, file, options, signal, report }: FileOutput,
): Promise<WrittenRows | undefined> {
  const owned = new DisposableStore();
  const reporting = owned.add(new Debouncer({ delayMs: reportMs, run: () => report(rowsText(run.rowCount)) }));
  using _stop = addAbortListener(signal, () => run.cancel());
  owned.add(showWaits(run, subject.profile.name));
  owned.add(
    run.onChange(() => {
      // It has no limit but that of the disk, and waits for no page.
      if (run.state === 'paused') run.cancel();
      else reporting.schedule();
      run.controls.reportFirstPaint?.();
    }),
  );
  await run.start();
  owned.dispose();
  if (run.state === 'limited') {
    const message = vscode.l10n.t(
      'The results of this window use all disk space that they may. Close some of them, or raise {0}.',
      settings.maxDiskMb,
    );
    throw misuse('no_room_for_export', message);
  }
  if (run.state !== 'done') throw run.error;
  const { rowCount, columns, changedRows } = run;
  if (changedRows !== undefined) {
    const outcome = outcomeText(statement, changedRows);
    void showInformation(vscode.l10n.t('{0}. The statement gives no rows, so there is no file.', outcome));
    return undefined;
  }
  const part = { ranges: [{ firstRow: 0, endRow: rowCount, columns: [...columns.keys()] }], rowCount };
  const onProgress = (share: number): void => report(`${rowsText(rowCount)} · ${Math.floor(share * 100)} %`);
  return await writeRows({ ...newResult(run, subject), title: name }, options, part, file, { signal, onProgress });
}
