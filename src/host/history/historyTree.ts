import { unwatchFile, watchFile } from 'node:fs';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import { formatDuration } from '../../base/formats.ts';
import { cutText } from '../../base/oneLine.ts';
import { formatMoment, formatTime } from '../../base/timeOfDay.ts';
import type { HistoryEntry } from '../../model/history/historyEntry.ts';
import { historyFile } from '../../model/history/historyFiles.ts';
import type { HistoryFilter } from '../../model/history/historyStore.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import { errorMessage } from '../errorMessages.ts';
import type { LazyTree, ViewOfTree } from '../lazyView.ts';
import { commandId, contextValues } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { numberText, rowsText } from '../numbers.ts';
import type { History } from './history.ts';

const pageLength = 100;
/** A script may add many entries at once, and a user may type fast. */
const refreshDelayMs = 100;
/** Look for entries of other windows this often. */
const pollMs = 2000;

/** The entries by day, the newest first, page by page. */
export class HistoryTree extends DisposableStore implements LazyTree<HistoryNode> {
  readonly #history: History;
  readonly #view: ViewOfTree;
  readonly #changes: Debouncer;
  #filter: HistoryFilter = {};
  #shownCount = pageLength;

  constructor(history: History, view: ViewOfTree) {
    super();
    this.#history = history;
    this.#view = view;
    this.#changes = this.add(new Debouncer({ run: () => view.refresh(), delayMs: refreshDelayMs }));
    const onChange = (): void => this.#changes.schedule();
    this.add(history.onDidChange(onChange));
    // All windows write to this file.
    const file = `${historyFile(history.folder)}-wal`;
    watchFile(file, { interval: pollMs, persistent: false }, onChange);
    this.add(toDisposable(() => unwatchFile(file, onChange)));
  }

  async children(parent?: HistoryNode): Promise<HistoryNode[]> {
    if (parent) return (parent.entries ?? []).map(entryNode);
    try {
      const entries = await this.#history.call('page', { count: this.#shownCount + 1, filter: this.#filter });
      const days = Map.groupBy(entries.slice(0, this.#shownCount), ({ at }) => new Date(at).toDateString());
      const nodes = [...days].map(([day, list]) => dayNode(day, list));
      return entries.length > this.#shownCount ? [...nodes, moreNode()] : nodes;
    } catch (thrown) {
      return [{ label: errorMessage(thrown), iconPath: new vscode.ThemeIcon('warning') }];
    }
  }

  /** Shows only these entries, and says so in the title. */
  show(filter: HistoryFilter, description: string): void {
    this.#filter = filter;
    this.#shownCount = pageLength;
    this.#view.description = description;
    this.#changes.schedule();
  }

  showMore(): void {
    this.#shownCount += pageLength;
    this.#view.refresh();
  }
}

function moreNode(): HistoryNode {
  const label = vscode.l10n.t('Show More');
  return {
    label,
    iconPath: new vscode.ThemeIcon('ellipsis'),
    command: { command: commandId('showMoreHistory'), title: label },
  };
}

const maxLabelLength = 200;
const maxTooltipLength = 2000;

interface EntryText {
  readonly icon: string;
  readonly color?: string;
  readonly text: string;
}

const kindTexts = (): Readonly<Record<HistoryEntry['kind'], EntryText>> => ({
  statement: { icon: 'play', text: vscode.l10n.t('Statement') },
  script: { icon: 'run-all', text: vscode.l10n.t('Statement of a script') },
  rerun: { icon: 'debug-rerun', text: vscode.l10n.t('Rerun') },
  edit: { icon: 'edit', text: vscode.l10n.t('Saved edits') },
  import: { icon: 'cloud-download', text: vscode.l10n.t('Import') },
  copy: { icon: 'copy', text: vscode.l10n.t('Copied rows') },
  generate: { icon: 'sparkle', text: vscode.l10n.t('Generator') },
  schema: { icon: 'table', text: vscode.l10n.t('Changed schema') },
  agent: { icon: 'hubot', text: vscode.l10n.t('AI agent') },
});

const outcomeTexts = (): Readonly<Partial<Record<HistoryEntry['outcome'], EntryText>>> => ({
  failed: { icon: 'error', color: 'list.errorForeground', text: vscode.l10n.t('failed') },
  unknown: { icon: 'warning', color: 'list.warningForeground', text: vscode.l10n.t('no answer') },
  cancelled: { icon: 'circle-slash', text: vscode.l10n.t('cancelled') },
});

/** The SQL on one line. An import has a comment above it that names its source. */
export function entryLabel({ sql }: HistoryEntry): string {
  const [, comment] = /^-- (.*)\n/.exec(sql) ?? [];
  return withoutIcons(comment ?? statementLabel(sql.slice(0, 10 * maxLabelLength), maxLabelLength));
}

/** A day has entries below it. */
export interface HistoryNode extends vscode.TreeItem {
  readonly entries?: readonly HistoryEntry[];
  readonly entry?: HistoryEntry;
}

const dayNode = (day: string, entries: readonly HistoryEntry[]): HistoryNode => ({
  id: day,
  label: dayText(new Date(day)),
  collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
  entries,
});

function dayText(day: Date): string {
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - day.getTime()) / (24 * 60 * 60 * 1000));
  if (daysAgo === 0) return vscode.l10n.t('Today');
  if (daysAgo === 1) return vscode.l10n.t('Yesterday');
  return day.toLocaleDateString(vscode.env.language, { weekday: 'long', month: 'long', day: 'numeric' });
}

/** An entry shows its SQL, and what came of it. The icon is that of the outcome, or else of the kind. */
function entryNode(entry: HistoryEntry): HistoryNode {
  const { id, at, kind, outcome, agent, project, rowCount, changedRows, elapsedMs, run } = entry;
  const { language } = vscode.env;
  const ending = outcomeTexts()[outcome];
  const { icon, color } = ending ?? kindTexts()[kind];
  const changed = changedRows === undefined ? undefined : vscode.l10n.t('{0} changed', numberText(changedRows));
  const rows = rowCount ? rowsText(rowCount) : changed;
  const facts = [formatTime(at, language), project, agent, ending?.text, rows, formatDuration(elapsedMs, language)];
  return {
    id: String(id),
    label: entryLabel(entry),
    description: withoutIcons(facts.filter(fact => fact !== undefined).join(' · ')),
    iconPath: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)),
    contextValue: run === undefined ? contextValues.historyEntry : contextValues.historyRows,
    tooltip: tooltipOf(entry),
    command: { command: commandId('openHistoryEntry'), title: vscode.l10n.t('Open in Editor'), arguments: [{ entry }] },
    entry,
  };
}

function tooltipOf({ at, kind, message, sql }: HistoryEntry): vscode.MarkdownString {
  const time = formatMoment(at, 0, vscode.env.language, true);
  const tooltip = new vscode.MarkdownString().appendText(`${kindTexts()[kind].text} · ${time}`);
  if (message !== undefined) tooltip.appendMarkdown('  \n').appendText(message);
  return tooltip.appendCodeblock(cutText(sql, maxTooltipLength), 'sql');
}
