import * as vscode from 'vscode';
import { formatDuration } from '../../base/formats.ts';
import { cutText } from '../../base/oneLine.ts';
import { formatDay, formatMoment, formatTime } from '../../base/timeOfDay.ts';
import type { HistoryEntry, HistoryKind } from '../../model/history/historyEntry.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import { commands, contextValues } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { numberText, rowsText } from '../numbers.ts';
import type { HistoryNode } from './historyTree.ts';

const { None, Expanded } = vscode.TreeItemCollapsibleState;

const maxLabelLength = 200;
const maxTooltipLength = 2000;

const kindIcons: Readonly<Record<HistoryKind, string>> = {
  statement: 'play',
  script: 'run-all',
  rerun: 'debug-rerun',
  edit: 'edit',
  import: 'cloud-download',
  copy: 'copy',
  generate: 'sparkle',
  schema: 'table',
  agent: 'hubot',
};

const kindTexts = (): Readonly<Record<HistoryKind, string>> => ({
  statement: vscode.l10n.t('Statement'),
  script: vscode.l10n.t('Statement of a script'),
  rerun: vscode.l10n.t('Rerun'),
  edit: vscode.l10n.t('Saved edits'),
  import: vscode.l10n.t('Import'),
  copy: vscode.l10n.t('Copied rows'),
  generate: vscode.l10n.t('Generator'),
  schema: vscode.l10n.t('Changed schema'),
  agent: vscode.l10n.t('AI agent'),
});

/** The icon shows the outcome, or for a run that succeeded, its kind. */
export function historyIcon({ kind, outcome }: HistoryEntry): vscode.ThemeIcon {
  switch (outcome) {
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'unknown':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'cancelled':
      return new vscode.ThemeIcon('circle-slash');
    case 'done':
    case 'limited':
      return new vscode.ThemeIcon(kindIcons[kind]);
  }
}

/** The SQL on one line. An import has a comment above it that names its source. */
export function historyLabel({ sql }: HistoryEntry): string {
  const [, comment] = /^-- (.*)\n/.exec(sql) ?? [];
  return withoutIcons(comment ?? statementLabel(sql.slice(0, 10 * maxLabelLength), maxLabelLength));
}

const outcomeTexts = (): Readonly<Partial<Record<HistoryEntry['outcome'], string>>> => ({
  failed: vscode.l10n.t('failed'),
  cancelled: vscode.l10n.t('cancelled'),
  unknown: vscode.l10n.t('no answer'),
});

/** The project, and what came of the run. */
export function historyFacts(entry: HistoryEntry): string {
  const { agent, project, rowCount, changedRows, elapsedMs, outcome } = entry;
  const changed = changedRows === undefined ? undefined : vscode.l10n.t('{0} changed', numberText(changedRows));
  const rows = rowCount === undefined || rowCount === 0 ? undefined : rowsText(rowCount);
  const facts = [project, agent, outcomeTexts()[outcome], rows ?? changed];
  facts.push(formatDuration(elapsedMs, vscode.env.language));
  return withoutIcons(facts.filter(fact => fact !== undefined).join(' · '));
}

export const historyMoment = ({ at }: HistoryEntry): string => formatMoment(at, Date.now(), vscode.env.language);

export function historyItem(node: HistoryNode): vscode.TreeItem {
  switch (node.kind) {
    case 'day': {
      const item = new vscode.TreeItem(dayText(node.at), Expanded);
      item.id = new Date(node.at).toDateString();
      return item;
    }
    case 'entry':
      return entryItem(node);
    case 'showMore': {
      const item = new vscode.TreeItem(vscode.l10n.t('Show More'), None);
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = { command: commands.showMoreHistory, title: vscode.l10n.t('Show More') };
      return item;
    }
    case 'problem': {
      const item = new vscode.TreeItem(node.message, None);
      item.iconPath = new vscode.ThemeIcon('warning');
      return item;
    }
  }
}

function entryItem(node: Extract<HistoryNode, { kind: 'entry' }>): vscode.TreeItem {
  const { entry } = node;
  const item = new vscode.TreeItem(historyLabel(entry), None);
  item.id = String(entry.id);
  item.description = `${formatTime(entry.at, vscode.env.language)} · ${historyFacts(entry)}`;
  item.iconPath = historyIcon(entry);
  item.contextValue = entry.hasRows ? contextValues.historyRows : contextValues.historyEntry;
  item.tooltip = tooltipOf(entry);
  item.command = { command: commands.openHistoryEntry, title: vscode.l10n.t('Open in Editor'), arguments: [node] };
  return item;
}

function tooltipOf(entry: HistoryEntry): vscode.MarkdownString {
  const { at, kind, message, sql } = entry;
  const time = `${formatDay(at, vscode.env.language)}, ${formatTime(at, vscode.env.language, true)}`;
  const tooltip = new vscode.MarkdownString();
  for (const line of [`${kindTexts()[kind]} · ${time}`, historyFacts(entry), message])
    if (line !== undefined) tooltip.appendText(line).appendMarkdown('  \n');
  return tooltip.appendCodeblock(cutText(sql, maxTooltipLength), 'sql');
}

function dayText(at: number): string {
  const day = new Date(at).toDateString();
  const now = new Date();
  if (day === now.toDateString()) return vscode.l10n.t('Today');
  now.setDate(now.getDate() - 1);
  if (day === now.toDateString()) return vscode.l10n.t('Yesterday');
  return new Date(at).toLocaleDateString(vscode.env.language, { weekday: 'long', month: 'long', day: 'numeric' });
}
