import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { assertNever } from '../../base/assertNever.ts';
import type { CatalogColumn } from '../../model/catalog/catalog.ts';
import { protectionDescriptions, protectionLabels, protectionNote } from '../../protocol/projectFields.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import { errorMessage } from '../errorMessages.ts';
import { settings, views, commandId, contextValues } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { rowsText, numberText } from '../numbers.ts';
import { isListed } from '../connections/settingLists.ts';
import { projectIcon } from '../projectAppearance.ts';
import { type DropImports, fileDrops } from './fileDrops.ts';
import { ProjectsTree } from './projectsTree.ts';
import type { tableRowCounts } from './rowCounts.ts';
import { treeExpansion } from './treeExpansion.ts';
import {
  type FolderNode,
  folderOf,
  idOf,
  isObject,
  type MoreNode,
  parentOf,
  type TableNode,
  tablesFolderId,
  type TreeNode,
  type ColumnNode,
  type FolderContent,
  type ProblemNode,
} from './treeNodes.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

const problemNodes = () => import('./problemNodes.ts');

interface ProjectsViewParts {
  readonly projects: Projects;
  readonly catalogs: Catalogs;
  readonly memory: vscode.Memento;
  readonly imports: DropImports;
}

export class ProjectsView extends DisposableStore implements vscode.TreeDataProvider<TreeNode> {
  readonly #catalogs: Catalogs;
  readonly #tree: ProjectsTree;
  readonly #changes = this.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #expansion: ReturnType<typeof treeExpansion>;
  /** Undefined until the setting wants counts. */
  #rowCounts: ReturnType<typeof tableRowCounts> | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor({ projects, catalogs, memory, imports }: ProjectsViewParts) {
    super();
    this.#catalogs = catalogs;
    this.#expansion = treeExpansion(memory);
    this.#tree = new ProjectsTree({
      listProjects: () => projects.list(),
      catalogOf: profile => catalogs.for(profile),
      constraintsOf: async ({ profile, name }) =>
        (await import('./columnConstraints.ts')).columnConstraints(catalogs.for(profile), name),
      problemNode: async (thrown, profile) => (await problemNodes()).problemNode(thrown, profile),
      settingProblemNode: async problem => (await problemNodes()).settingProblemNode(problem),
    });
    this.#view = this.add(
      vscode.window.createTreeView(views.projects, {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: fileDrops(imports),
      }),
    );
    this.add(this.#view.onDidExpandElement(({ element }) => void this.#rememberExpansion(element, 'expanded')));
    this.add(this.#view.onDidCollapseElement(({ element }) => void this.#rememberExpansion(element, 'collapsed')));
    this.add(
      catalogs.onDidChange(profileId => {
        this.#rowCounts?.forget(profileId === undefined ? undefined : tablesFolderId(profileId));
        const project = profileId === undefined ? undefined : this.#tree.node(profileId);
        // A project that is not listed yet has nothing to refresh.
        if (project || profileId === undefined) this.#changes.fire(project);
      }),
    );
    this.add(
      onSettingChange([settings.rowCounts], () => {
        this.#rowCounts?.forget();
        this.#changes.fire(undefined);
      }),
    );
    this.add(onSettingChange([settings.agentsHidden], () => this.#changes.fire(undefined)));
  }

  get selectedTable(): TableNode | undefined {
    const [node] = this.#view.selection;
    return node?.kind === 'table' || node?.kind === 'view' ? node : undefined;
  }

  async revealProject(profile: Profile): Promise<void> {
    await this.#view.reveal({ kind: 'project', profile }, { expand: true, select: true, focus: true });
  }

  async revealTable(node: TableNode): Promise<void> {
    const folder = await this.#tree.loadPagesThrough(node);
    if (folder) this.#changes.fire(folder);
    await this.#select(node);
  }

  /** Shows the next page of a long folder. Its first node takes the place, and the focus, of "Load more". */
  async loadMore(node: MoreNode): Promise<void> {
    const { folder, firstNew } = this.#tree.loadMore(node);
    this.#changes.fire(folder);
    if (firstNew) await this.#select(firstNew);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    const children = await this.#tree.children(node);
    if (node?.kind === 'folder' && node.content === 'tables' && showsRowCounts()) void this.#countRows(node, children);
    return children;
  }

  /** VS Code needs the parents of a node to reveal it. */
  getParent(node: TreeNode): TreeNode | undefined {
    return parentOf(node);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = treeItem(node);
    if (node.kind === 'problem') return item;
    const choice = this.#expansion.choiceFor(idOf(node));
    if (choice && item.collapsibleState !== None) item.collapsibleState = choice === 'expanded' ? Expanded : Collapsed;
    const count = node.kind === 'table' ? this.#rowCounts?.countOf(idOf(folderOf(node)), node.name) : undefined;
    if (count !== undefined) item.description = rowsText(count);
    return item;
  }

  /** Fetches the definition of an object when the user points at its node. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (!isObject(node)) return item;
    try {
      const [definition] = await this.#catalogs.for(node.profile).definitions(node.kind, node.name);
      if (definition) item.tooltip = new vscode.MarkdownString().appendCodeblock(definition.sql, 'sql');
    } catch (thrown) {
      item.tooltip = errorMessage(thrown);
    }
    return item;
  }

  async #rememberExpansion(node: TreeNode, choice: 'expanded' | 'collapsed'): Promise<void> {
    if (node.kind !== 'problem') await this.#expansion.choose(idOf(node), choice);
  }

  /** Counts the rows of the tables that a folder shows, and shows them as they come. */
  async #countRows(folder: FolderNode, shown: readonly TreeNode[]): Promise<void> {
    const { tableRowCounts } = await import('./rowCounts.ts');
    const show = (id: string): void => {
      const node = this.#tree.node(id);
      if (node) this.#changes.fire(node);
    };
    this.#rowCounts ??= this.add(tableRowCounts(show, monotonicClock));
    const tables = shown.flatMap(node => (node.kind === 'table' ? [node.name] : []));
    await this.#rowCounts.request(idOf(folder), this.#catalogs.for(folder.profile), tables);
  }

  async #select(node: TreeNode): Promise<void> {
    await this.#view.reveal(node, { select: true, focus: true });
  }
}

/** Counting takes time at the service, so the user asks for it. */
const showsRowCounts = (): boolean => vscode.workspace.getConfiguration().get(settings.rowCounts, false);

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
