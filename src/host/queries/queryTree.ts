import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { entriesIn, isQueryFile } from '../../model/queries/queryFiles.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { contextValues, settings } from '../names.ts';
import { numberText } from '../numbers.ts';

interface QueryRoot {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly isPersonal: boolean;
}

/** The personal folder, then the folders of the workspace. */
export function queryRoots(globalStorage: vscode.Uri): readonly [QueryRoot, ...QueryRoot[]] {
  const name = vscode.l10n.t('Personal');
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    { uri: personalFolder(globalStorage), name, isPersonal: true },
    ...folders.map(folder => ({ uri: folder.uri, name: folder.name, isPersonal: false })),
  ];
}

export const rootIcon = ({ isPersonal }: QueryRoot): vscode.ThemeIcon =>
  new vscode.ThemeIcon(isPersonal ? 'account' : 'root-folder');

/** No workspace can set it, so none can direct queries elsewhere. */
function personalFolder(globalStorage: vscode.Uri): vscode.Uri {
  const folder = vscode.workspace.getConfiguration().get<unknown>(settings.queriesFolder);
  if (typeof folder !== 'string' || folder.trim() === '') return vscode.Uri.joinPath(globalStorage, 'queries');
  return vscode.Uri.file(resolve(homedir(), folder.trim().replace(/^~(?=$|[/\\])/, '.')));
}

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** A row of the view: a root, a folder in it, or a file. */
export class QueryNode extends vscode.TreeItem {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly isFile: boolean;
  readonly parent: QueryNode | undefined;
  readonly children: () => QueryNode[];

  /** `path` begins in the root: it is empty for the root, and ends with a slash for a folder. `paths` are all of the root. */
  constructor(root: QueryRoot, path: string, paths: readonly string[], parent?: QueryNode) {
    const uri = vscode.Uri.joinPath(root.uri, path.replace(/\/$/, ''));
    const isFile = path !== '' && !path.endsWith('/');
    super(uri, isFile ? None : parent ? Collapsed : Expanded);
    this.uri = uri;
    this.name = parent ? basename(uri.path) : root.name;
    this.isFile = isFile;
    this.parent = parent;
    this.children = () => entriesIn(paths, path).map(entry => new QueryNode(root, entry, paths, this));
    this.id = `${root.isPersonal ? 'personal' : 'workspace'} ${uri.toString()}`;
    // Screen readers say the label. Without one, they say the path.
    this.label = this.name;
    this.contextValue = isFile ? contextValues.queryFile : parent ? contextValues.queryFolder : contextValues.queryRoot;
    if (!parent) this.iconPath = rootIcon(root);
    // VS Code previews the file at a click, and keeps it open at a double click.
    if (isFile) this.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
  }

  /** The folder itself, or that of the file. */
  get folder(): vscode.Uri {
    return this.isFile ? vscode.Uri.joinPath(this.uri, '..') : this.uri;
  }
}

const maxQueries = 2000;
const maxDepth = 12;
/** Changes often come in groups: a checkout, or a folder with its files. */
const changeDelayMs = 300;

interface SearchedRoot {
  readonly root: QueryRoot;
  readonly paths: readonly string[];
}

/** The SQL files of the roots. It searches them when the view first shows them, and follows them from then on. */
export class QueryTree implements Disposable {
  readonly #globalStorage: vscode.Uri;
  readonly #onChange: () => void;
  readonly #owned = new DisposableStore();
  readonly #changes = new Debouncer({ delayMs: changeDelayMs, run: () => void this.refresh() });
  #watchers = new DisposableStore();
  #searched: Promise<readonly SearchedRoot[]> | undefined;

  constructor(globalStorage: vscode.Uri, onChange: () => void) {
    this.#globalStorage = globalStorage;
    this.#onChange = onChange;
    this.#owned.add(this.#changes);
    const restart = (): void => {
      this.#watch();
      void this.refresh();
    };
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(restart));
    this.#owned.add(onSettingChange([settings.queriesFolder, 'files.exclude'], restart));
    this.#watch();
  }

  /** The roots, and a message if they have more than is listed. No roots if none has a query: VS Code shows a welcome then. */
  async roots(): Promise<{ readonly nodes: readonly QueryNode[]; readonly message: string }> {
    const searched = await (this.#searched ??= this.#search());
    const isCut = searched.some(({ paths }) => paths.length > maxQueries);
    const message = vscode.l10n.t('A folder has more than {0} queries. Some are not listed.', numberText(maxQueries));
    const hasQueries = searched.some(({ paths }) => paths.length > 0);
    return {
      nodes: hasQueries ? searched.map(({ root, paths }) => new QueryNode(root, '', paths.slice(0, maxQueries))) : [],
      message: isCut ? message : '',
    };
  }

  /** Reports a change when the search has ended: VS Code forgets the rows while it waits for new ones, also those of a menu. */
  async refresh(): Promise<void> {
    const before = await this.#searched;
    this.#searched = this.#search();
    if (JSON.stringify(await this.#searched) !== JSON.stringify(before)) this.#onChange();
  }

  dispose(): void {
    this.#watchers.dispose();
    this.#owned.dispose();
  }

  #search(): Promise<readonly SearchedRoot[]> {
    const roots = queryRoots(this.#globalStorage);
    return Promise.all(roots.map(async root => ({ root, paths: await queriesIn(root.uri) })));
  }

  #watch(): void {
    this.#watchers.dispose();
    this.#watchers = new DisposableStore();
    const follow = ({ path }: vscode.Uri): void => {
      // A path without an extension may be a folder.
      if (isQueryFile(path) || !path.slice(path.lastIndexOf('/')).includes('.')) this.#changes.schedule();
    };
    for (const { uri } of queryRoots(this.#globalStorage)) {
      const pattern = new vscode.RelativePattern(uri, '**');
      const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern, false, true, false));
      this.#watchers.add(watcher.onDidCreate(follow));
      this.#watchers.add(watcher.onDidDelete(follow));
    }
  }
}

/** VS Code's own search leaves out what `files.exclude` hides. At most one path more than `maxQueries`. */
async function queriesIn(root: vscode.Uri): Promise<readonly string[]> {
  const pattern = new vscode.RelativePattern(root, '**/*.{sql,SQL}');
  const search = vscode.workspace.findFiles(pattern, '**/node_modules/**', maxQueries + 1);
  // A folder that cannot be searched must not hide the others.
  const files = await search.then(undefined, () => []);
  const start = root.path.replace(/\/?$/, '/').length;
  return files
    .map(({ path }) => path.slice(start))
    .filter(path => path.split('/').length <= maxDepth)
    .toSorted();
}
