import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { CatalogColumn } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { isListed } from '../connections/projectLists.ts';
import { commandId, contextValues, settings } from '../names.ts';
import { projectIcon } from '../projectAppearance.ts';
import {
  type ColumnNode,
  type FolderContent,
  type FolderNode,
  idOf,
  type ProblemNode,
  type TreeNode,
} from './treeNodes.ts';
import { protectionDescriptions, protectionLabels, protectionNote } from '../../protocol/projectFields.ts';
import { numberText } from '../numbers.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function treeItem(node: TreeNode): vscode.TreeItem {
  if (node.kind === 'problem') return problemItem(node);
  const item = itemOf(node);
  item.id = idOf(node);
  return item;
}

function itemOf(node: Exclude<TreeNode, ProblemNode>): vscode.TreeItem {
  switch (node.kind) {
    case 'project':
      return projectItem(node.profile);
    case 'folder':
      return folderItem(node);
    case 'table':
    case 'view': {
      const item = make(node.name, Collapsed, node.kind === 'table' ? 'table' : 'eye', contextValues[node.kind]);
      item.command = { command: commandId('previewTable'), title: vscode.l10n.t('Browse Table'), arguments: [node] };
      return item;
    }
    case 'column':
      return columnItem(node);
    case 'index': {
      const { name, columns, unique, automatic } = node.index;
      const item = make(name, None, 'list-ordered');
      const parts = columns.map(column => column ?? vscode.l10n.t('expression')).join(', ');
      item.description = [unique ? vscode.l10n.t('unique') : '', parts].filter(part => part !== '').join(' · ');
      // An index that SQLite made itself has no definition and cannot be dropped.
      if (!automatic) item.contextValue = contextValues.index;
      return item;
    }
    case 'trigger':
      return make(node.name, None, 'zap', contextValues.trigger);
    case 'more': {
      const remainingCount = node.folder.children.length - node.shownCount;
      const item = make(vscode.l10n.t('Load More ({0})', numberText(remainingCount)), None, 'ellipsis');
      item.command = { command: commandId('loadMore'), title: vscode.l10n.t('Load More'), arguments: [node] };
      return item;
    }
    default:
      return assertNever(node);
  }
}

function projectItem(profile: Profile): vscode.TreeItem {
  const { name, baseUrl, protection, source } = profile;
  const item = new vscode.TreeItem(name, Collapsed);
  item.iconPath = projectIcon(profile);
  const hiddenNote = isListed(settings.agentsHidden, profile) ? vscode.l10n.t('hidden from AI agents') : '';
  // The host comes last: a narrow view cuts off the end.
  const notes = [protectionNote(protection), hiddenNote, new URL(baseUrl).host];
  item.description = notes.filter(part => part !== '').join(' · ');
  item.tooltip = projectTooltip(profile, hiddenNote === '' ? [] : [hiddenText()]);
  item.contextValue = source === 'local' ? contextValues.localProject : contextValues.project;
  return item;
}

const hiddenText = (): string =>
  vscode.l10n.t(
    'Hidden from AI agents: for them, the project does not exist. Toggle AI Agent Access shows it to them.',
  );

function projectTooltip(
  { name, baseUrl, projectId, protection }: Profile,
  notes: readonly string[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('**').appendText(name).appendMarkdown('**');
  const rule = vscode.l10n.t('{0}: {1}', protectionLabels()[protection], protectionDescriptions()[protection]);
  for (const line of [baseUrl, projectId, rule, ...notes]) tooltip.appendMarkdown('\n- ').appendText(line);
  return tooltip;
}

function make(label: string, state: vscode.TreeItemCollapsibleState, icon: string, context?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  if (context !== undefined) item.contextValue = context;
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function problemItem({ label, message, remedy }: ProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  const hint = vscode.l10n.t('Click or press Enter: {0}.', remedy.title);
  item.tooltip = `${message}\n${hint}`;
  item.accessibilityInformation = { label: `${message} ${hint}` };
  item.command = remedy;
  return item;
}

function folderItem({ content, children }: FolderNode): vscode.TreeItem {
  const isOpen = children.length > 0 && (content === 'tables' || content === 'columns');
  const state = isOpen ? Expanded : children.length > 0 ? Collapsed : None;
  const { icon, label } = folders[content];
  const item = make(label(), state, icon, contextValues.folder);
  item.description = numberText(children.length);
  return item;
}

const folders: Readonly<Record<FolderContent, { readonly icon: string; readonly label: () => string }>> = {
  tables: { icon: 'table', label: () => vscode.l10n.t('Tables') },
  views: { icon: 'eye', label: () => vscode.l10n.t('Views') },
  columns: { icon: 'symbol-field', label: () => vscode.l10n.t('Columns') },
  indexes: { icon: 'list-ordered', label: () => vscode.l10n.t('Indexes') },
  triggers: { icon: 'zap', label: () => vscode.l10n.t('Triggers') },
};

function columnItem({ column, constraints }: ColumnNode): vscode.TreeItem {
  const { name, type, primaryKey, notNull, defaultValue, generated, references } = column;
  const icon = primaryKey > 0 ? 'key' : references ? 'references' : 'symbol-field';
  const item = make(name, None, icon, contextValues.column);
  const facts = [
    type,
    primaryKey > 0 ? vscode.l10n.t('PK') : '',
    notNull ? 'NOT NULL' : '',
    defaultValue === null ? '' : `DEFAULT ${defaultValue}`,
    generated ? vscode.l10n.t('generated') : '',
    ...constraints,
    references ? `→ ${targetOf(references)}` : '',
  ].filter(fact => fact !== '');
  item.description = facts.join(' · ');
  item.tooltip = columnTooltip(column, constraints);
  return item;
}

const targetOf = ({ table, column }: NonNullable<CatalogColumn['references']>): string =>
  column === undefined ? table : `${table}.${column}`;

function columnTooltip(
  { name, type, primaryKey, notNull, defaultValue, generated, references }: CatalogColumn,
  constraints: readonly string[],
): vscode.MarkdownString {
  const lines = [
    primaryKey > 0 ? vscode.l10n.t('Part {0} of the primary key', primaryKey) : '',
    notNull ? vscode.l10n.t('Not NULL') : vscode.l10n.t('Nullable'),
    generated ? vscode.l10n.t('Generated column') : '',
    ...constraints,
    references ? vscode.l10n.t('References {0}', targetOf(references)) : '',
  ].filter(line => line !== '');
  const tooltip = new vscode.MarkdownString();
  tooltip.appendCodeblock(`${name} ${type}${defaultValue === null ? '' : ` DEFAULT ${defaultValue}`}`, 'sql');
  for (const line of lines) tooltip.appendMarkdown('\n- ').appendText(line);
  return tooltip;
}
