import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { monotonicClock } from '../../../src/base/clock.ts';
import { Client } from '../../../src/client/index.ts';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import { keptRowsFile } from '../../../src/model/history/historyFiles.ts';
import { TableEditing } from '../../../src/model/editing/tableEditing.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { openSavedSpool } from '../../../src/model/results/spool/savedSpool.ts';
import { sendStatements } from '../../../src/model/results/statementSequence.ts';
import { StatementRun } from '../../../src/model/results/statementRun.ts';
import { historyEntry } from '../../support/historyThread.ts';
import { ImportedProject } from '../../support/importRuns.ts';
import { recordingLogger } from '../../support/recordingLogger.ts';
import { saveEditing } from '../../support/savedEditing.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { window: vscodeWindow, workspace } = await import('vscode');
const { History } = await import('../../../src/host/history/history.ts');
const { HistoryTree } = await import('../../../src/host/history/historyTree.ts');
const { ImportRuns } = await import('../../../src/host/importing/importRuns.ts');

let settings: Readonly<Record<string, unknown>> = {};
Object.assign(workspace, {
  getConfiguration: () => ({
    get: (name: string) => settings[name],
    inspect: (name: string) => ({ globalValue: settings[name] }),
  }),
});

const { baseUrl, projectId, apiKey, client } = await startTestService();
const profile = makeProfile({ baseUrl, projectId, name: 'Shop', source: 'settings' });
const entry = fileURLToPath(new URL('../../../src/model/history/thread/main.ts', import.meta.url));
const thread = startRowsThread();
after(() => thread.dispose());

/** Opens the history of a folder as a window does. The window ends with the block. */
function openWindow(folder: string) {
  const history = new History({ entry, folder, log: recordingLogger().logger });
  return {
    history,
    entries: () => history.call('page', { count: 100 }),
    [Symbol.asyncDispose]: () => history.dispose(),
  };
}

/** Runs a statement in a window, which ends after it. Then all is written. */
async function runIn(folder: string, sql: string, params: readonly string[] = [], dropsRows = false): Promise<void> {
  const run = new StatementRun({
    send: options => client.execSqlStream(projectId, { sql, params }, options),
    folder: temporaryFolder(),
    limits: { maxRows: Infinity, maxBytes: Infinity },
    thread,
    clock: monotonicClock,
  });
  await run.start();
  {
    await using window = openWindow(folder);
    const statement = { ...analyze(sql), params };
    window.history.recordStatement({ kind: 'statement', profile, statement, run, dropsRows });
  }
  await run.dispose();
}

const isOnDisk = (folder: string, text: string): boolean =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    file => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text),
  );

test('the rows of a closed result are there in the next window, until their entry is deleted', async () => {
  const folder = temporaryFolder();
  await runIn(folder, 'SELECT id, name FROM customers ORDER BY id LIMIT 3');
  await using window = openWindow(folder);
  const [saved] = await window.entries();
  assert.ok(saved?.run !== undefined);
  assert.deepEqual([saved.project, saved.rowCount, saved.outcome, saved.isWrite], ['Shop', 3, 'done', false]);
  const file = keptRowsFile(folder, saved.run);
  assert.equal(statSync(file).mode & 0o077, 0, 'nobody else can read the rows');
  const { spool } = await openSavedSpool(file);
  assert.equal((await spool.read(0, 10)).length, 3);
  await spool.close();
  await window.history.call('remove', saved.id);
  assert.equal(existsSync(file), false);
});

test('parameter values are stored only while the setting allows it, also those that an error quotes', async () => {
  const folder = temporaryFolder();
  const sql = "SELECT json_extract('{}', ?)";
  await runIn(folder, sql, ['canary-value']);
  assert.ok(isOnDisk(folder, sql));
  assert.equal(isOnDisk(folder, 'canary-value'), false);
  settings = { 'sqlProjects.results.saveParameterValues': true };
  await runIn(folder, sql, ['canary-value']);
  assert.ok(isOnDisk(folder, 'canary-value'));
  settings = {};
  {
    await using window = openWindow(folder);
    assert.equal((await window.entries())[0]?.params, undefined);
  }
  assert.equal(isOnDisk(folder, 'canary-value'), false);
});

test('a project that the setting names is left out, and a budget of 0 keeps no rows, nor does an export to a file', async () => {
  const folder = temporaryFolder();
  settings = { 'sqlProjects.history.excluded': ['Shop'] };
  await runIn(folder, 'SELECT 1');
  settings = { 'sqlProjects.history.maxRowsMb': 0 };
  await runIn(folder, 'SELECT 2');
  settings = {};
  await runIn(folder, 'SELECT 3', [], true);
  await using window = openWindow(folder);
  assert.deepEqual(
    (await window.entries()).map(({ sql, run }) => [sql, run]),
    [
      ['SELECT 3', undefined],
      ['SELECT 2', undefined],
    ],
  );
});

test('a change of the schema leaves an entry with its outcome, and a read of the client leaves none', async () => {
  const folder = temporaryFolder();
  {
    await using window = openWindow(folder);
    const onCallEnd = (report: Parameters<typeof window.history.recordReport>[1]): void =>
      window.history.recordReport(profile, report);
    await using recorded = new Client({ baseUrl, apiKey, onCallEnd, retries: 0 });
    const project = recorded.project(projectId);
    await project.sql('SELECT 1');
    await sendStatements(project, ['CREATE TABLE history_pets (a)', 'DROP TABLE missing'], AbortSignal.timeout(60_000));
  }
  await using window = openWindow(folder);
  assert.deepEqual(
    (await window.entries()).map(({ kind, sql, isWrite, outcome, message }) => [kind, sql, isWrite, outcome, message]),
    [
      ['schema', 'DROP TABLE missing', true, 'failed', 'no such table: missing'],
      ['schema', 'CREATE TABLE history_pets (a)', true, 'done', undefined],
    ],
  );
});

test('imports, copies and generated rows leave an entry that names their source, and so do saved edits', async () => {
  const folder = temporaryFolder();
  const imports = await ImportedProject.start();
  const target = makeProfile({ baseUrl, projectId: imports.projectId, name: 'Target', source: 'settings' });
  const importThread = fileURLToPath(new URL('../../../src/model/importing/thread/main.ts', import.meta.url));
  Object.assign(vscodeWindow, {
    createStatusBarItem: () => ({ show: () => undefined, dispose: () => undefined }),
    showInformationMessage: () => Promise.resolve(),
  });
  {
    await using window = openWindow(folder);
    const parts = {
      context: { asAbsolutePath: () => importThread },
      clients: { for: async () => imports.client },
      catalogs: { for: () => ({ forget: () => undefined }) },
      record: window.history.record.bind(window.history),
    };
    const runs = new ImportRuns(parts as unknown as ConstructorParameters<typeof ImportRuns>[0], temporaryFolder());
    const table = await imports.createTable('a INTEGER');
    for (const work of ['import', 'copy', 'generate'] as const) {
      const path = await imports.folder.write(`${work}.csv`, 'a\n1\n2\n');
      await runs.start(target, { ...(await imports.plan({ path, table })), work });
    }
    await client.execSql(projectId, { sql: 'CREATE TABLE history_edits (a INTEGER PRIMARY KEY)' });
    const onCallEnd = (report: Parameters<typeof window.history.recordReport>[1]): void =>
      window.history.recordReport(profile, report);
    await using recorded = new Client({ baseUrl, apiKey, onCallEnd });
    const project = recorded.project(projectId);
    const editing = new TableEditing(project, 'history_edits');
    await editing.addRow([{ column: 'a', value: { kind: 'integer', text: '1' } }]);
    assert.equal((await saveEditing(project, editing)).kind, 'saved');
  }
  await using window = openWindow(folder);
  const entries = await window.entries();
  assert.deepEqual(
    entries.map(({ kind, project, isWrite, outcome, changedRows }) => [kind, project, isWrite, outcome, changedRows]),
    [
      ['edit', 'Shop', true, 'done', 1],
      ['generate', 'Target', true, 'done', 2],
      ['copy', 'Target', true, 'done', 2],
      ['import', 'Target', true, 'done', 2],
    ],
  );
  assert.match(entries.at(-1)?.sql ?? '', /^-- rows → t \d+\nINSERT /);
});

test('the view shows a page of entries, more on demand, and only those that a search finds', async () => {
  await using window = openWindow(temporaryFolder());
  const added = Array.from({ length: 150 }, (_, number) => historyEntry({ sql: `SELECT ${number}` }));
  await window.history.call('add', { entries: added, maxEntries: 1000 });
  const view = { description: '', refresh: () => undefined };
  const tree = new HistoryTree(window.history, view);
  const labels = async () => {
    const [day, more] = await tree.children();
    return { entries: day ? (await tree.children(day)).map(({ label }) => label) : [], more: more?.label };
  };
  const first = await labels();
  assert.deepEqual([first.entries.length, first.entries[0], first.more], [100, 'SELECT 149', 'Show More']);
  tree.showMore();
  const all = await labels();
  assert.deepEqual([all.entries.length, all.more], [150, undefined]);
  tree.show({ text: '14' }, '14');
  assert.deepEqual([(await labels()).entries.length, view.description], [12, '14']);
  tree.dispose();
});
