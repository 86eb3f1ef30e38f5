import * as vscode from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { cutText } from '../../base/oneLine.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import { type HistoryEntry, isCut } from '../../model/history/historyEntry.ts';
import { keptRowsFile } from '../../model/history/historyFiles.ts';
import type { Profile } from '../../model/profiles.ts';
import { queryText, type UnsavedQuery } from '../../model/queries/queryFiles.ts';
import type { WindowParts } from '../composition.ts';
import { commandId, views } from '../names.ts';
import { confirm } from '../questions.ts';
import { offerRemedy } from '../remedies.ts';
import { decodeParams, lostRecord } from '../results/resultRecord.ts';
import { entryLabel } from './historyTree.ts';
import { searchHistory } from './searchHistory.ts';
import { cutNote, showInsights } from './statementInsights.ts';

type HistoryActionsParts = Pick<
  WindowParts,
  'history' | 'historyTree' | 'projects' | 'documents' | 'results' | 'running'
>;

type EntryAction = 'open' | 'run' | 'showRows' | 'compare' | 'save' | 'copy' | 'remove';

const maxTitleLength = 40;

/** The commands of the history. */
export class HistoryActions {
  readonly #parts: HistoryActionsParts;
  /** The editors of entries. A second click shows the first editor. */
  readonly #documents = new Map<number, vscode.TextDocument>();

  constructor(parts: HistoryActionsParts) {
    this.#parts = parts;
  }

  /** `node` is that of the view. Nothing happens without one: the commands are in its menu only. */
  async act(action: EntryAction, node: unknown): Promise<void> {
    const entry = asRecord(node)?.['entry'] as HistoryEntry | undefined;
    if (!entry) return;
    try {
      await this[action](entry);
    } catch (thrown) {
      await offerRemedy(thrown, await this.#parts.projects.find(entry.profileId));
    }
  }

  async search(): Promise<void> {
    const { projects, historyTree } = this.#parts;
    const { profiles } = await projects.list();
    await searchHistory(await historyTree(), profiles);
  }

  showInsights(profile: Profile): Promise<void> {
    return showInsights(this.#parts, profile);
  }

  async clear(): Promise<void> {
    const question = vscode.l10n.t('Clear the history?');
    const detail = vscode.l10n.t(
      'All entries of all projects and windows are deleted from this machine, with the rows of closed results.',
    );
    const look = { shows: 'history', run: () => vscode.commands.executeCommand(`${views.history}.focus`) } as const;
    if (!(await confirm(question, detail, look, vscode.l10n.t('Clear History')))) return;
    (await this.#parts.history()).change('clear', undefined);
  }

  async open({ id, project, profileId, sql }: HistoryEntry): Promise<void> {
    const { projects, documents } = this.#parts;
    const open = this.#documents.get(id);
    if (open && !open.isClosed) return void (await vscode.window.showTextDocument(open));
    const profile = await projects.find(profileId);
    const content = queryText(sql, profile?.name ?? project);
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
    if (profile) await documents.assign(document.uri, profile);
    this.#documents.set(id, document);
    await vscode.window.showTextDocument(document);
  }

  async run(entry: HistoryEntry): Promise<void> {
    const { profileId, sql, params } = entry;
    if (isCut(entry)) throw misuse('statement_cut', cutNote());
    const running = await this.#parts.running();
    await running.runAgain(profileId, sql, params === undefined ? undefined : decodeParams(params, sql));
  }

  /** The rows are a result now, which the command compares with another one. */
  async compare(entry: HistoryEntry): Promise<void> {
    await this.showRows(entry);
    await vscode.commands.executeCommand(commandId('compareRows'), { runId: entry.run });
  }

  /** Shows the rows as they were. The result cannot be run again in its place. */
  async showRows(entry: HistoryEntry): Promise<void> {
    const { run, at, profileId, project, sql, outcome, message, rowCount = 0, elapsedMs } = entry;
    if (run === undefined) {
      const text = vscode.l10n.t('The rows of this entry are no longer on this machine. Run it again.');
      throw misuse('history_rows_gone', text);
    }
    const { projects, results } = this.#parts;
    const history = await this.#parts.history();
    const { protection = 'open', color, name = project } = (await projects.find(profileId)) ?? {};
    const moment = formatMoment(at, 0, vscode.env.language);
    const title = vscode.l10n.t('{0} from {1}', cutText(entryLabel(entry), maxTitleLength), moment);
    const record = lostRecord(run, title);
    const panel = await results.panel();
    await panel.results.showKept({
      ...record,
      historyFile: keptRowsFile(history.folder, run),
      startedAt: at,
      subject: { profile: { id: profileId, name, protection, color }, statement: sql },
      run: {
        ...record.run,
        state: outcome === 'unknown' ? 'failed' : outcome,
        rowCount,
        elapsedMs,
        error: message === undefined ? undefined : misuse('internal_error', message),
      },
    });
  }

  async save(entry: HistoryEntry): Promise<void> {
    const { sql, profileId: id, project: name } = entry;
    const note = isCut(entry) ? `-- ${cutNote()}\n` : '';
    const query: UnsavedQuery = { sql: note + sql, project: { id, name } };
    await vscode.commands.executeCommand(commandId('saveQuery'), query);
  }

  async copy({ sql }: HistoryEntry): Promise<void> {
    await vscode.env.clipboard.writeText(sql);
  }

  async remove({ id }: HistoryEntry): Promise<void> {
    (await this.#parts.history()).change('remove', id);
  }
}
