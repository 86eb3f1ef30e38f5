import * as vscode from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { cutText } from '../../base/oneLine.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import { type HistoryEntry, isCut } from '../../model/history/historyEntry.ts';
import { keptRowsFile } from '../../model/history/historyFiles.ts';
import type { Profile } from '../../model/profiles.ts';
import { queryText, type UnsavedQuery } from '../../model/queries/queryFiles.ts';
import type { HistoryFilter } from '../../model/history/historyStore.ts';
import { StatementRun } from '../../model/results/statementRun.ts';
import type { Column } from '../../wire/values.ts';
import type { WindowParts } from '../composition.ts';
import { commandId, views } from '../names.ts';
import { confirm } from '../questions.ts';
import { offerRemedy } from '../remedies.ts';
import { decodeParams, lostRecord } from '../results/resultRecord.ts';
import { withoutIcons, showInformation } from '../notifications.ts';
import type { Result } from '../results/result.ts';
import { entryLabel } from './historyTree.ts';

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

  /** The view shows what is found while the user types, and until the next search. */
  async search(): Promise<void> {
    const tree = await this.#parts.historyTree();
    const { profiles } = await this.#parts.projects.list();
    await focusView();
    const input = vscode.window.createInputBox();
    let filters: readonly FilterItem[] = [];
    let isFiltering = false;
    input.title = vscode.l10n.t('Search History');
    input.placeholder = vscode.l10n.t('Words of the SQL or the error. Without words, the view shows all entries.');
    input.buttons = [{ iconPath: new vscode.ThemeIcon('filter'), tooltip: vscode.l10n.t('Filter…') }];
    const search = (): void => {
      const words = [input.value, ...filters.map(({ label }) => label)].filter(word => word !== '');
      tree.show({ ...joinFilters(filters), text: input.value }, words.join(', '));
    };
    input.onDidChangeValue(search);
    input.onDidTriggerButton(async () => {
      isFiltering = true;
      filters = (await promptForFilters(profiles, filters)) ?? filters;
      isFiltering = false;
      search();
      input.show();
    });
    input.onDidAccept(() => focusView());
    input.onDidHide(() => {
      // The list of filters hides the field for a while.
      if (!isFiltering) input.dispose();
    });
    search();
    input.show();
  }

  /** Shows how often and how long the statements of a project ran, as a result. A row leads to the plan of its statement. */
  async showInsights(profile: Profile, inPlaceOf?: Result): Promise<void> {
    const { results, running } = this.#parts;
    const history = await this.#parts.history();
    const insights = await history.call('insights', { profileId: profile.id, count: maxInsights });
    if (insights.length === 0) {
      void showInformation(vscode.l10n.t("The history has no statements of '{0}'.", profile.name));
      return;
    }
    const columns: readonly Column[] = [
      vscode.l10n.t('Statement'),
      vscode.l10n.t('Runs'),
      vscode.l10n.t('Total (ms)'),
      vscode.l10n.t('Mean (ms)'),
      vscode.l10n.t('Slowest (ms)'),
      vscode.l10n.t('Rows'),
    ].map((name, nth) => ({ name, type: '', key: `c${nth}` }));
    const rows = insights.map(({ statement, runs, totalMs, slowestMs, rows: rowCount }) =>
      JSON.stringify({
        c0: statement,
        c1: runs,
        c2: rounded(totalMs),
        c3: rounded(totalMs / runs),
        c4: rounded(slowestMs),
        c5: rowCount,
      }),
    );
    const run = new StatementRun({
      ...(await results.runParts()),
      send: async () => ({
        columns,
        rawBatches: async function* () {
          yield { bytes: Buffer.from(rows.join(',')), rowCount: rows.length };
        },
      }),
    });
    const title = vscode.l10n.t('Statement Insights');
    const subject = {
      profile,
      statement: title,
      title,
      link: { column: 0, leadsTo: 'plan' } as const,
      follow: async (row: number) => {
        const insight = insights[run.queries.sourceRow?.(row) ?? row];
        if (!insight) return;
        if (isCut(insight)) throw misuse('statement_cut', cutNote());
        await (await running()).explainSql(profile.id, insight.sql);
      },
      rerun: (from: Result) => this.showInsights(profile, from),
    };
    await results.show(run, subject, { inPlaceOf });
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

interface FilterItem extends vscode.QuickPickItem {
  readonly filter: HistoryFilter;
}

const focusView = (): Thenable<unknown> => vscode.commands.executeCommand(`${views.history}.focus`);

/** Undefined if the user changes nothing. */
async function promptForFilters(
  profiles: readonly Profile[],
  before: readonly FilterItem[],
): Promise<readonly FilterItem[] | undefined> {
  const item = (label: string, filter: HistoryFilter): FilterItem => ({
    label,
    filter,
    picked: before.some(other => other.label === label),
  });
  const items: FilterItem[] = [
    item(vscode.l10n.t('failed'), { isFailed: true }),
    item(vscode.l10n.t('writes'), { isWrite: true }),
    item(vscode.l10n.t('agents'), { isAgent: true }),
    { label: vscode.l10n.t('Projects'), kind: vscode.QuickPickItemKind.Separator, filter: {} },
    ...profiles.map(({ id, name }) => item(withoutIcons(name), { profileIds: [id] })),
  ];
  return vscode.window.showQuickPick(items, { title: vscode.l10n.t('Show Only'), canPickMany: true });
}

/** An entry is of one of the projects, and passes all other filters. */
function joinFilters(items: readonly FilterItem[]): HistoryFilter {
  const profileIds = items.flatMap(({ filter }) => filter.profileIds ?? []);
  const joined: HistoryFilter = {};
  for (const { filter } of items) Object.assign(joined, filter);
  return profileIds.length === 0 ? joined : { ...joined, profileIds };
}

/** Nobody looks through more. They are those that took most of the time. */
const maxInsights = 1000;

const cutNote = (): string => vscode.l10n.t('The history has only the beginning of this statement.');

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
