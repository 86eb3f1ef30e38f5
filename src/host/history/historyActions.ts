import * as vscode from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { formatDay, formatTime } from '../../base/timeOfDay.ts';
import { cutText } from '../../base/oneLine.ts';
import { misuse } from '../../base/errors.ts';
import type { HistoryEntry } from '../../model/history/historyEntry.ts';
import { keptRowsFile } from '../../model/history/keptRows.ts';
import { projectNamesIn } from '../../sql/directives/projectLine.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { commands, views } from '../names.ts';
import { showInformation } from '../notifications.ts';
import { confirm } from '../questions.ts';
import { offerRemedy } from '../remedies.ts';
import { decodeParams } from '../results/resultRecord.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { History } from './history.ts';
import { historyLabel } from './historyItems.ts';

interface HistoryActionsParts {
  readonly history: History;
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  readonly results: ResultsView;
  /** Runs a statement of a project, after its questions. */
  readonly running: () => Promise<{
    runAgain(profileId: string, sql: string, params: ReturnType<typeof decodeParams>): Promise<void>;
  }>;
}

export type HistoryAction = 'open' | 'run' | 'showRows' | 'compare' | 'save' | 'copy' | 'remove';

const maxTitleLength = 40;

/** The actions on an entry, in the view and in the search. */
export class HistoryActions {
  readonly #parts: HistoryActionsParts;
  /** The editors of entries. A second click shows the first editor. */
  readonly #documents = new Map<number, vscode.TextDocument>();

  constructor(parts: HistoryActionsParts) {
    this.#parts = parts;
  }

  /** `node` is that of the view. Nothing happens without one: the commands are in its menu only. */
  async ofNode(action: HistoryAction, node: unknown): Promise<void> {
    const entry = asRecord(node)?.['entry'] as HistoryEntry | undefined;
    if (entry) await this.act(action, entry);
  }

  async act(action: HistoryAction, entry: HistoryEntry): Promise<void> {
    try {
      await this.#act(action, entry);
    } catch (thrown) {
      await offerRemedy(thrown, await this.#parts.projects.find(entry.profileId));
    }
  }

  async clear(): Promise<void> {
    const question = vscode.l10n.t('Clear the history?');
    const detail = vscode.l10n.t(
      'All entries of all projects and windows are deleted from this machine, with the rows of closed results.',
    );
    const look = { shows: 'history', run: () => vscode.commands.executeCommand(`${views.history}.focus`) } as const;
    if (!(await confirm(question, detail, look, vscode.l10n.t('Clear History')))) return;
    const { history } = this.#parts;
    history.change(history.thread.call('clear', {}));
  }

  async #act(action: HistoryAction, entry: HistoryEntry): Promise<void> {
    const { history, running } = this.#parts;
    const { id, sql, params, profileId, isCut } = entry;
    switch (action) {
      case 'open':
        return this.#open(entry);
      case 'run':
        if (isCut)
          throw misuse('statement_cut', vscode.l10n.t('The history has only the beginning of this statement.'));
        return (await running()).runAgain(profileId, sql, params === undefined ? undefined : decodeParams(params, sql));
      case 'showRows':
        return void (await this.#showRows(entry));
      case 'compare':
        // The rows are a result now, which the command compares with another one.
        if (await this.#showRows(entry))
          await vscode.commands.executeCommand(commands.compareRows, { runId: entry.run });
        return undefined;
      case 'save':
        return vscode.commands.executeCommand(commands.saveQuery, { entry });
      case 'copy':
        return vscode.env.clipboard.writeText(sql);
      case 'remove':
        return history.change(history.thread.call('remove', { id }));
    }
  }

  async #open(entry: HistoryEntry): Promise<void> {
    const { projects, documents } = this.#parts;
    const { id, project, profileId, sql } = entry;
    const open = this.#documents.get(id);
    if (open && !open.isClosed) return void (await vscode.window.showTextDocument(open));
    const profile = await projects.find(profileId);
    // A line in the statement would name another project than that of the entry.
    const hasLine = projectNamesIn(sql).length > 0;
    const content = hasLine ? sql : `-- @project ${profile?.name ?? project}\n${sql}`;
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: `${content}\n` });
    if (profile) await documents.assign(document.uri, profile);
    this.#documents.set(id, document);
    await vscode.window.showTextDocument(document);
  }

  /** Shows the rows as they were. The result cannot be run again in its place. False if they are gone. */
  async #showRows(entry: HistoryEntry): Promise<boolean> {
    const { run, hasRows, at, profileId, project, sql, outcome, code, message, rowCount = 0 } = entry;
    if (run === undefined || !hasRows) {
      void showInformation(vscode.l10n.t('The rows of this entry are no longer on this machine. Run it again.'));
      return false;
    }
    const { history, projects, results } = this.#parts;
    const { protection = 'open', color, name = project } = (await projects.find(profileId)) ?? {};
    const { language } = vscode.env;
    const moment = `${formatDay(at, language)}, ${formatTime(at, language)}`;
    const error = message === undefined ? undefined : misuse(code ?? 'internal_error', message);
    await results.showKept({
      id: run,
      file: keptRowsFile(history.folder, run),
      title: vscode.l10n.t('{0} from {1}', cutText(historyLabel(entry), maxTitleLength), moment),
      startedAt: at,
      subject: { profile: { id: profileId, name, protection, color }, statement: sql },
      run: {
        state: outcome === 'unknown' ? 'failed' : outcome,
        rowCount,
        elapsedMs: entry.elapsedMs,
        changedRows: undefined,
        firstRowMs: undefined,
        writeOutcome: undefined,
        writeKey: undefined,
        keys: undefined,
        error,
      },
    });
    return true;
  }
}
