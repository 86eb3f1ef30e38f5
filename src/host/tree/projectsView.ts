import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { views } from '../names.ts';
import { ProjectsTree } from './projectsTree.ts';
import type { MoreNode, TableNode, TreeNode } from './treeNodes.ts';

/** The view of the projects in the side bar. */
export class ProjectsView implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #tree: ProjectsTree;
  readonly #view: vscode.TreeView<TreeNode>;

  constructor(projects: Projects, catalogs: Catalogs) {
    this.#tree = this.#owned.add(new ProjectsTree(projects, catalogs));
    this.#view = this.#owned.add(
      vscode.window.createTreeView(views.projects, { treeDataProvider: this.#tree, showCollapseAll: true }),
    );
  }

  async revealProject(profile: Profile): Promise<void> {
    await this.#view.reveal({ kind: 'project', profile }, { expand: true, select: true, focus: true });
  }

  async revealTable(node: TableNode): Promise<void> {
    await this.#tree.loadPagesThrough(node);
    await this.#select(node);
  }

  /** Shows the next page of a long folder. Its first node takes the place, and the focus, of "Load more". */
  async loadMore(node: MoreNode): Promise<void> {
    const firstNew = this.#tree.loadMore(node);
    if (firstNew) await this.#select(firstNew);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #select(node: TreeNode): Promise<void> {
    await this.#view.reveal(node, { select: true, focus: true });
  }
}
