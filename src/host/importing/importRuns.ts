import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { monotonicClock, systemClock, type Clock } from '../../base/clock.ts';
import { asProjectError, messageOf, misuse } from '../../base/errors.ts';
import { openTableSource } from '../../model/copying/openTableSource.ts';
import { ImportRun, type SendStatement } from '../../model/importing/importRun.ts';
import {
  importJournal,
  type ImportPlan,
  type ImportProgress,
  isFileSource,
  lockImport,
  rejectedFile,
  removeOldFiles,
  unfinishedImports,
  type ImportWork,
} from '../../model/importing/journal.ts';
import { importExpired, skipUnknownRows, resendUnknownRows, unknownRows } from '../../model/importing/importEnd.ts';
import { RejectedRows } from '../../model/importing/rejectedRows.ts';
import type { OpenSource } from '../../model/importing/rowSource.ts';
import { openFileInThread } from '../../model/importing/thread/importThread.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { Profile } from '../../model/profiles.ts';
import { formatDuration } from '../../base/formats.ts';
import { type ImportRate, importRate } from '../../model/importing/importRate.ts';
import type { History } from '../history/history.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import type { ProjectParts } from '../connections/projects.ts';
import { projectErrorMessage } from '../remedies.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { withNotification } from '../progress.ts';
import { decide, tableLook } from '../questions.ts';
import { commandId } from '../names.ts';
import { numberText, rowsText } from '../numbers.ts';
import { endText, unfinishedText, unknownRowsText, workTexts } from './workTexts.ts';
import { reasonText } from './importTexts.ts';

export interface ImportRunsParts extends ProjectParts {
  readonly context: vscode.ExtensionContext;
  readonly tables: () => Promise<TableEditors>;
  readonly record: History['record'];
}

/** An import that another process has locked is offered again after this delay, and at most this often. */
const offerAgainMs = 2000;
const maxOffers = 30;

/** Runs imports, says how they ended, and continues those that have not. */
export class ImportRuns {
  readonly #parts: ImportRunsParts;
  readonly #folder: string;
  readonly #running = new Set<ImportRun>();

  constructor(parts: ImportRunsParts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
  }

  /** Resumes the paused imports of this window. If none is paused, pauses all. */
  togglePause(): void {
    const paused = [...this.#running].filter(run => run.state === 'paused');
    if (paused.length > 0) for (const run of paused) run.resume();
    else for (const run of this.#running) run.pause();
    if (this.#running.size > 0) return;
    void showInformation(vscode.l10n.t('No import runs now, so there is none to pause.'));
  }

  /** Ends the imports of a window that is closed. Their journals stay, so that another window can continue them at once. */
  dispose(): void {
    for (const run of this.#running) run.cancel();
  }

  /** Sends statements to a project with its present key. */
  sendTo(profile: Profile): SendStatement {
    const { clients } = this.#parts;
    return async (request, options) => (await clients.for(profile)).execSql(profile.projectId, request, options);
  }

  /** Runs an import from the beginning, or from `progress`. */
  async start(profile: Profile, plan: ImportPlan, progress?: ImportProgress): Promise<void> {
    // The project may have become read-only since the rows were planned.
    if (await refuseWrites(profile)) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await removeOldFiles(this.#folder, systemClock.now());
    const run = await this.#run(profile, plan, progress);
    // The next file does not wait until the message is closed.
    if (run) void this.#showEnd(profile, plan, run).catch((thrown: unknown) => showError(errorMessage(thrown)));
  }

  /** Offers all at once to continue the imports of an earlier window. No offer waits for the answer to another. */
  async offerUnfinished(): Promise<void> {
    for (const { plan } of await unfinishedImports(this.#folder)) {
      this.#offer(plan.id).catch((thrown: unknown) => showError(errorMessage(thrown)));
    }
  }

  async #offer(id: string): Promise<void> {
    for (let offers = 1; offers <= maxOffers; offers++) {
      const entry = (await unfinishedImports(this.#folder)).find(({ plan }) => plan.id === id);
      if (!entry) return;
      const { plan, progress } = entry;
      // Only a window that has the project can continue.
      const profile = await this.#find(plan.project);
      if (!profile || (!isFileSource(plan.source) && !(await this.#find(plan.source.project)))) return;
      const lock = await lockImport(this.#folder, id);
      if (lock) {
        lock.dispose();
        const message = unfinishedText(plan, progress);
        return this.#offerResume(profile, plan, { progress, ask: (...buttons) => showWarning(message, ...buttons) });
      }
      // The process of the window before a reload may still have the lock.
      await delay(offerAgainMs);
    }
  }

  /** The project of a plan, if this window has it. */
  async #find({ profileId, baseUrl, projectId }: ImportPlan['project']): Promise<Profile | undefined> {
    const profile = await this.#parts.projects.find(profileId);
    if (!profile || profile.projectId !== projectId) return undefined;
    return profile.source === 'local' || profile.baseUrl === baseUrl ? profile : undefined;
  }

  #openSource({ source }: ImportPlan): OpenSource {
    if (isFileSource(source)) {
      const entry = this.#parts.context.asAbsolutePath('dist/importThread.mjs');
      return signal => openFileInThread(source, { entry, signal });
    }
    const open = async () => {
      const profile = await this.#find(source.project);
      if (!profile) throw misuse('no_source_project', `The project '${source.project.name}' is not in this window.`);
      return (await this.#parts.clients.for(profile)).project(profile.projectId);
    };
    return signal => openTableSource({ source, open, clock: systemClock, signal });
  }

  async #run(profile: Profile, plan: ImportPlan, progress: ImportProgress | undefined): Promise<ImportRun | undefined> {
    const { catalogs, record } = this.#parts;
    const startedAt = systemClock.now();
    let sql = '';
    const send = this.sendTo(profile);
    const changedBefore = progress?.counts.changedRows ?? 0;
    const run = new ImportRun({
      plan,
      progress,
      journal: importJournal(this.#folder, plan),
      rejected: new RejectedRows(rejectedFile(this.#folder, plan), progress?.rejectedBytes ?? 0, reasonText),
      openSource: this.#openSource(plan),
      send: (request, options) => {
        sql ||= request.sql;
        return send(request, options);
      },
      clock: systemClock,
    });
    const lock = await lockImport(this.#folder, plan.id);
    if (!lock) {
      void showError(vscode.l10n.t('Another window writes these rows.'));
      return undefined;
    }
    this.#running.add(run);
    try {
      await showProgress(run, { table: plan.target.table, work: plan.work, clock: monotonicClock });
    } finally {
      lock.dispose();
      this.#running.delete(run);
      catalogs.for(profile).forget();
    }
    const { error } = run;
    const { state, isLastCallUnknown } = run.end;
    record(profile, {
      kind: plan.work,
      sql: `-- ${oneLine(plan.source.name)} → ${oneLine(plan.target.table)}\n${sql}`,
      isWrite: true,
      elapsedMs: systemClock.now() - startedAt,
      changedRows: run.progress.counts.changedRows - changedBefore,
      state: state === 'stopped' ? 'failed' : state,
      isUnknown: isLastCallUnknown,
      message: error === undefined ? undefined : messageOf(error),
      quotesValues: true,
    });
    return run;
  }

  async #showEnd(profile: Profile, plan: ImportPlan, run: ImportRun): Promise<void> {
    const { progress } = run;
    const message = endText(plan, run.end);
    switch (run.state) {
      case 'done':
        return this.#showDone(profile, plan, run, message);
      case 'failed':
        if (asProjectError(run.error)?.code === importExpired) return this.#askAboutUnknown(profile, plan, run);
        return this.#offerResume(profile, plan, {
          progress,
          ask: (...buttons) => showError(`${message} ${projectErrorMessage(run.error, profile)}`, ...buttons),
        });
      default: {
        // A message of an error stays until it is answered.
        const show = run.state === 'stopped' ? showError : showWarning;
        const goesOn = run.state === 'stopped' || progress.goesOn;
        return this.#offerResume(profile, plan, {
          progress: { ...progress, ...(goesOn && { goesOn }) },
          ask: (...buttons) => show(message, ...buttons),
        });
      }
    }
  }

  async #showDone(profile: Profile, plan: ImportPlan, run: ImportRun, message: string): Promise<void> {
    const showRejected = vscode.l10n.t('Show Rejected Rows');
    const browse = vscode.l10n.t('Browse Table');
    const { progress, isSourceChanged, refusedStatements } = run.end;
    const hasRejected = progress.counts.rejectedRows > 0;
    const isUsual = !hasRejected && !isSourceChanged && refusedStatements.length === 0;
    const show = isUsual ? showInformation : showWarning;
    const chosen = await show(message, ...(hasRejected ? [showRejected] : []), browse);
    if (chosen === showRejected) await this.#showRejected(plan);
    if (chosen === browse) await (await this.#parts.tables()).open(profile, { name: plan.target.table, kind: 'table' });
  }

  async #offerResume(
    profile: Profile,
    plan: ImportPlan,
    { progress, ask }: { progress: ImportProgress; ask: (...buttons: string[]) => Promise<string | undefined> },
  ): Promise<void> {
    const resume = vscode.l10n.t('Resume');
    const discard = vscode.l10n.t('Discard');
    const showRejected = vscode.l10n.t('Show Rejected Rows');
    const hasRejected = progress.counts.rejectedRows > 0;
    // A message hides after a while. The item leads to it.
    const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
    status.text = `$(debug-continue) ${workTexts[plan.work].paused(withoutIcons(plan.target.table))}`;
    status.command = 'notifications.showList';
    status.show();
    const chosen = await ask(resume, discard, ...(hasRejected ? [showRejected] : []));
    status.dispose();
    if (chosen === resume) await this.start(profile, plan, progress);
    if (chosen === discard) await importJournal(this.#folder, plan).remove();
    if (chosen !== showRejected) return;
    await this.#showRejected(plan);
    await this.#offerResume(profile, plan, { progress, ask });
  }

  /** The service may have written the rows and forgotten it. Only the user can check. */
  async #askAboutUnknown(profile: Profile, plan: ImportPlan, { progress }: ImportRun): Promise<void> {
    const rows = unknownRows(progress);
    if (!rows) return;
    const again = vscode.l10n.t('The Rows Are Missing');
    const present = vscode.l10n.t('The Rows Are There');
    const chosen = await decide(
      unknownRowsText(rows, plan.target.table),
      vscode.l10n.t('The import continues with your answer.'),
      tableLook(profile, plan.target.table),
      [again, present],
    );
    const now = systemClock.now();
    if (chosen === again) await this.start(profile, plan, resendUnknownRows(progress, now));
    if (chosen === present) await this.start(profile, plan, skipUnknownRows(progress, now));
  }

  async #showRejected(plan: ImportPlan): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(rejectedFile(this.#folder, plan)));
  }
}

/** Messages that change more often cannot be read. */
const messageDelayMs = 250;

/** Shows an import while it runs: a notification with its figures, and a button in the status bar that pauses it. */
async function showProgress(
  run: ImportRun,
  { table, work, clock }: { readonly table: string; readonly work: ImportWork; readonly clock: Clock },
): Promise<void> {
  const texts = workTexts[work];
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  status.command = commandId('pauseImport');
  await withNotification(texts.title(table), async (progress, signal) => {
    const readRate = importRate(run, clock);
    let reported = 0;
    const report = (): void => {
      const percent = Math.floor((run.share ?? 0) * 100);
      progress.report({ message: progressText(run, readRate()), increment: percent - reported });
      reported = percent;
      const isPaused = run.state === 'paused';
      const shown = withoutIcons(table);
      status.text = isPaused ? `$(debug-continue) ${texts.paused(shown)}` : `$(debug-pause) ${texts.running(shown)}`;
      status.tooltip = isPaused ? vscode.l10n.t('Resume') : vscode.l10n.t('Pause');
    };
    const timer = setInterval(report, messageDelayMs);
    signal.addEventListener('abort', () => run.cancel());
    report();
    status.show();
    try {
      await run.start();
    } finally {
      clearInterval(timer);
      status.dispose();
    }
  });
}

function progressText(run: ImportRun, { rate, remainingMs }: ImportRate): string {
  const { language } = vscode.env;
  const { counts } = run.progress;
  const parts = [rowsText(counts.sentRows)];
  if (counts.rejectedRows > 0) parts.push(vscode.l10n.t('{0} rejected', numberText(counts.rejectedRows)));
  if (run.state === 'paused') parts.push(vscode.l10n.t('paused'));
  else if (run.remainingWaitMs !== undefined) {
    parts.push(vscode.l10n.t('the service asks to wait {0}', formatDuration(run.remainingWaitMs, language, 0)));
  } else {
    if (rate !== undefined) parts.push(vscode.l10n.t('{0} per second', rowsText(Math.round(rate))));
    if (remainingMs !== undefined) parts.push(vscode.l10n.t('{0} left', formatDuration(remainingMs, language, 0)));
  }
  return parts.join(' · ');
}

/** True if the project is read-only; a message says so. */
export async function refuseWrites(profile: Profile): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    throw new Error(
      vscode.l10n.t('The workspace is not trusted, so no rows are written. Trust the workspace, then try again.'),
    );
  }
  if (profile.protection !== 'readOnly') return false;
  const { refuseStatement } = await import('../running/running.ts');
  return refuseStatement(profile, 'INSERT INTO t VALUES (1)');
}
