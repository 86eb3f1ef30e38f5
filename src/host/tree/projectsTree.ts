import type { Catalog } from '../../model/catalog/catalog.ts';
import type { Profile, ProfileProblem } from '../../model/profiles.ts';
import type { ListedProjects } from '../connections/projects.ts';
import {
  type FolderNode,
  folderOf,
  idOf,
  type MoreNode,
  type ProblemNode,
  profileOf,
  type TableNode,
  type TreeNode,
} from './treeNodes.ts';

/** The length of a page of a long folder. */
export const pageSize = 500;

export interface TreeSources {
  readonly listProjects: () => Promise<ListedProjects>;
  readonly catalogOf: (profile: Profile) => Pick<Catalog, 'tables' | 'views' | 'columns' | 'indexes' | 'triggers'>;
  /** The constraints of a table, by the names of its columns. */
  readonly constraintsOf: (table: TableNode) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly problemNode: (thrown: unknown, profile: Profile | undefined) => Promise<ProblemNode>;
  readonly settingProblemNode: (problem: ProfileProblem) => Promise<ProblemNode>;
}

/** Projects, their tables and views, and the parts of those. No service is called before its node is expanded. */
export class ProjectsTree {
  readonly #sources: TreeSources;
  /** The latest listing of each parent by its id. An earlier listing that arrives later is dropped. */
  readonly #listings = new Map<string, Promise<readonly TreeNode[]>>();
  /** The nodes that VS Code has, by their ids. VS Code refreshes a node only by the object that it got. */
  readonly #nodes = new Map<string, TreeNode>();
  /** How many children of a long folder are shown, if more than a page. */
  readonly #shownCounts = new Map<string, number>();

  constructor(sources: TreeSources) {
    this.#sources = sources;
  }

  /** Lists the children of a node, or the projects. */
  async children(parent?: TreeNode): Promise<TreeNode[]> {
    if (parent?.kind === 'problem') return [];
    const parentId = parent ? idOf(parent) : '';
    const listing = parent ? this.#childrenOf(parent) : this.#roots();
    this.#listings.set(parentId, listing);
    const nodes = await this.#latest(parentId, listing);
    if (!parent) this.#forgetAllBut(nodes);
    for (const node of nodes) if (node.kind !== 'problem') this.#nodes.set(idOf(node), node);
    return [...nodes];
  }

  /** The node with an id that is listed; undefined before. The id of a project's node is that of its profile. */
  node(id: string): TreeNode | undefined {
    return this.#nodes.get(id);
  }

  /** Adds a page to a long folder. Gives the folder to refresh, and the first node of the page. */
  loadMore({ folder, shownCount }: MoreNode): { readonly folder: TreeNode; readonly firstNew: TreeNode | undefined } {
    this.#shownCounts.set(idOf(folder), shownCount + pageSize);
    return {
      folder: this.#nodes.get(idOf(folder)) ?? folder,
      firstNew: folder.children[shownCount],
    };
  }

  /** Adds as many pages as a table or view needs to be shown. Gives the folder to refresh; undefined if none is. */
  async loadPagesThrough(node: TableNode): Promise<TreeNode | undefined> {
    const catalog = this.#sources.catalogOf(node.profile);
    const names = node.kind === 'table' ? await catalog.tables() : await catalog.views();
    const position = names?.indexOf(node.name) ?? 0;
    const neededCount = Math.ceil((position + 1) / pageSize) * pageSize;
    const folderId = idOf(folderOf(node));
    if (neededCount <= this.#shownCount(folderId)) return undefined;
    this.#shownCounts.set(folderId, neededCount);
    return this.#nodes.get(folderId);
  }

  /** Waits for a listing, and for each later listing of the same parent. */
  async #latest(parentId: string, listing: Promise<readonly TreeNode[]>): Promise<readonly TreeNode[]> {
    const nodes = await listing;
    const latest = this.#listings.get(parentId);
    return !latest || latest === listing ? nodes : this.#latest(parentId, latest);
  }

  #shownCount(folderId: string): number {
    return this.#shownCounts.get(folderId) ?? pageSize;
  }

  /** Drops the nodes of projects that are no longer listed. */
  #forgetAllBut(roots: readonly TreeNode[]): void {
    const listedIds = new Set(roots.map(node => profileOf(node)?.id));
    for (const [id, node] of this.#nodes) {
      if (listedIds.has(profileOf(node)?.id)) continue;
      this.#nodes.delete(id);
      this.#listings.delete(id);
    }
  }

  async #roots(): Promise<TreeNode[]> {
    const { profiles, problems, localFault } = await this.#sources.listProjects();
    const nodes: TreeNode[] = profiles.map(profile => ({ kind: 'project', profile }));
    nodes.push(...(await Promise.all(problems.map(problem => this.#sources.settingProblemNode(problem)))));
    if (localFault !== undefined) nodes.push(await this.#sources.problemNode(localFault, undefined));
    return nodes;
  }

  async #childrenOf(node: Exclude<TreeNode, ProblemNode>): Promise<readonly TreeNode[]> {
    try {
      switch (node.kind) {
        case 'project':
          return await this.#foldersOf(node.profile);
        case 'table':
        case 'view':
          return await this.#partsOf(node);
        case 'folder':
          return this.#shownChildren(node);
        default:
          return [];
      }
    } catch (thrown) {
      return [await this.#sources.problemNode(thrown, profileOf(node))];
    }
  }

  async #foldersOf(profile: Profile): Promise<FolderNode[]> {
    const catalog = this.#sources.catalogOf(profile);
    const [tables, views] = await Promise.all([catalog.tables(), catalog.views()]);
    const nodes = (kind: 'table' | 'view', names: readonly string[]): TableNode[] =>
      names.map(name => ({ kind, profile, name }));
    const folders = [folderNode(profile, 'tables', nodes('table', tables))];
    if (views) folders.push(folderNode(profile, 'views', nodes('view', views)));
    return folders;
  }

  async #partsOf(owner: TableNode): Promise<FolderNode[]> {
    const { profile, kind, name: table } = owner;
    const catalog = this.#sources.catalogOf(profile);
    const [columns, indexes, triggers, constraints] = await Promise.all([
      catalog.columns(table),
      kind === 'table' ? catalog.indexes(table) : undefined,
      catalog.triggers(table),
      kind === 'table' ? this.#sources.constraintsOf(owner) : undefined,
    ]);
    const columnNodes = columns.map(column => {
      const { name } = column;
      return { kind: 'column', profile, owner, name, column, constraints: constraints?.get(name) ?? [] } as const;
    });
    const parts = [folderNode(profile, 'columns', columnNodes, owner)];
    if (indexes) {
      const nodes = indexes.map(index => ({ kind: 'index', profile, owner, name: index.name, index }) as const);
      parts.push(folderNode(profile, 'indexes', nodes, owner));
    }
    if (triggers) {
      const nodes = triggers.map(name => ({ kind: 'trigger', profile, owner, name }) as const);
      parts.push(folderNode(profile, 'triggers', nodes, owner));
    }
    return parts;
  }

  #shownChildren(folder: FolderNode): readonly TreeNode[] {
    const shown = this.#shownCount(idOf(folder));
    if (folder.children.length <= shown) return folder.children;
    return [...folder.children.slice(0, shown), { kind: 'more', folder, shownCount: shown }];
  }
}

const folderNode = (
  profile: Profile,
  content: FolderNode['content'],
  children: readonly TreeNode[],
  owner?: TableNode,
): FolderNode => ({ kind: 'folder', profile, owner, content, children });
