import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TableEditors } from '../../../src/host/browsing/tableEditors.ts';
import type { TableViewState } from '../../../src/host/browsing/trail.ts';
import type { Profile } from '../../../src/model/profiles.ts';
import type { SearchKind } from '../../../src/model/searching/searchStatement.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { openSearch } from '../../support/searchedTables.ts';
import { startTable } from '../../support/browsedTable.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { openFoundRow } = await import('../../../src/host/searching/searchTables.ts');

const { client, projectId } = await startTestService();
const thread = startRowsThread();
after(() => thread.dispose());
const folder = temporaryFolder();
const execute = (sql: string): Promise<unknown> => client.execSql(projectId, { sql });

/** Searches a table and opens the first value that is found. Gives how the table is shown. */
async function opened(
  table: string,
  text: string,
  { kind = 'contains', beforeOpening }: { kind?: SearchKind; beforeOpening?: string } = {},
): Promise<TableViewState | string | undefined> {
  await using run = openSearch({ client, projectId, folder, thread, text, kind, tables: [table] });
  await run.start();
  if (beforeOpening !== undefined) await execute(beforeOpening);
  let shown: TableViewState | string | undefined;
  Object.assign(vscode.window, {
    showInformationMessage: (message: string) => {
      shown = message;
      return Promise.resolve();
    },
  });
  const openShown: TableEditors['openShown'] = async (_profile, _table, state) => void (shown = state);
  const tables = { openShown } as TableEditors;
  const request = { text, kind, tables: [] };
  await openFoundRow({ project: client.project(projectId), tables }, {} as Profile, run.cellAt(0)!, request);
  return shown;
}

test('a table with a primary key opens at the row with this key, at the found cell', async () => {
  await execute('CREATE TABLE parts (town TEXT, number INTEGER, code BLOB, name, PRIMARY KEY (town, number, code))');
  await execute(`INSERT INTO parts VALUES ('Ulm', 1, x'00ff', 'bolt'), ('Bern', 9007199254740993, x'41', 'nut')`);
  const filters = [
    { kind: 'equals', column: 0, text: 'Bern' },
    { kind: 'equals', column: 1, text: '9007199254740993' },
    { kind: 'equals', column: 2, text: "x'41'" },
  ] as const;
  const state = await opened('parts', 'nut');
  assert.deepEqual(state, {
    columns: ['town', 'number', 'code'],
    arrangement: { sort: [], filters },
    place: { row: 0, column: 3 },
  });
  // The filter shows this row.
  const run = await startTable({ client, projectId, name: 'parts' });
  await run.queries.arrange({ sort: [], filters: [...filters] });
  assert.equal(run.rowCount, 1);
  await run.dispose();
});

const place = (row: number, column: number) => ({
  columns: [],
  arrangement: { sort: [], filters: [] },
  place: { row, column },
});

test('a table without a key opens unfiltered at the place of the row, unless the row is gone', async () => {
  await execute('CREATE TABLE notes (a, b)');
  await execute(
    `INSERT INTO notes (rowid, a, b) VALUES (-5, 'one', 1), (10, 'two', 2), (9007199254740993, 'three', 3)`,
  );
  assert.deepEqual(await opened('notes', 'three'), place(2, 0));
  assert.deepEqual(await opened('notes', '2', { kind: 'equals' }), place(1, 1));
  const gone = await opened('notes', 'two', { beforeOpening: 'DELETE FROM notes WHERE rowid = 10' });
  assert.equal(gone, 'This row no longer exists. Search again.');
});

test('a view opens with the rows whose column has the value', async () => {
  await execute('CREATE TABLE under_view (a, b)');
  await execute(`INSERT INTO under_view VALUES ('x', 'y')`);
  await execute('CREATE VIEW view_over AS SELECT b, a FROM under_view');
  assert.deepEqual(await opened('view_over', 'x', { kind: 'startsWith' }), {
    columns: ['a'],
    arrangement: { sort: [], filters: [{ kind: 'startsWith', column: 0, text: 'x' }] },
    place: { row: 0, column: 1 },
  });
});
