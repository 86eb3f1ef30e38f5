import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Range } from 'vscode';
import { monotonicClock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import type { RunMark } from '../../../src/host/documents/runMarks.ts';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import { newResult, type Result, type ResultSubject } from '../../../src/host/results/result.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import type { Run } from '../../../src/model/results/run.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { RunStarter } = await import('../../../src/host/running/runStarter.ts');
const { StatementRunner } = await import('../../../src/host/running/statementRunner.ts');
const { readWindow, resultCalls } = await import('../../../src/host/results/resultCalls.ts');

const { client, projectId } = await startTestService();
const folder = temporaryFolder();
const thread = startRowsThread();
after(() => thread.dispose());

interface Shown {
  readonly title: string;
  readonly result: Result;
  readonly run: Run;
}

/** Runs a script in the service. Returns the results that it showed, and its summary. */
async function runScript(
  { onShow }: { readonly onShow?: (shown: Shown) => void },
  ...statements: readonly string[]
): Promise<{ shown: readonly Shown[]; summary: string }> {
  let summary = '';
  const notify = (message: string): Promise<undefined> => {
    summary = message;
    return Promise.resolve(undefined);
  };
  Object.assign(vscode.window, {
    withProgress: (_options: object, run: (progress: object, token: object) => Promise<void>) =>
      run({ report: () => undefined }, { onCancellationRequested: () => undefined }),
    showInformationMessage: notify,
    showWarningMessage: (message: string, _options: object, ...buttons: readonly { title: string }[]) =>
      buttons.length === 0 ? notify(message) : Promise.resolve(buttons.find(({ title }) => title === 'Continue')),
  });
  const shown: Shown[] = [];
  const profile = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId, source: 'settings' });
  const parts = {
    clients: { for: () => Promise.resolve(client) },
    catalogs: {
      for: () => ({
        forget: () => undefined,
        columns: () => Promise.resolve([]),
        tables: () => Promise.resolve(['script_pets']),
        views: () => Promise.resolve([]),
      }),
    },
    results: {
      runParts: () => Promise.resolve({ folder, thread, disk: new DiskBudget(() => Infinity), clock: monotonicClock }),
      show: (run: Run, subject: ResultSubject) => {
        // Other results are named after their tables.
        const title = subject.title === 'Script Log' ? subject.title : 'rows';
        const result = { title, result: newResult(run, subject), run };
        shown.push(result);
        onShow?.(result);
        return run.start();
      },
    },
    record: () => undefined,
    marks: {
      put: (_document: object, _selected: object, state: RunMark['state']): RunMark => ({
        start: 0,
        end: 0,
        state,
        isWholeStatement: true,
        isHidden: false,
      }),
      set: (_document: object, mark: RunMark, state: RunMark['state']) => void (mark.state = state),
      remove: () => undefined,
      originOf: () => ({ uri: 'file:///a.sql', start: 0, end: 1, isUnchanged: false }),
    },
    active: { add: () => toDisposable(() => undefined), cancel: () => false },
    clock: monotonicClock,
  };
  const starter = new RunStarter({
    ...parts,
    runner: new StatementRunner(parts as never),
    projects: {},
    preparation: {},
  } as never);
  const document = { positionAt: () => ({ line: 4, character: 0 }) };
  const prepared = statements.map(sql => ({
    sql,
    effect: analyze(sql).effect,
    params: [],
    selected: { sql, start: 0, end: sql.length, paramsJson: undefined },
    document: document as never,
  }));
  await starter.start(profile, { statements: prepared, mode: 'foreground' });
  return { shown, summary };
}

async function linesOf({ run }: Shown): Promise<unknown[][]> {
  const rows = await run.rows(0, 100);
  // The last column is a time.
  return rows.map(row => row.slice(0, -1).map(value => ('text' in value ? value.text : null)));
}

test('the statements of a script without rows share one log, and the others have results of their own', async () => {
  const { shown, summary } = await runScript(
    {},
    'CREATE TABLE script_pets (name)',
    "INSERT INTO script_pets VALUES ('Ann'), ('Bob')",
    'SELECT * FROM script_pets',
    'UPDATE script_pet SET name = 1',
    "DELETE FROM script_pets WHERE name = 'Ann'",
    'DELETE FROM script_pets RETURNING name',
    'DROP TABLE IF EXISTS script_pets',
  );
  assert.deepEqual(
    shown.map(({ title }) => title),
    ['Script Log', 'rows', 'rows'],
  );
  const [log, ...others] = shown as [Shown, ...Shown[]];
  assert.equal(log.run.state, 'done');
  assert.deepEqual(await linesOf(log), [
    ['5', 'CREATE TABLE script_pets (name)', 'Table script_pets created'],
    ['5', "INSERT INTO script_pets VALUES ('Ann'), ('Bob')", '2 rows changed'],
    ['5', 'UPDATE script_pet SET name = 1', "Column 8: no such table 'script_pet'. Did you mean 'script_pets'?"],
    ['5', "DELETE FROM script_pets WHERE name = 'Ann'", '1 row changed'],
    ['5', 'DROP TABLE IF EXISTS script_pets', 'Table script_pets dropped, if it existed'],
  ]);
  assert.match(summary, /^7 statements: 6 succeeded, 1 failed · \d/);
  await Promise.all([log, ...others].map(({ run }) => run.dispose()));
  assert.deepEqual(await readdir(folder), [], 'no rows are left on disk');
});

/** Goes to lines of a log. Returns the texts that are then selected in the document. */
async function selectedBy(
  { result }: Shown,
  text: string,
  ...lines: readonly (readonly [row: number, error: boolean])[]
): Promise<string[]> {
  const selected: string[] = [];
  const document = {
    uri: { toString: () => 'file:///a.sql' },
    getText: () => text,
    positionAt: (character: number) => ({ line: 0, character }),
  };
  Object.assign(vscode.workspace, { textDocuments: [document] });
  Object.assign(vscode.window, {
    showTextDocument: (_document: object, { selection }: { selection: Range }) => {
      selected.push(text.slice(selection.start.character, selection.end.character));
      return Promise.resolve();
    },
  });
  const calls = resultCalls(
    { exportRows: () => Promise.resolve() },
    () => result,
    () => Promise.resolve(),
  );
  const { orderVersion } = result.run.queries;
  for (const [row, error] of lines) {
    const params = { runId: result.id, orderVersion, row, error };
    await calls.goToLine(params, new AbortController().signal);
  }
  return selected;
}

test('a line leads to its statement, and a failed one to its error, in any order of the lines', async () => {
  const statements = ['CREATE TABLE script_linked (name)', 'UPDATE nowhere SET name = 1', 'DROP TABLE script_linked'];
  const text = statements.join(';\n');
  const { shown } = await runScript({}, ...statements);
  const [log] = shown as [Shown];
  assert.deepEqual(await selectedBy(log, text, [0, false], [1, false], [1, true], [2, true], [3, false]), [
    'CREATE TABLE script_linked (name)',
    'UPDATE nowhere SET name = 1',
    'nowhere',
    'DROP TABLE script_linked',
  ]);
  assert.deepEqual((await readWindow(log.result, 0, 10)).errors, [1]);
  await log.run.queries.arrange({ sort: [{ column: 1, descending: true }], filters: [] });
  assert.deepEqual(await selectedBy(log, text, [0, true], [1, false]), ['nowhere', 'DROP TABLE script_linked']);
  assert.deepEqual((await readWindow(log.result, 0, 10)).errors, [0]);
  await log.run.dispose();
});

test('a script of queries has no log', async () => {
  const { shown, summary } = await runScript({}, 'SELECT 1 AS one', 'SELECT 2 AS two');
  assert.deepEqual(
    shown.map(({ title }) => title),
    ['rows', 'rows'],
  );
  assert.match(summary, /^2 statements: 2 succeeded · \d/);
  await Promise.all(shown.map(({ run }) => run.dispose()));
});

test('the log can be closed while its script runs', async () => {
  const closing: Promise<void>[] = [];
  const { shown, summary } = await runScript(
    { onShow: ({ run }) => closing.push(run.dispose()) },
    'CREATE TABLE script_closed (a)',
    'INSERT INTO script_closed VALUES (1)',
  );
  await Promise.all(closing);
  assert.equal(shown.length, 1);
  assert.match(summary, /^2 statements: 2 succeeded · \d/);
  assert.deepEqual(await readdir(folder), []);
});
