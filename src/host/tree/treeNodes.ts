import type { Command } from 'vscode';
import type { CatalogColumn, CatalogIndex } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';

/** What a folder of the tree holds: a project's tables or views, or the parts of one of them. */
export type FolderContent = 'tables' | 'views' | 'columns' | 'indexes' | 'triggers';

export interface ProjectNode {
  readonly kind: 'project';
  readonly profile: Profile;
}

/** A table or a view. */
export interface TableNode {
  readonly kind: 'table' | 'view';
  readonly profile: Profile;
  readonly name: string;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly profile: Profile;
  readonly content: FolderContent;
  /** The table or view whose parts these are. */
  readonly owner: TableNode | undefined;
  readonly children: readonly TreeNode[];
}

export interface ColumnNode {
  readonly kind: 'column';
  readonly profile: Profile;
  readonly owner: TableNode;
  readonly name: string;
  readonly column: CatalogColumn;
}

export interface IndexNode {
  readonly kind: 'index';
  readonly profile: Profile;
  readonly owner: TableNode;
  readonly name: string;
  readonly index: CatalogIndex;
}

export interface TriggerNode {
  readonly kind: 'trigger';
  readonly profile: Profile;
  readonly owner: TableNode;
  readonly name: string;
}

/** The rest of a long folder, of which `shown` items are there. */
export interface MoreNode {
  readonly kind: 'more';
  readonly folder: FolderNode;
  readonly shown: number;
}

/** Why something cannot be shown, with the way out. */
export interface ProblemNode {
  readonly kind: 'problem';
  readonly message: string;
  readonly remedy: Command;
}

export type TreeNode =
  ProjectNode | TableNode | FolderNode | ColumnNode | IndexNode | TriggerNode | MoreNode | ProblemNode;

/** What the database has under a name of its own. */
export type ObjectNode = TableNode | IndexNode | TriggerNode;

export function isObject(node: unknown): node is ObjectNode {
  const { kind } = (node ?? {}) as Partial<TreeNode>;
  return kind === 'table' || kind === 'view' || kind === 'index' || kind === 'trigger';
}

/** The project that a node belongs to. */
export function profileOf(node: TreeNode): Profile | undefined {
  if (node.kind === 'problem') return undefined;
  return node.kind === 'more' ? node.folder.profile : node.profile;
}

/** The node that a node is shown under; undefined for those at the top. VS Code knows it by its id. */
export function parentOf(node: TreeNode): TreeNode | undefined {
  switch (node.kind) {
    case 'project':
    case 'problem':
      return undefined;
    case 'folder':
      return node.owner ?? { kind: 'project', profile: node.profile };
    case 'more':
      return node.folder;
    case 'table':
    case 'view':
    case 'column':
    case 'index':
    case 'trigger':
      return folderOf(node);
  }
}

const folderContents = {
  table: 'tables',
  view: 'views',
  column: 'columns',
  index: 'indexes',
  trigger: 'triggers',
} as const satisfies Record<string, FolderContent>;

/** The folder that a node is in, as far as it is known from the node: its id is right, and it says nothing of the others. */
export function folderOf(node: TableNode | ColumnNode | IndexNode | TriggerNode): FolderNode {
  const owner = 'owner' in node ? node.owner : undefined;
  return { kind: 'folder', profile: node.profile, content: folderContents[node.kind], owner, children: [] };
}

/** A name that stays the same when the tree is read anew, so that what was open stays open. */
export function idOf(node: Exclude<TreeNode, ProblemNode>): string {
  switch (node.kind) {
    case 'project':
      return node.profile.id;
    case 'folder':
      return `${node.owner ? idOf(node.owner) : node.profile.id} / ${node.content}`;
    case 'more':
      return `${idOf(node.folder)} / more`;
    case 'table':
    case 'view':
      return `${node.profile.id} / ${node.kind} ${node.name}`;
    case 'column':
    case 'index':
    case 'trigger':
      return `${idOf(node.owner)} / ${node.kind} ${node.name}`;
  }
}
