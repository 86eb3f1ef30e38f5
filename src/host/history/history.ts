import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { CallReport } from '../../client/index.ts';
import type { Logger } from '../../base/logger.ts';
import { type NewHistoryEntry, outcomeOf } from '../../model/history/historyEntry.ts';
import { keptRowsFile, keptRowsFolder } from '../../model/history/keptRows.ts';
import { HistoryThread } from '../../model/history/thread/historyThread.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import { savedFiles } from '../../model/results/spool/savedSpool.ts';
import { isRead } from '../../sql/effect/statementEffect.ts';
import type { SqlParameter } from '../../wire/values.ts';
import { showError, showWarning } from '../notifications.ts';
import { encodeParams } from '../results/resultRecord.ts';
import { savesParameterValues } from '../savedValues.ts';
import { isExcluded, maxEntries, maxKeptBytes } from './historySettings.ts';
import { type EndedRun, entryOfReport } from './recordRuns.ts';

interface HistoryParts {
  /** The program of the thread. */
  readonly entry: string;
  /** The folder that all windows share. */
  readonly folder: string;
  readonly log: Logger;
}

/** Shorter values would blank parts of words. */
const minBlankedLength = 3;

/** The history of all projects. Its code and its thread are loaded with the first entry or view. */
export class History {
  readonly thread: HistoryThread;
  readonly folder: string;
  readonly #log: Logger;
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;
  #hasReportedFault = false;
  #rows: Promise<unknown> = Promise.resolve();

  constructor({ entry, folder, log }: HistoryParts) {
    this.folder = folder;
    this.#log = log;
    this.thread = new HistoryThread({ entry, folder, onDamage: tellDamage });
    this.dropForbiddenValues();
  }

  record(entry: NewHistoryEntry): void {
    if (isExcluded({ id: entry.profileId, name: entry.project })) return;
    this.change(this.thread.call('add', { entry, maxEntries: maxEntries() }));
  }

  recordReport(profile: Parameters<typeof entryOfReport>[0], report: CallReport): void {
    const entry = entryOfReport(profile, report);
    if (entry) this.record(entry);
  }

  recordRun({ at, kind, profile, statement, run }: EndedRun): void {
    if (isExcluded(profile)) return;
    const { sql, params, effect } = statement;
    const isKept = run.sizeBytes > 0 && run.sizeBytes <= maxKeptBytes();
    const name = isKept ? randomUUID() : undefined;
    this.record({
      at,
      kind,
      profileId: profile.id,
      project: profile.name,
      sql,
      params: savesParameterValues() && params.length > 0 ? encodeParams(params) : undefined,
      isWrite: !isRead(effect),
      elapsedMs: run.elapsedMs,
      rowCount: run.changedRows === undefined ? run.rowCount : undefined,
      changedRows: run.changedRows,
      ...outcomeOf(run, params.flatMap(blankedText)),
      run: name,
    });
    if (name !== undefined) this.#rows = Promise.all([this.#rows, this.#keepRows(run, name)]);
  }

  /** Reports a fault once, since most calls are made while the user does something else. */
  change(work: Promise<unknown>): void {
    work
      .catch((thrown: unknown) => {
        this.#log.warn(`history: ${messageOf(thrown)}`);
        if (this.#hasReportedFault) return;
        this.#hasReportedFault = true;
        void showError(vscode.l10n.t('The history could not be written: {0}', messageOf(thrown)));
      })
      .finally(() => this.#changes.fire());
  }

  /** Waits until everything is written. */
  async dispose(): Promise<void> {
    await this.#rows;
    await this.thread.dispose();
  }

  /** Shares the file of the rows if it is on the same disk. If it cannot be kept, the entry has no rows. */
  async #keepRows({ storage }: StatementRun, name: string): Promise<void> {
    const file = keptRowsFile(this.folder, name);
    try {
      await mkdir(keptRowsFolder(this.folder), { recursive: true, mode: 0o700 });
      await storage.save(file);
      await this.thread.call('pruneRows', { maxBytes: maxKeptBytes() });
    } catch (thrown) {
      this.#log.info(`history: rows were not kept: ${messageOf(thrown)}`);
      for (const part of savedFiles(file)) await rm(part, { force: true }).catch(() => undefined);
    }
    this.#changes.fire();
  }

  dropForbiddenValues(): void {
    if (!savesParameterValues()) this.change(this.thread.call('dropValues', {}));
  }
}

const blankedText = (value: SqlParameter): string[] => {
  const text = String(typeof value === 'object' && value !== null ? value.real : value);
  return value !== null && text.length >= minBlankedLength ? [text] : [];
};

function tellDamage(renamedFile: string): void {
  const message = vscode.l10n.t(
    'The history file was damaged. It was renamed to {0}, and a new history begins.',
    basename(renamedFile),
  );
  void showWarning(message);
}
