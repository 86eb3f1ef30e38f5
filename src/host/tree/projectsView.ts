import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { errorMessage } from '../errorMessages.ts';
import { settings, views } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { rowsText } from '../numbers.ts';
import { type DropImports, fileDrops } from './fileDrops.ts';
import { ProjectsTree } from './projectsTree.ts';
import type { RowCounts } from './rowCounts.ts';
import { TreeExpansion } from './treeExpansion.ts';
import { treeItem } from './treeItems.ts';
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
  readonly #expansion: TreeExpansion;
  /** Undefined until the setting wants counts. */
  #rowCounts: RowCounts | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor({ projects, catalogs, memory, imports }: ProjectsViewParts) {
    super();
    this.#catalogs = catalogs;
    this.#expansion = new TreeExpansion(memory);
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
    const { RowCounts } = await import('./rowCounts.ts');
    this.#rowCounts ??= this.add(
      new RowCounts({
        clock: monotonicClock,
        show: id => {
          const node = this.#tree.node(id);
          if (node) this.#changes.fire(node);
        },
      }),
    );
    const tables = shown.flatMap(node => (node.kind === 'table' ? [node.name] : []));
    await this.#rowCounts.request(idOf(folder), this.#catalogs.for(folder.profile), tables);
  }

  async #select(node: TreeNode): Promise<void> {
    await this.#view.reveal(node, { select: true, focus: true });
  }
}

/** Counting takes time at the service, so the user asks for it. */
const showsRowCounts = (): boolean => vscode.workspace.getConfiguration().get(settings.rowCounts, false);
