import type { Command } from 'vscode';
import type { CatalogColumn, CatalogIndex } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';

/** A folder has the tables or views of a project, or the parts of one of them. */
export type FolderContent = 'tables' | 'views' | 'columns' | 'indexes' | 'triggers';

interface ProjectNode {
  readonly kind: 'project';
  readonly profile: Profile;
}

export interface TableNode {
  readonly kind: 'table' | 'view';
  readonly profile: Profile;
  readonly name: string;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly profile: Profile;
  readonly content: FolderContent;
  /** The table or view of the parts; undefined for folders of a project. */
  readonly owner: TableNode | undefined;
  readonly children: readonly TreeNode[];
}

interface PartNode {
  readonly profile: Profile;
  readonly owner: TableNode;
  readonly name: string;
}

export interface ColumnNode extends PartNode {
  readonly kind: 'column';
  readonly column: CatalogColumn;
  /** As SQL text, such as `CHECK (price > 0)`. */
  readonly constraints: readonly string[];
}

interface IndexNode extends PartNode {
  readonly kind: 'index';
  readonly index: CatalogIndex;
}

interface TriggerNode extends PartNode {
  readonly kind: 'trigger';
}

/** Stands for the rest of a long folder, after its first `shownCount` children. */
export interface MoreNode {
  readonly kind: 'more';
  readonly folder: FolderNode;
  readonly shownCount: number;
}

/** Says why something is missing, and runs the remedy when it is clicked. */
export interface ProblemNode {
  readonly kind: 'problem';
  /** A few words. */
  readonly label: string;
  readonly message: string;
  readonly remedy: Command;
}

export type TreeNode =
  ProjectNode | TableNode | FolderNode | ColumnNode | IndexNode | TriggerNode | MoreNode | ProblemNode;

/** A node of a database object that has its own definition. */
export type ObjectNode = TableNode | IndexNode | TriggerNode;

export function isObject(node: unknown): node is ObjectNode {
  const { kind } = (node ?? {}) as Partial<TreeNode>;
  return kind === 'table' || kind === 'view' || kind === 'index' || kind === 'trigger';
}

/** The project of a node; undefined for a problem. */
export function profileOf(node: TreeNode): Profile | undefined {
  if (node.kind === 'problem') return undefined;
  return node.kind === 'more' ? node.folder.profile : node.profile;
}

/** The parent of a node, which VS Code knows by its id; undefined at the top. */
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

/** The folder of a node. It has the right id, but not its children. */
export function folderOf(node: TableNode | ColumnNode | IndexNode | TriggerNode): FolderNode {
  const owner = 'owner' in node ? node.owner : undefined;
  return { kind: 'folder', profile: node.profile, content: folderContents[node.kind], owner, children: [] };
}

export const tablesFolderId = (profileId: string): string => `${profileId} / tables`;

/** The id stays the same when the tree is listed again, so expanded nodes stay expanded. */
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
