import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startServiceWith } from '../support/ownProject.ts';
import { goToLine } from '../support/sampleProject.ts';
import { expectMarks, openOwnFile, openScriptedFile } from '../support/sqlEditor.ts';
import { reply, startScriptedProject } from '../support/scriptedServer.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

// All tests share a service, so that a window enters its key once.
const service = await startServiceWith('CREATE TABLE pets(name)');
after(() => service[Symbol.asyncDispose]());

const script = `-- @project Own
INSERT INTO pets VALUES ('Ann');
INSERT INTO nowhere VALUES (1);
INSERT INTO pets VALUES ('Bob');
`;

async function fillPets(...names: readonly string[]): Promise<void> {
  await service.client.execSql(service.projectId, { sql: 'DELETE FROM pets' });
  for (const name of names) {
    await service.client.execSql(service.projectId, { sql: 'INSERT INTO pets VALUES (?)', params: [name] });
  }
}

async function petNames(): Promise<unknown> {
  const sql = 'SELECT group_concat(name) AS names FROM pets';
  const { rows } = await service.client.execSql(service.projectId, { sql });
  return rows[0]?.['names'];
}

async function runAll(session: WorkbenchSession): Promise<void> {
  await session.waitForEditorFocus();
  await session.runCommand('SQL Projects: Run All Statements');
}

sharingTest(
  'at a fault a script asks whether to run the rest, and its summary says what was not run',
  { files: { 'script.sql': script } },
  async session => {
    await fillPets();
    await openOwnFile(session, service, 'script.sql');
    await runAll(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run the rest of it?' });
    await question.getByText('no such table: nowhere').waitFor();
    await expectMarks(session, 'ok', 'failed');
    await session.screenshot('script-fault');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await session.notifications.filter({ hasText: /1 of 3 statements ran in .* Failed: 1. Not run: 1./ }).waitFor();
    assert.equal(await petNames(), 'Ann');
  },
);

sharingTest(
  'a long script shows marks wherever it is scrolled to',
  { files: { 'long.sql': `-- @project Own\n${'SELECT 1 AS one;\n'.repeat(130)}` } },
  async session => {
    await fillPets();
    await openOwnFile(session, service, 'long.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: 'All 130 statements ran in' }).waitFor();
    await session.waitForEditorFocus();
    const marks = session.page.locator('.glyph-margin-widgets .cgmr');
    for (const key of ['Control+End', 'Control+Home']) {
      await session.page.keyboard.press(key);
      const line = key === 'Control+End' ? 'Ln 132, Col 1' : 'Ln 1, Col 1';
      await session.page.getByText(line, { exact: true }).waitFor();
      const isMarked = async (): Promise<boolean> => (await marks.count()) >= 5;
      await waitUntil(isMarked, { what: `there are no marks at ${line}` });
    }
  },
);

sharingTest(
  'Run Selection runs the statements of all selections',
  {
    files: {
      'selections.sql':
        "-- @project Own\nINSERT INTO pets VALUES ('Ann');\nINSERT INTO pets VALUES ('Bob');\nSELECT 1;\n",
    },
  },
  async session => {
    await fillPets();
    await openOwnFile(session, service, 'selections.sql');
    await goToLine(session, 2);
    await session.runCommand('Add Cursor Below');
    await session.waitForEditorFocus();
    await session.page.keyboard.press('Shift+End');
    await session.runCommand('SQL Projects: Run Selection');
    await session.notifications.filter({ hasText: 'All 2 statements ran in' }).waitFor();
    await expectMarks(session, 'ok', 'ok');
    assert.equal(await petNames(), 'Ann,Bob');
  },
);

sharingTest(
  'a read-only project refuses a script that writes, and a project that confirms writes asks once',
  { files: { 'guarded.sql': `-- @project Own\nSELECT 1;\nINSERT INTO pets VALUES ('Ann');\nDELETE FROM pets;\n` } },
  async session => {
    await fillPets('Old');
    await openOwnFile(session, service, 'guarded.sql');
    const { baseUrl, projectId } = service;
    const protect = async (protection: string, shown: string): Promise<void> => {
      await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Own', baseUrl, projectId, protection }] });
      await session.page.locator('.statusbar-item').filter({ hasText: shown }).waitFor();
    };
    await protect('readOnly', 'Own (read-only)');
    await runAll(session);
    await session.notifications
      .filter({
        hasText: /Own is read-only, and 2 of the 3 statements are not surely reads\. Nothing was run: INSERT/,
      })
      .waitFor();
    await session.runCommand('Notifications: Clear All Notifications');
    await protect('confirmWrites', 'Own (asks before writes)');
    await runAll(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run 3 statements in Own?' });
    await question.getByText(/It deletes every row of a table\. Rows that it touches now: 1\./).waitFor();
    await session.screenshot('script-question');
    await question.getByRole('button', { name: 'Run' }).click();
    await session.notifications.filter({ hasText: 'All 3 statements ran in' }).waitFor();
    assert.equal(await petNames(), null);
  },
);

sharingTest(
  'a statement that may write is sent with an idempotency key of its own, and a read without one',
  {
    files: {
      'keys.sql': `-- @project Scripted\nWITH a AS (SELECT 1) SELECT * FROM a;\nINSERT INTO a VALUES (1);\nVALUES (1);\nINSERT INTO a VALUES (2);\n`,
    },
  },
  async session => {
    await using server = await startScriptedProject(reply({ ok: true, row_count: 0 }));
    await openScriptedFile(session, server.url, 'keys.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: 'All 4 statements ran in' }).waitFor();
    const sent = server.requests.filter(({ path }) => path.endsWith('/sql'));
    const keys = sent.map(({ headers }) => headers['x-idempotency-key']);
    const [firstRead, firstWrite, secondRead, secondWrite] = keys;
    assert.match(String(firstWrite), /^[\da-f-]{36}$/);
    assert.match(String(secondWrite), /^[\da-f-]{36}$/);
    assert.notEqual(firstWrite, secondWrite);
    assert.deepEqual([firstRead, secondRead], [undefined, undefined]);
  },
);

sharingTest(
  'a statement that occurs twice in a script has two results',
  {
    files: {
      'twice.sql':
        "-- @project Own\nSELECT count(*) AS n FROM pets;\nINSERT INTO pets VALUES ('Ann');\nSELECT count(*) AS n FROM pets;\n",
    },
  },
  async session => {
    await fillPets();
    await openOwnFile(session, service, 'twice.sql');
    for (const [firstCount, lastCount] of [
      ['0', '1'],
      ['1', '2'],
    ] as const) {
      await runAll(session);
      await session.notifications.filter({ hasText: 'All 3 statements ran in' }).waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      const results = await session.webviewFrame('SQL Results');
      const tabs = results.getByRole('tab', { name: 'SELECT count(*) AS n FROM pets, Own' });
      await results.getByRole('gridcell', { name: lastCount, exact: true }).waitFor();
      await tabs.first().click();
      await results.getByRole('gridcell', { name: firstCount, exact: true }).waitFor();
      assert.equal(await results.getByRole('tab').count(), 3);
      await session.editorTab('twice.sql').click();
    }
  },
);
