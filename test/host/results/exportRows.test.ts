import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { newResult } from '../../../src/host/results/result.ts';
import type { RowQueries } from '../../../src/model/results/rowQueries.ts';
import { openRows } from '../../support/queriedRows.ts';
import { TestRun } from '../../support/testRun.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { exportRows } = await import('../../../src/host/results/exportRows.ts');

interface Answers {
  /** The name of the format. Undefined cancels. */
  readonly format?: string;
  /** Adds options to those that are chosen by default. */
  readonly guardFormulas?: boolean;
  /** The name of the file. Undefined cancels. */
  readonly file?: string;
  /** The mode of the file that the export replaces. */
  readonly replacedMode?: number;
}

interface QuickPickItem {
  readonly label: string;
  readonly picked?: boolean;
}

class ExportedRun extends TestRun {
  readonly #queries: RowQueries;

  constructor(queries: RowQueries, names: readonly string[]) {
    super({ state: 'done', rowCount: queries.shownRows, columns: names.map(name => ({ name, type: '' })) });
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
  Object.assign(vscode.window, {
    showQuickPick: (items: readonly QuickPickItem[], { canPickMany = false }) =>
      Promise.resolve(
        canPickMany
          ? items.filter(({ picked, label }) => picked ?? (answers.guardFormulas && label.includes('formulas')))
          : items.find(({ label }) => label === answers.format),
      ),
    showSaveDialog: () => Promise.resolve(answers.file && vscode.Uri.file(join(folder, answers.file))),
    withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
      work({ report: () => undefined }, { onCancellationRequested: () => undefined }),
    showInformationMessage: (message: string) => void events.push(message),
    showErrorMessage: (message: string) => void events.push(message),
  });
  const rows = await openRows(context, ['formula', 'number', 'text']);
  await rows.add({ formula: '=1+1', number: -5, text: 'a,b' }, { formula: 'x', number: null, text: '' });
  const result = newResult(new ExportedRun(rows.queries, ['formula', 'number', 'text']), {
    profile: { id: 'p1', name: 'Shop', protection: 'open', color: undefined },
    statement: 'SELECT 1;',
    table: 'orders',
  });
  await exportRows(result, { restoreFocus: () => events.push('focus') });
  return { folder, files: await readdir(folder), events };
}

const readText = (folder: string, file: string): Promise<string> => readFile(join(folder, file), 'utf8');

test('all rows are exported to a file, and the focus comes back before they are written', async context => {
  const { folder, files, events } = await exportWith(context, { format: 'CSV', file: 'rows.csv' });
  assert.deepEqual(files, ['rows.csv']);
  assert.equal(await readText(folder, 'rows.csv'), 'formula,number,text\r\n=1+1,-5,"a,b"\r\nx,,""\r\n');
  assert.deepEqual(events, ['focus', 'Exported rows to rows.csv: 2.']);
});

test('texts that look like formulas are guarded if the user chooses so', async context => {
  const answers = { format: 'TSV', guardFormulas: true, file: 'rows.tsv' };
  const { folder } = await exportWith(context, answers);
  assert.match(await readText(folder, 'rows.tsv'), /^'=1\+1\t-5\ta,b$/m);
});

test('a database has one table with the rows', async context => {
  const { folder } = await exportWith(context, { format: 'SQLite', file: 'rows.db' });
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  const { rows } = database.prepare('SELECT count(*) AS rows FROM orders').get() ?? {};
  assert.equal(rows, 2);
});

test('a database that replaces a private file is private as well', async context => {
  const { folder, files } = await exportWith(context, { format: 'SQLite', file: 'rows.db', replacedMode: 0o600 });
  assert.deepEqual(files, ['rows.db']);
  assert.equal((await stat(join(folder, 'rows.db'))).mode & 0o777, 0o600);
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS rows FROM orders').get() }, { rows: 2 });
});

for (const [what, answers] of [
  ['the format', {}],
  ['the file', { format: 'JSON' }],
] as const) {
  test(`a user who cancels the prompt for ${what} gets the focus back and no file`, async context => {
    const { files, events } = await exportWith(context, answers);
    assert.deepEqual([files, events], [[], ['focus']]);
  });
}

test('an export that fails says why and leaves no file', async context => {
  const { files, events } = await exportWith(context, { format: 'CSV', file: 'missing/rows.csv' });
  assert.deepEqual(files, []);
  assert.match(events[1] ?? '', /^The export did not finish, and no file was left: .*ENOENT/);
});
