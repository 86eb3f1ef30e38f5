import assert from 'node:assert/strict';
import { startServiceWith } from '../support/ownProject.ts';
import { goToLine, pressRun } from '../support/sampleProject.ts';
import { expectMarks, openOwnFile, openScriptedFile } from '../support/sqlEditor.ts';
import { reply, stall, startScriptedServer } from '../support/scriptedServer.ts';
import type { TestService } from '../support/testService.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const pets = 'CREATE TABLE pets(name)';
const script = `-- @project Own
INSERT INTO pets VALUES ('Ann');
INSERT INTO nowhere VALUES (1);
INSERT INTO pets VALUES ('Bob');
`;

async function petsOf({ client, projectId }: TestService): Promise<unknown> {
  const { rows } = await client.execSql(projectId, { sql: 'SELECT group_concat(name) AS names FROM pets' });
  return rows[0]?.['names'];
}

async function runAll(session: WorkbenchSession): Promise<void> {
  await session.waitForEditorFocus();
  await session.runCommand('SQL Projects: Run All Statements');
}

sharingTest(
  'a script runs one statement after another and asks at a fault; told to stop, it says what was not run',
  { files: { 'script.sql': script } },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'script.sql');
    await runAll(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run the rest of it?' });
    await question.getByText('no such table: nowhere').waitFor();
    await expectMarks(session, 'ok', 'failed');
    await session.screenshot('script-fault');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await session.notifications.filter({ hasText: /1 of 3 statements ran in .* Failed: 1. Not run: 1./ }).waitFor();
    assert.equal(await petsOf(service), 'Ann');
  },
);

sharingTest(
  'of a long script what is in view has marks, wherever it is scrolled to',
  { files: { 'long.sql': `-- @project Own\n${'SELECT 1 AS one;\n'.repeat(200)}` } },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'long.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: 'All 200 statements ran in' }).waitFor();
    await session.waitForEditorFocus();
    const marks = session.page.locator('.glyph-margin-widgets .cgmr');
    for (const key of ['Control+End', 'Control+Home']) {
      await session.page.keyboard.press(key);
      const line = key === 'Control+End' ? 'Ln 202, Col 1' : 'Ln 1, Col 1';
      await session.page.getByText(line, { exact: true }).waitFor();
      const isMarked = async (): Promise<boolean> => (await marks.count()) >= 5;
      await waitUntil(isMarked, { what: `nothing has marks at ${line}` });
    }
  },
);

sharingTest(
  'told to go on, it runs the rest, and with the setting it does not ask',
  { files: { 'unasked.sql': script }, settings: { 'sqlProjects.run.onFault': 'continue' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'unasked.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: /2 of 3 statements ran in .* Failed: 1./ }).waitFor();
    await expectMarks(session, 'ok', 'failed', 'ok');
    assert.equal(await petsOf(service), 'Ann,Bob');
  },
);

sharingTest(
  'of a selection each statement is run, and of a part of one just that part',
  {
    files: {
      'part.sql':
        "-- @project Own\nINSERT INTO pets VALUES ('Ann') ; INSERT INTO pets SELECT name || 's' FROM pets WHERE 0;\n",
    },
  },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'part.sql');
    await goToLine(session, 2);
    await session.page.keyboard.press('Shift+End');
    for (let step = 0; step < ' WHERE 0;'.length; step++) await session.page.keyboard.press('Shift+ArrowLeft');
    await session.runCommand('SQL Projects: Run Selection');
    await session.notifications.filter({ hasText: 'All 2 statements ran in' }).waitFor();
    assert.equal(await petsOf(service), 'Ann,Anns');
  },
);

sharingTest(
  'a transaction around a script cannot be sent; the script runs without it when it is told to',
  {
    files: {
      'tx.sql':
        "-- @project Own\nBEGIN;\nINSERT INTO pets VALUES ('Ann');\nINSERT INTO pets VALUES ('Bob');\nCOMMIT;\n",
    },
  },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'tx.sql');
    await runAll(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run the script without its transaction?' });
    await question.getByText(/each statement is a call of its own and commits by itself/).waitFor();
    await session.screenshot('script-transaction');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await session.waitForEditorFocus();
    assert.equal(await petsOf(service), null);
    await runAll(session);
    await question.getByRole('button', { name: 'Run Without It' }).click();
    await session.notifications.filter({ hasText: 'All 2 statements ran in' }).waitFor();
    assert.equal(await petsOf(service), 'Ann,Bob');
  },
);

const connected: Readonly<Record<string, RegExp>> = {
  'BEGIN;': /BEGIN cannot be sent: .*WITH, UPDATE … FROM or INSERT … SELECT/,
  "INSERT INTO pets VALUES ('Ann'); ROLLBACK;": /ROLLBACK cannot be sent: /,
  'CREATE TEMP TABLE t(a);': /CREATE TEMP TABLE t\(a\) cannot be sent: .*use a table that you drop/,
  'PRAGMA foreign_keys = ON;': /PRAGMA foreign_keys = ON cannot be sent: .*Leave it out/,
  "ATTACH 'x.db' AS x;": /ATTACH 'x.db' AS x cannot be sent: a project is one database/,
};

sharingTest(
  'what could not outlive its own call is not sent, and what to do instead is said',
  {
    files: Object.fromEntries(
      Object.keys(connected).map((sql, index) => [`file${index}.sql`, `-- @project Own\n${sql}\n`]),
    ),
  },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'file0.sql');
    for (const [index, sentence] of Object.values(connected).entries()) {
      await session.openFile(`file${index}.sql`);
      await runAll(session);
      const told = session.notifications.filter({ hasText: sentence });
      await told.getByText(/Nothing was run\.$/).waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
    }
    assert.equal(await petsOf(service), null);
    assert.equal(await session.page.locator('iframe.webview').count(), 0);
  },
);

sharingTest(
  'a script with a write is refused whole by a read-only project, and asked about once by one that asks',
  { files: { 'guarded.sql': `-- @project Own\nSELECT 1;\nINSERT INTO pets VALUES ('Ann');\nDELETE FROM pets;\n` } },
  async session => {
    await using service = await startServiceWith(`${pets}; INSERT INTO pets VALUES ('Old')`);
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
    assert.equal(await petsOf(service), null);
  },
);

sharingTest(
  'what empties or drops a table asks first in every project, with the rows that go',
  { files: { 'drop.sql': '-- @project Own\nUPDATE pets SET name = upper(name);\n\nDROP TABLE pets;\n' } },
  async session => {
    await using service = await startServiceWith(`${pets}; INSERT INTO pets VALUES ('Ann'), ('Bob')`);
    await openOwnFile(session, service, 'drop.sql');
    await goToLine(session, 2);
    await pressRun(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run this statement in Own?' });
    await question.getByText(/It changes every row of a table\. Rows that it touches now: 2\./).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await session.waitForEditorFocus();
    await goToLine(session, 4);
    await pressRun(session);
    await question.getByText(/It drops something with all that it holds\. Rows that it touches now: 2\./).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await session.waitForEditorFocus();
    assert.equal(await petsOf(service), 'Ann,Bob');
    await goToLine(session, 2);
    await pressRun(session);
    await question.getByRole('button', { name: 'Run' }).click();
    await expectMarks(session, 'ok');
    assert.equal(await petsOf(service), 'ANN,BOB');
  },
);

sharingTest(
  'the question before an UPDATE … FROM counts each row once, also in a table without rowids',
  {
    files: {
      'join.sql': `-- @project Own
UPDATE pets SET name = 'x' FROM owners WHERE true;
UPDATE few SET c = owners.n FROM owners WHERE true;
`,
    },
  },
  async session => {
    const tables = `${pets}; INSERT INTO pets VALUES ('Ann'), ('Bob'); CREATE TABLE owners(n);
      INSERT INTO owners VALUES (1), (2), (3); CREATE TABLE few(k PRIMARY KEY, c) WITHOUT ROWID; INSERT INTO few VALUES (1, 1)`;
    await using service = await startServiceWith(tables);
    await openOwnFile(session, service, 'join.sql');
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run this statement in Own?' });
    for (const [line, rows] of [
      [2, 2],
      [3, 1],
    ] as const) {
      await goToLine(session, line);
      await pressRun(session);
      await question.getByText(`Rows that it touches now: ${rows}.`).waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await session.waitForEditorFocus();
    }
  },
);

sharingTest(
  'a statement that may write is sent under a key of its own, and one that surely reads without any',
  {
    files: {
      'keys.sql': `-- @project Kept\nWITH a AS (SELECT 1) SELECT * FROM a;\nINSERT INTO a VALUES (1);\nVALUES (1);\nINSERT INTO a VALUES (2);\n`,
    },
  },
  async session => {
    await using server = await startScriptedServer(reply({ ok: true, row_count: 0 }));
    await openScriptedFile(session, server.url, 'keys.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: 'All 4 statements ran in' }).waitFor();
    const sent = server.requests.filter(({ path }) => path.endsWith('/sql'));
    const [first, ...keys] = [sent[1], sent[3], sent[0], sent[2]].map(one => one?.headers['x-idempotency-key']);
    assert.match(String(first), /^[\da-f-]{36}$/);
    assert.match(String(keys[0]), /^[\da-f-]{36}$/);
    assert.notEqual(first, keys[0]);
    assert.deepEqual(keys.slice(1), [undefined, undefined]);
  },
);

sharingTest(
  'a statement that stands twice in a script has two results',
  {
    files: {
      'twice.sql':
        "-- @project Own\nSELECT count(*) AS n FROM pets;\nINSERT INTO pets VALUES ('Ann');\nSELECT count(*) AS n FROM pets;\n",
    },
  },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'twice.sql');
    for (const [before, after] of [
      ['0', '1'],
      ['1', '2'],
    ] as const) {
      await runAll(session);
      await session.notifications.filter({ hasText: 'All 3 statements ran in' }).waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      const results = await session.webviewFrame('SQL Results');
      const tabs = results.getByRole('tab', { name: 'SELECT count(*) AS n FROM pets, Own' });
      await results.getByRole('gridcell', { name: after, exact: true }).waitFor();
      await tabs.first().click();
      await results.getByRole('gridcell', { name: before, exact: true }).waitFor();
      assert.equal(await results.getByRole('tab').count(), 3);
      await session.editorTab('twice.sql').click();
    }
  },
);

// A window of its own: it leaves a write running.
workbenchTest(
  'a script that is given up ends alone: what else runs from the file goes on',
  { files: { 'busy.sql': '-- @project Kept\nINSERT INTO a VALUES (0);\nSELECT 1;\nSELECT 2;\n' } },
  async session => {
    const { page } = session;
    await using server = await startScriptedServer(stall);
    await openScriptedFile(session, server.url, 'busy.sql');
    await goToLine(session, 2);
    await session.runCommand('SQL Projects: Run in Background');
    await expectMarks(session, 'running');
    await session.waitForEditorFocus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Control+End');
    await session.runCommand('SQL Projects: Run Selection');
    await expectMarks(session, 'running', 'running');
    await session.notifications.getByRole('button', { name: 'Cancel' }).click();
    await session.notifications.filter({ hasText: /0 of 2 statements ran in .* Given up: 1\. Not run: 1\./ }).waitFor();
    await expectMarks(session, 'running');
  },
);

sharingTest(
  'a line that names another project between statements is not followed, and nothing is sent',
  { files: { 'two.sql': '-- @project Own\nSELECT 1;\n-- @project Other\nINSERT INTO pets VALUES (1);\n' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openOwnFile(session, service, 'two.sql');
    await goToLine(session, 4);
    await pressRun(session);
    await session.notifications
      .filter({ hasText: 'The line -- @project Other does not stand at the head of the file' })
      .waitFor();
    assert.equal(await petsOf(service), null);
    await goToLine(session, 2);
    await pressRun(session);
    await expectMarks(session, 'ok');
  },
);
