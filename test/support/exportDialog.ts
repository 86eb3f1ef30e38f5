/** Exports rows of a result with the dialogs of VS Code answered. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { InputBoxOptions, SaveDialogOptions } from 'vscode';
import type { ExportMemory } from '../../src/host/results/exportOptions.ts';
import { newResult } from '../../src/host/results/result.ts';
import type { CellRange } from '../../src/protocol/rowQueries.ts';
import type { RowQueries } from '../../src/model/results/rowQueries.ts';
import { openRows, type RowsUnderTest } from './queriedRows.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { TestRun } from './testRun.ts';
import { stubVscode } from './vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { exportRows } = await import('../../src/host/results/exportRows.ts');

/** How a user answers the dialogs of an export. */
interface Answers {
  /** The items that the user chooses. Without "Export" the list is cancelled. */
  readonly choices?: readonly string[];
  /** The answers of the user to the options that ask. A text that is refused stays, and the next one is typed. */
  readonly values?: readonly string[];
  /** The state of VS Code. */
  readonly memory?: ExportMemory;
  /** Whether the run ends only when the list was shown. */
  readonly endsMeanwhile?: boolean;
  /** Filters and selects before the export. */
  readonly prepare?: (queries: RowQueries, rows: RowsUnderTest) => Promise<unknown>;
  readonly selection?: readonly CellRange[];
  /** The name of the file. Undefined cancels. */
  readonly file?: string;
  /** Whether the texts are BLOBs, as base64. */
  readonly hasBlobs?: boolean;
  /** The name of the result's tab, in place of a table. */
  readonly tabTitle?: string;
  /** The mode of the file that the export replaces. */
  readonly replacedMode?: number;
}

interface QuickPickItem {
  readonly label: string;
  readonly description?: string;
}

/** VS Code's list, in which a user chooses an item by its label each time it is shown. An unknown label hides it. */
class ListOfUser {
  items: readonly QuickPickItem[] = [];
  activeItems: readonly QuickPickItem[] = [];
  selectedItems: readonly QuickPickItem[] = [];
  value = '';
  title = '';
  readonly #choices: string[];
  readonly #shown: string[];
  readonly #onShow: () => void;
  #accept: () => void = () => undefined;
  #hide: () => void = () => undefined;

  constructor(choices: readonly string[], shown: string[], onShow: () => void) {
    this.#choices = [...choices];
    this.#shown = shown;
    this.#onShow = onShow;
  }

  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  show(): void {
    this.#onShow();
    const choice = this.#choices.shift() ?? '';
    this.#shown.splice(0, Infinity, this.title, ...this.items.map(textOf));
    const item = this.items.find(other => wordsOf(other).startsWith(choice));
    if (!item) return this.hide();
    this.activeItems = [item];
    this.selectedItems = [item];
    this.#accept();
  }

  hide(): void {
    this.#hide();
  }

  dispose(): void {
    this.hide();
  }
}

const textOf = ({ label, description = '' }: QuickPickItem): string => `${label} ${description}`.trim();

/** The label without its icon. */
const wordsOf = ({ label }: QuickPickItem): string => label.replace(/^\$\([\w-]+\) /, '');

class ExportedRun extends TestRun {
  readonly #queries: RowQueries;

  constructor(queries: RowQueries, names: readonly string[]) {
    super({ state: 'done', rowCount: 2, columns: names.map(name => ({ name, type: '' })) });
    this.#queries = queries;
  }

  override get queries(): RowQueries {
    return this.#queries;
  }
}

export function emptyMemory(): ExportMemory {
  const values = new Map<string, unknown>();
  return {
    get: (key: string) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  } as ExportMemory;
}

/** Exports rows with a user who gives these answers. Returns the files of the folder, the messages, and when the focus came back. */
export async function exportWith(context: TestContext, answers: Answers) {
  const folder = temporaryFolder();
  if (answers.replacedMode !== undefined)
    await writeFile(join(folder, answers.file ?? ''), 'old', { mode: answers.replacedMode });
  const events: string[] = [];
  const shown: string[] = [];
  const saveOptions: SaveDialogOptions[] = [];
  const lists: string[][] = [];
  const refusals: string[] = [];
  const values = [...(answers.values ?? [])];
  Object.assign(vscode.workspace, { workspaceFolders: [{ uri: vscode.Uri.file(folder) }] });
  Object.assign(vscode.window, {
    showQuickPick: (items: readonly QuickPickItem[]) => {
      lists.push(items.map(textOf));
      const value = values.shift() ?? 'nothing';
      return Promise.resolve(items.find(item => wordsOf(item).startsWith(value)));
    },
    showInputBox: (options: InputBoxOptions) => {
      for (const value of values.splice(0)) {
        const refusal = options.validateInput?.(value);
        if (typeof refusal !== 'string') return Promise.resolve(value);
        refusals.push(refusal);
      }
      return Promise.resolve(undefined);
    },
    createQuickPick: () => new ListOfUser(answers.choices ?? ['nothing'], shown, () => run.change({ state: 'done' })),
    showSaveDialog: (options: SaveDialogOptions) => {
      saveOptions.push(options);
      return Promise.resolve(answers.file && vscode.Uri.file(join(folder, answers.file)));
    },
    withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
      work({ report: () => undefined }, { onCancellationRequested: () => undefined }),
    showInformationMessage: (message: string, ...buttons: readonly string[]) =>
      void events.push([message, ...buttons].join(' | ')),
    showErrorMessage: (message: string) => void events.push(message),
  });
  const { hasBlobs = false } = answers;
  const rows = await openRows(context, ['formula', 'number', { name: 'text', type: hasBlobs ? 'BLOB' : 'TEXT' }]);
  await rows.add(
    { formula: '=1+1', number: -5, text: hasBlobs ? 'AP8=' : 'a,b' },
    { formula: 'x', number: null, text: hasBlobs ? null : '' },
  );
  await answers.prepare?.(rows.queries, rows);
  const run = new ExportedRun(rows.queries, ['formula', 'number', 'text']);
  if (answers.endsMeanwhile) run.change({ state: 'running' });
  const { tabTitle: title } = answers;
  const result = {
    ...newResult(run, {
      profile: { id: 'p1', name: 'Shop', protection: 'open', color: undefined },
      statement: 'SELECT 1;',
      ...(title === undefined && { table: 'orders' }),
    }),
    ...(title !== undefined && { title }),
  };
  await exportRows(answers.memory ?? emptyMemory(), result, {
    selection: answers.selection,
    restoreFocus: () => events.push('focus'),
  });
  return { folder, files: await readdir(folder), events, shown, saveOptions, lists, refusals };
}

export const readText = (folder: string, file: string): Promise<string> => readFile(join(folder, file), 'utf8');
