import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { remedyCommand, remedyLabels, projectErrorMessage } from '../remedies.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { commands } from '../names.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { treeItem } from './treeItems.ts';
import {
  type FolderNode,
  folderOf,
  idOf,
  type MoreNode,
  parentOf,
  type ProblemNode,
  type TableNode,
  type TreeNode,
} from './treeNodes.ts';

/** How much of a long folder is shown at first, and added with each "Load more". */
const pageSize = 500;

/** Projects, their tables and views, and the parts of those. Nothing is asked of a service before its node is opened. */
export class ProjectsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #projects: Projects;
  readonly #catalogs: Catalogs;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<TreeNode | undefined>());
  /** The nodes that VS Code has, by their ids: it knows a node that changed only as the object it was given. */
  #nodes = new Map<string, TreeNode>();
  /** How much of a long folder is shown, where that is more than a page. */
  readonly #shown = new Map<string, number>();

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(projects: Projects, catalogs: Catalogs) {
    this.#projects = projects;
    this.#catalogs = catalogs;
    this.#owned.add(
      catalogs.onDidChange(profileId => {
        this.#changes.fire(profileId === undefined ? undefined : this.#nodes.get(profileId));
      }),
    );
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.#remembered(await this.#roots());
    try {
      return this.#remembered(await this.#childrenOf(node));
    } catch (thrown) {
      const profile = node.kind === 'problem' || node.kind === 'more' ? undefined : node.profile;
      return [problemNode(thrown, profile)];
    }
  }

  /** VS Code asks for it to reveal a node. */
  getParent(node: TreeNode): TreeNode | undefined {
    return parentOf(node);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return treeItem(node);
  }

  /** A table's DDL is asked for when somebody points at it. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'table' && node.kind !== 'view' && node.kind !== 'index' && node.kind !== 'trigger') return item;
    try {
      const [own] = await this.#catalogs.for(node.profile).definitions(node.kind, node.name);
      return Object.assign(item, { tooltip: own && new vscode.MarkdownString().appendCodeblock(own.sql, 'sql') });
    } catch (thrown) {
      return Object.assign(item, { tooltip: errorMessage(thrown) });
    }
  }

  /** Shows the next page of a long folder and gives its first node. */
  loadMore({ folder, shown }: MoreNode): TreeNode | undefined {
    this.#shown.set(idOf(folder), shown + pageSize);
    this.#changes.fire(this.#nodes.get(idOf(folder)));
    return folder.children[shown];
  }

  /** Shows as many pages of a long folder as the table or view needs to be among them. */
  async loadPagesThrough(node: TableNode): Promise<void> {
    const catalog = this.#catalogs.for(node.profile);
    const names = node.kind === 'table' ? await catalog.tables() : await catalog.views();
    const pages = Math.ceil(((names?.indexOf(node.name) ?? 0) + 1) / pageSize);
    const folder = idOf(folderOf(node));
    if (pages * pageSize <= (this.#shown.get(folder) ?? pageSize)) return;
    this.#shown.set(folder, pages * pageSize);
    const known = this.#nodes.get(folder);
    if (known) this.#changes.fire(known);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #roots(): Promise<TreeNode[]> {
    const { profiles, problems, localFault } = await this.#projects.list();
    this.#nodes = new Map();
    const nodes: TreeNode[] = profiles.map(profile => ({ kind: 'project', profile }));
    for (const problem of problems) {
      const remedy = {
        ...{ command: commands.openSettings, title: vscode.l10n.t('Open Settings') },
        arguments: [problem.scope],
      };
      nodes.push({ kind: 'problem', message: profileProblemMessage(problem), remedy });
    }
    if (localFault !== undefined) nodes.push(problemNode(localFault, undefined));
    return nodes;
  }

  async #childrenOf(node: TreeNode): Promise<TreeNode[]> {
    switch (node.kind) {
      case 'project':
        return this.#foldersOf(node.profile);
      case 'table':
      case 'view':
        return this.#partsOf(node);
      case 'folder':
        return this.#page(node);
      default:
        return [];
    }
  }

  async #foldersOf(profile: Profile): Promise<TreeNode[]> {
    const catalog = this.#catalogs.for(profile);
    const [tables, views] = await Promise.all([catalog.tables(), catalog.views()]);
    const folder = (kind: 'table' | 'view', names: readonly string[]): FolderNode => ({
      kind: 'folder',
      profile,
      content: `${kind}s`,
      owner: undefined,
      children: names.map(name => ({ kind, profile, name })),
    });
    return [folder('table', tables), ...(views ? [folder('view', views)] : [])];
  }

  async #partsOf(owner: TableNode): Promise<TreeNode[]> {
    const { profile, kind, name: table } = owner;
    const catalog = this.#catalogs.for(profile);
    const [columns, indexes, triggers] = await Promise.all([
      catalog.columns(table),
      kind === 'table' ? catalog.indexes(table) : undefined,
      catalog.triggers(table),
    ]);
    const folder = { kind: 'folder', profile, owner } as const;
    const parts: FolderNode[] = [
      {
        ...folder,
        content: 'columns',
        children: columns.map(column => ({ kind: 'column', profile, owner, name: column.name, column })),
      },
    ];
    if (indexes) {
      const children = indexes.map(index => ({ kind: 'index', profile, owner, name: index.name, index }) as const);
      parts.push({ ...folder, content: 'indexes', children });
    }
    if (triggers) {
      const children = triggers.map(name => ({ kind: 'trigger', profile, owner, name }) as const);
      parts.push({ ...folder, content: 'triggers', children });
    }
    return parts;
  }

  #page(folder: FolderNode): TreeNode[] {
    const shown = this.#shown.get(idOf(folder)) ?? pageSize;
    if (folder.children.length <= shown) return [...folder.children];
    return [...folder.children.slice(0, shown), { kind: 'more', folder, shown }];
  }

  #remembered(nodes: TreeNode[]): TreeNode[] {
    for (const node of nodes) if (node.kind !== 'problem') this.#nodes.set(idOf(node), node);
    return nodes;
  }
}

function problemNode(thrown: unknown, profile: Profile | undefined): ProblemNode {
  const again = { command: commands.refresh, title: remedyLabels().tryAgain };
  if (!profile) return { kind: 'problem', message: errorMessage(thrown), remedy: again };
  const node: TreeNode = { kind: 'project', profile };
  const remedy = remedyCommand(thrown, profile) ?? { ...again, arguments: [node] };
  return { kind: 'problem', message: projectErrorMessage(thrown, profile), remedy };
}
