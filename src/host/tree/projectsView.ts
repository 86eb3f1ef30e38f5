import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile, ProfileProblem } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { commands, views } from '../names.ts';
import { projectErrorMessage, remedyCommand, remedyLabels } from '../remedies.ts';
import { ProjectsTree } from './projectsTree.ts';
import { treeItem } from './treeItems.ts';
import { isObject, type MoreNode, parentOf, type ProblemNode, type TableNode, type TreeNode } from './treeNodes.ts';

/** The view of the projects in the side bar. */
export class ProjectsView implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #catalogs: Catalogs;
  readonly #tree: ProjectsTree;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly #view: vscode.TreeView<TreeNode>;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(projects: Projects, catalogs: Catalogs) {
    this.#catalogs = catalogs;
    this.#tree = new ProjectsTree({
      listProjects: () => projects.list(),
      catalogOf: profile => catalogs.for(profile),
      problemNode,
      settingProblemNode,
    });
    this.#view = this.#owned.add(
      vscode.window.createTreeView(views.projects, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#owned.add(catalogs.onDidChange(profileId => this.#refreshProject(profileId)));
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

  getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return this.#tree.children(node);
  }

  /** VS Code needs the parents of a node to reveal it. */
  getParent(node: TreeNode): TreeNode | undefined {
    return parentOf(node);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return treeItem(node);
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

  dispose(): void {
    this.#owned.dispose();
  }

  /** Refreshes a project, or the whole view without one. A project that is not listed yet has nothing to refresh. */
  #refreshProject(profileId: string | undefined): void {
    const node = profileId === undefined ? undefined : this.#tree.projectNode(profileId);
    if (node || profileId === undefined) this.#changes.fire(node);
  }

  async #select(node: TreeNode): Promise<void> {
    await this.#view.reveal(node, { select: true, focus: true });
  }
}

function settingProblemNode(problem: ProfileProblem): ProblemNode {
  return {
    kind: 'problem',
    message: profileProblemMessage(problem),
    remedy: {
      command: commands.openSettings,
      title: vscode.l10n.t('Open Settings'),
      arguments: [problem.scope],
    },
  };
}

function problemNode(thrown: unknown, profile: Profile | undefined): ProblemNode {
  const refresh = { command: commands.refresh, title: remedyLabels().tryAgain };
  if (!profile) return { kind: 'problem', message: errorMessage(thrown), remedy: refresh };
  const projectNode: TreeNode = { kind: 'project', profile };
  return {
    kind: 'problem',
    message: projectErrorMessage(thrown, profile),
    remedy: remedyCommand(thrown, profile) ?? { ...refresh, arguments: [projectNode] },
  };
}
