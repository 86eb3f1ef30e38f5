import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { SaveDialogOptions } from 'vscode';
import { newResult } from '../../../src/host/results/result.ts';
import type { CellRange } from '../../../src/protocol/rowQueries.ts';
import type { RowQueries } from '../../../src/model/results/rowQueries.ts';
import { openRows } from '../../support/queriedRows.ts';
import { TestRun } from '../../support/testRun.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { exportRows } = await import('../../../src/host/results/exportRows.ts');

interface Answers {
  /** The items that the user chooses. Without "Export" the list is cancelled. */
  readonly choices?: readonly string[];
  /** Filters and selects before the export. */
  readonly prepare?: (queries: RowQueries) => Promise<unknown>;
  readonly selection?: readonly CellRange[];
  /** The name of the file. Undefined cancels. */
  readonly file?: string;
  /** The mode of the file that the export replaces. */
  readonly replacedMode?: number;
}

interface QuickPickItem {
  readonly label: string;
  readonly description?: string;
}

/** VS Code's list, in which a user chooses items by their labels, one after another. An unknown label hides it. */
class ListOfUser {
  items: readonly QuickPickItem[] = [];
  activeItems: readonly QuickPickItem[] = [];
  selectedItems: readonly QuickPickItem[] = [];
  value = '';
  title = '';
  readonly #choices: readonly string[];
  readonly #shown: string[];
  #accept: () => void = () => undefined;
  #hide: () => void = () => undefined;

  constructor(choices: readonly string[], shown: string[]) {
    this.#choices = choices;
    this.#shown = shown;
  }

  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  show(): void {
    for (const choice of this.#choices) {
      this.#shown.splice(0, Infinity, this.title, ...this.items.map(textOf));
      const item = this.items.find(({ label }) => label.replace(/^\$\([\w-]+\) /, '').startsWith(choice));
      if (!item) return this.#hide();
      this.activeItems = [item];
      this.selectedItems = [item];
      this.#accept();
    }
  }

  dispose(): void {
    this.#hide();
  }
}

const textOf = ({ label, description = '' }: QuickPickItem): string => `${label} ${description}`.trim();

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

/** Exports rows with a user who answers so. Tells the files of the folder, the messages, and when the focus came back. */
async function exportWith(context: TestContext, answers: Answers) {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  if (answers.replacedMode !== undefined)
    await writeFile(join(folder, answers.file ?? ''), 'old', { mode: answers.replacedMode });
  context.after(() => rm(folder, { recursive: true }));
  const events: string[] = [];
  const shown: string[] = [];
  const saveOptions: SaveDialogOptions[] = [];
  Object.assign(vscode.window, {
    createQuickPick: () => new ListOfUser(answers.choices ?? ['nothing'], shown),
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
  const rows = await openRows(context, ['formula', 'number', 'text']);
  await rows.add({ formula: '=1+1', number: -5, text: 'a,b' }, { formula: 'x', number: null, text: '' });
  await answers.prepare?.(rows.queries);
  const result = newResult(new ExportedRun(rows.queries, ['formula', 'number', 'text']), {
    profile: { id: 'p1', name: 'Shop', protection: 'open', color: undefined },
    statement: 'SELECT 1;',
    table: 'orders',
  });
  await exportRows(result, { selection: answers.selection, restoreFocus: () => events.push('focus') });
  return { folder, files: await readdir(folder), events, shown, saveOptions };
}

const readText = (folder: string, file: string): Promise<string> => readFile(join(folder, file), 'utf8');

test('all rows are exported to a file, and the focus comes back before they are written', async context => {
  const { folder, files, events } = await exportWith(context, { choices: ['Export'], file: 'rows.csv' });
  assert.deepEqual(files, ['rows.csv']);
  assert.equal(await readText(folder, 'rows.csv'), 'formula,number,text\r\n=1+1,-5,"a,b"\r\nx,,""\r\n');
  assert.deepEqual(events, ['focus', 'Exported 2 rows to rows.csv. | Open | Reveal']);
});

test('texts that look like formulas are guarded if the user chooses so', async context => {
  const answers = { choices: ['TSV', 'Escape formulas', 'Export'], file: 'rows.tsv' };
  const { folder } = await exportWith(context, answers);
  assert.match(await readText(folder, 'rows.tsv'), /^'=1\+1\t-5\ta,b$/m);
});

test('a database has one table with the rows', async context => {
  const { folder } = await exportWith(context, { choices: ['SQLite', 'Export'], file: 'rows.db' });
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  const { rows } = database.prepare('SELECT count(*) AS rows FROM orders').get() ?? {};
  assert.equal(rows, 2);
});

test('a database that replaces a private file is private as well', async context => {
  const { folder, files } = await exportWith(context, {
    choices: ['SQLite', 'Export'],
    file: 'rows.db',
    replacedMode: 0o600,
  });
  assert.deepEqual(files, ['rows.db']);
  assert.equal((await stat(join(folder, 'rows.db'))).mode & 0o777, 0o600);
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS rows FROM orders').get() }, { rows: 2 });
});

for (const [what, answers] of [
  ['the format', {}],
  ['the file', { choices: ['JSON', 'Export'] }],
] as const) {
  test(`a user who cancels the prompt for ${what} gets the focus back and no file`, async context => {
    const { files, events } = await exportWith(context, answers);
    assert.deepEqual([files, events], [[], ['focus']]);
  });
}

test('an export that fails says why and leaves no file', async context => {
  const { files, events } = await exportWith(context, { choices: ['Export'], file: 'missing/rows.csv' });
  assert.deepEqual(files, []);
  assert.match(events[1] ?? '', /^The export failed, and its file was removed: .*ENOENT/);
});

test('one list has the rows, the options that fit the format, and the formats', async context => {
  const { shown } = await exportWith(context, { choices: ['Header Row', 'Delimiter', 'nothing'] });
  assert.deepEqual(shown, [
    'Export orders',
    '$(save) Export as CSV… 2 rows',
    'Options',
    '$(dash) Header Row',
    '$(sync) Delimiter: semicolon',
    '$(sync) NULL Text: empty',
    "$(dash) Escape formulas for spreadsheets puts ' before texts that begin with =, +, - or @",
    'Format',
    '$(circle-filled) CSV values with a delimiter between them',
    '$(circle-outline) TSV values with tabs between them',
    '$(circle-outline) JSON one list of objects',
    '$(circle-outline) NDJSON one object per line',
    '$(circle-outline) Markdown a table',
    '$(circle-outline) SQL INSERT statements that insert the rows',
    '$(circle-outline) SQLite a database with one table',
  ]);
  const { shown: ofInsert } = await exportWith(context, { choices: ['SQL INSERT', 'Rows per INSERT', 'nothing'] });
  assert.deepEqual(ofInsert.slice(1, 4), [
    '$(save) Export as SQL INSERT… 2 rows',
    'Options',
    '$(sync) Rows per INSERT: 100',
  ]);
});

test('the options of a format are written', async context => {
  const choices = ['Header Row', 'Delimiter', 'NULL Text', 'Export'];
  const { folder } = await exportWith(context, { choices, file: 'rows.csv' });
  assert.equal(await readText(folder, 'rows.csv'), '=1+1;-5;a,b\r\nx;NULL;\r\n');
  const inserts = ['SQL INSERT', 'Rows per INSERT', 'Export'];
  const { folder: other } = await exportWith(context, { choices: inserts, file: 'rows.sql' });
  assert.equal(
    await readText(other, 'rows.sql'),
    `INSERT INTO "orders" ("formula", "number", "text") VALUES\n('=1+1', -5, 'a,b'),\n('x', NULL, '');\n`,
  );
});

const filtered = {
  sort: [],
  filters: [{ kind: 'contains', column: 0, text: 'x' }],
} as const;

test('filtered rows, all rows or the selected ones are exported', async context => {
  const selection: CellRange[] = [{ firstRow: 0, endRow: 1, columns: [2, 0] }];
  const exported = async (...choices: readonly string[]): Promise<string> => {
    const { folder, events } = await exportWith(context, {
      choices,
      selection,
      file: 'rows.csv',
      prepare: queries => queries.arrange(filtered),
    });
    return `${await readText(folder, 'rows.csv')}${events.at(-1)}`;
  };
  assert.equal(await exported('Export'), 'formula,number,text\r\nx,,""\r\nExported 1 row to rows.csv. | Open | Reveal');
  assert.equal(
    await exported('All Rows', 'Export'),
    'formula,number,text\r\n=1+1,-5,"a,b"\r\nx,,""\r\nExported 2 rows to rows.csv. | Open | Reveal',
  );
  assert.equal(
    await exported('Selected Rows', 'Export'),
    'text,formula\r\n"",x\r\nExported 1 row to rows.csv. | Open | Reveal',
  );
});

test('the ending that the user types stays, and a name without one gets that of the format', async context => {
  const { files, saveOptions } = await exportWith(context, { choices: ['Export'], file: 'rows.txt' });
  assert.deepEqual(files, ['rows.txt']);
  assert.deepEqual(saveOptions[0]?.filters, { CSV: ['csv'], 'All Files': ['*'] });
  const { files: completed } = await exportWith(context, { choices: ['JSON', 'Export'], file: 'rows' });
  assert.deepEqual(completed, ['rows.json']);
});
