import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { asRecord } from '../../base/decode.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { entriesIn, isQueryFile } from '../../model/queries/queryFiles.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { LazyTree, ViewOfTree } from '../lazyView.ts';
import { contextValues, settings } from '../names.ts';
import { numberText } from '../numbers.ts';

/** The user's own folder. No workspace can set it, so none can direct queries elsewhere. */
export function personalFolder(globalStorage: vscode.Uri): vscode.Uri {
  const folder = vscode.workspace.getConfiguration().get<unknown>(settings.queriesFolder);
  if (typeof folder !== 'string' || folder.trim() === '') return vscode.Uri.joinPath(globalStorage, 'queries');
  return vscode.Uri.file(resolve(homedir(), folder.trim().replace(/^~(?=$|[/\\])/, '.')));
}

interface QueryRoot {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly icon: string;
}

interface FoundQueries {
  readonly root: QueryRoot;
  readonly paths: readonly string[];
}

/** A row of the view: a root, a folder in it, or a file. */
export interface QueryNode extends vscode.TreeItem {
  readonly label: string;
  readonly resourceUri: vscode.Uri;
  /** The folder itself, or that of the file. */
  readonly folder: vscode.Uri;
  readonly children: () => QueryNode[];
}

export const isQueryNode = (value: unknown): value is QueryNode => asRecord(value)?.['folder'] instanceof vscode.Uri;

const maxQueries = 2000;
/** Changes often come in groups: a checkout, or a folder with its files. */
const changeDelayMs = 300;

/** The SQL files of the personal folder and of the workspace. */
export class QueryTree extends DisposableStore implements LazyTree<QueryNode> {
  readonly #globalStorage: vscode.Uri;
  readonly #view: ViewOfTree;
  readonly #changes = this.add(new Debouncer({ delayMs: changeDelayMs, run: () => void this.refresh() }));
  #found: Promise<readonly FoundQueries[]> | undefined;

  constructor(globalStorage: vscode.Uri, view: ViewOfTree) {
    super();
    this.#globalStorage = globalStorage;
    this.#view = view;
    const schedule = (): void => this.#changes.schedule();
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(schedule));
    this.add(onSettingChange([settings.queriesFolder, 'files.exclude'], schedule));
    for (const pattern of ['**', new vscode.RelativePattern(personalFolder(globalStorage), '**')]) {
      const watcher = this.add(vscode.workspace.createFileSystemWatcher(pattern, false, true, false));
      const follow = ({ path }: vscode.Uri): void => {
        // A path without an extension may be a folder.
        if (isQueryFile(path) || !basename(path).includes('.')) schedule();
      };
      this.add(watcher.onDidCreate(follow));
      this.add(watcher.onDidDelete(follow));
    }
  }

  async children(parent?: QueryNode): Promise<QueryNode[]> {
    if (parent) return parent.children();
    const found = await (this.#found ??= this.#search());
    // VS Code shows a welcome if there are no rows.
    return found.some(({ paths }) => paths.length > 0)
      ? found.map(({ root, paths }) => queryNode(root, '', paths))
      : [];
  }

  /** Reports a change when the search has ended: VS Code forgets the rows while it waits for new ones, also those of a menu. */
  async refresh(): Promise<void> {
    const before = await this.#found;
    this.#found = this.#search();
    if (JSON.stringify(await this.#found) !== JSON.stringify(before)) this.#view.refresh();
  }

  async #search(): Promise<readonly FoundQueries[]> {
    const personal = { uri: personalFolder(this.#globalStorage), name: vscode.l10n.t('Personal'), icon: 'account' };
    const folders = vscode.workspace.workspaceFolders ?? [];
    const roots = [personal, ...folders.map(({ uri, name }) => ({ uri, name, icon: 'root-folder' }))];
    return Promise.all(roots.map(async root => ({ root, paths: await queriesIn(root.uri) })));
  }
}

/** `path` begins in the root: it is empty for the root, and ends with a slash for a folder. `paths` are all of the root. */
function queryNode(root: QueryRoot, path: string, paths: readonly string[]): QueryNode {
  const resourceUri = vscode.Uri.joinPath(root.uri, path.replace(/\/$/, ''));
  const node = {
    resourceUri,
    // Screen readers say the label. Without one, they say the path.
    label: basename(path),
    folder: resourceUri,
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    contextValue: contextValues.queryFolder,
    children: () => entriesIn(paths, path).map(entry => queryNode(root, entry, paths)),
  };
  if (path === '') {
    return {
      ...node,
      label: root.name,
      description: paths.length < maxQueries ? '' : vscode.l10n.t('{0} queries or more', numberText(maxQueries)),
      iconPath: new vscode.ThemeIcon(root.icon),
      collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
      contextValue: contextValues.queryRoot,
    };
  }
  if (path.endsWith('/')) return node;
  return {
    ...node,
    folder: vscode.Uri.joinPath(resourceUri, '..'),
    collapsibleState: vscode.TreeItemCollapsibleState.None,
    contextValue: contextValues.queryFile,
    // VS Code previews the file at a click, and keeps it open at a double click.
    command: { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [resourceUri] },
  };
}

/** VS Code's own search leaves out what `files.exclude` hides. */
async function queriesIn(root: vscode.Uri): Promise<readonly string[]> {
  const pattern = new vscode.RelativePattern(root, '**/*.{sql,SQL}');
  const search = vscode.workspace.findFiles(pattern, '**/node_modules/**', maxQueries);
  // A folder that cannot be searched must not hide the others.
  const files = await search.then(undefined, () => []);
  const start = root.path.replace(/\/?$/, '/').length;
  return files.map(({ path }) => path.slice(start)).toSorted();
}
