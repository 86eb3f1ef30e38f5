import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CallParams } from '../../base/callTable.ts';
import { asCount } from '../../base/decode.ts';
import { Emitter } from '../../base/emitter.ts';
import { asProjectError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { CallReport } from '../../client/index.ts';
import type { BoundSql } from '../../model/boundSql.ts';
import { type EndedRun, historyKinds, newEntry } from '../../model/history/historyEntry.ts';
import { keptRowsFile, keptRowsFolder } from '../../model/history/historyFiles.ts';
import { type HistoryCalls, startHistoryThread } from '../../model/history/thread/historyThread.ts';
import type { Profile } from '../../model/profiles.ts';
import { savedFiles } from '../../model/results/spool/savedSpool.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import type { ThreadCalls } from '../../model/threadCalls.ts';
import { isRead, type StatementEffect } from '../../sql/effect/statementEffect.ts';
import { isListed } from '../connections/settingLists.ts';
import { errorMessage } from '../errorMessages.ts';
import { settings } from '../names.ts';
import { showError } from '../notifications.ts';
import { positiveSetting } from '../results/resultLimits.ts';
import { encodeParams } from '../results/resultRecord.ts';
import { savesParameterValues } from '../savedValues.ts';

interface HistoryParts {
  /** The program of the thread. */
  readonly entry: string;
  /** The folder that all windows share. */
  readonly folder: string;
  readonly log: Logger;
}

/** The run of a statement that has ended. */
interface EndedStatement extends Pick<EndedRun, 'kind'> {
  readonly profile: Profile;
  readonly statement: BoundSql & { readonly effect: StatementEffect };
  readonly run: StatementRun;
  /** Whether the rows are not kept, even if there is room for them. */
  readonly dropsRows?: boolean | undefined;
}

/** The history of all projects. Its code and its thread are loaded with the first entry or view. Nothing waits for a change. */
export class History {
  readonly folder: string;
  readonly #parts: HistoryParts;
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;
  #thread: ThreadCalls<HistoryCalls> | undefined;
  #hasReportedFault = false;
  #pendingWork: Promise<unknown> = Promise.resolve();

  constructor(parts: HistoryParts) {
    this.folder = parts.folder;
    this.#parts = parts;
    this.dropForbiddenValues();
  }

  /** Calls the thread. One that was lost is started again. */
  readonly call: ThreadCalls<HistoryCalls>['call'] = (method, params) => {
    const { entry, folder } = this.#parts;
    if (!this.#thread || this.#thread.fault) this.#thread = startHistoryThread(entry, folder);
    return this.#thread.call(method, params);
  };

  /** Reports a fault once, since most changes are made while the user does something else. */
  change<M extends keyof HistoryCalls>(method: M, params: CallParams<HistoryCalls, M>): void {
    const work = this.call(method, params)
      .catch((thrown: unknown) => {
        this.#parts.log.warn(`history: ${messageOf(thrown)}`);
        if (this.#hasReportedFault) return;
        this.#hasReportedFault = true;
        void showError(vscode.l10n.t('The history could not be written: {0}', errorMessage(thrown)));
      })
      .finally(() => this.#changes.fire());
    this.#pendingWork = Promise.all([this.#pendingWork, work]);
  }

  record(profile: Pick<Profile, 'id' | 'name'>, ended: EndedRun): void {
    if (isListed(settings.historyExcluded, profile)) return;
    const maxEntries = positiveSetting(settings.historyMaxEntries, 100_000);
    this.change('add', { entries: [newEntry(profile, ended)], maxEntries });
  }

  /** Adds a run, and keeps its rows if there is room for them. */
  recordStatement({ kind, profile, statement, run, dropsRows = false }: EndedStatement): void {
    const { sql, params, effect } = statement;
    const { state, writeOutcome, error, changedRows, elapsedMs } = run;
    const keepsRows = !dropsRows && run.sizeBytes > 0 && run.sizeBytes <= maxKeptBytes();
    const name = keepsRows && !isListed(settings.historyExcluded, profile) ? randomUUID() : undefined;
    this.record(profile, {
      kind,
      sql,
      params: savesParameterValues() && params.length > 0 ? encodeParams(params) : undefined,
      isWrite: !isRead(effect),
      elapsedMs,
      rowCount: changedRows === undefined ? run.rowCount : undefined,
      changedRows,
      state,
      isUnknown: writeOutcome === 'unknown' || writeOutcome === 'expired',
      message: error === undefined ? undefined : messageOf(error),
      quotesValues: params.length > 0 && asProjectError(error)?.kind === 'service',
      run: name,
    });
    if (name !== undefined) this.#pendingWork = Promise.all([this.#pendingWork, this.#keepRows(run, name)]);
  }

  /** Adds a write that its caller has given a purpose: a save of edits, or a change of the schema. */
  recordReport({ id, name }: Pick<Profile, 'name'> & Partial<Profile>, report: CallReport): void {
    const { purpose, statementStart: sql, fault, isAborted, changed, rows, milliseconds } = report;
    const kind = historyKinds.find(other => other === purpose);
    if (kind === undefined || sql === undefined || id === undefined) return;
    const isRefused = fault?.kind === 'service';
    this.record(
      { id, name },
      {
        kind,
        sql,
        isWrite: true,
        elapsedMs: milliseconds,
        // A save of edits has the stored rows returned.
        changedRows: changed ?? (rows === 0 ? undefined : rows),
        state: fault || isAborted ? 'failed' : 'done',
        isUnknown: !isRefused,
        message: fault?.message,
        quotesValues: isRefused,
      },
    );
  }

  dropForbiddenValues(): void {
    if (!savesParameterValues()) this.change('dropValues', undefined);
  }

  /** Waits until everything is written. */
  async dispose(): Promise<void> {
    await this.#pendingWork;
    await this.#thread?.end();
  }

  /** Shares the file of the rows if it is on the same disk. If it cannot be kept, the entry has no rows. */
  async #keepRows({ storage }: StatementRun, name: string): Promise<void> {
    const file = keptRowsFile(this.folder, name);
    try {
      await mkdir(keptRowsFolder(this.folder), { recursive: true, mode: 0o700 });
      await storage.save(file);
      await this.call('pruneRows', maxKeptBytes());
    } catch (thrown) {
      this.#parts.log.info(`history: rows were not kept: ${messageOf(thrown)}`);
      for (const part of savedFiles(file)) await rm(part, { force: true }).catch(() => undefined);
    }
    this.#changes.fire();
  }
}

function maxKeptBytes(): number {
  const megabytes = asCount(vscode.workspace.getConfiguration().get(settings.historyMaxRowsMb)) ?? 512;
  return megabytes * 1024 * 1024;
}
