import assert from 'node:assert/strict';
import { fillPets, petNames, petsService, runAll } from '../support/petScripts.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openOwnFile, openScriptedFile } from '../support/sqlEditor.ts';
import { reply, startScriptedProject } from '../support/scriptedServer.ts';
import { marginIcons } from '../support/workbench/editorParts.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest(
  'a long script shows marks wherever it is scrolled to',
  { files: { 'long.sql': `-- @project Own\n${'SELECT 1 AS one;\n'.repeat(130)}` } },
  async session => {
    await fillPets();
    await openOwnFile(session, petsService, 'long.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: '130 statements: 130 succeeded · ' }).waitFor();
    await session.waitForEditorFocus();
    const marks = marginIcons(session.page);
    for (const key of ['Control+End', 'Control+Home']) {
      await session.page.keyboard.press(key);
      await session.waitForCursor(key === 'Control+End' ? 132 : 1);
      const isMarked = async (): Promise<boolean> => (await marks.count()) >= 5;
      await waitUntil(isMarked, { what: `there are no marks after ${key}` });
    }
  },
);

workbenchTest(
  'a read-only project refuses a script that writes, and a project that confirms writes asks once',
  { files: { 'guarded.sql': `-- @project Own\nSELECT 1;\nINSERT INTO pets VALUES ('Ann');\nDELETE FROM pets;\n` } },
  async session => {
    await fillPets('Old');
    await openOwnFile(session, petsService, 'guarded.sql');
    const { baseUrl, projectId } = petsService;
    const protect = async (protection: string, shown: string): Promise<void> => {
      await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Own', baseUrl, projectId, protection }] });
      await statusItem(session.page, shown).waitFor();
    };
    await protect('readOnly', 'Own · Read-only');
    await runAll(session);
    await session.notifications
      .filter({
        hasText: /Own is read-only, and 2 of 3 statements may write\. Nothing was run: INSERT/,
      })
      .waitFor();
    await session.runCommand('Notifications: Clear All Notifications');
    await protect('confirmWrites', 'Own · Confirm writes');
    await runAll(session);
    const question = session.page
      .getByRole('dialog')
      .filter({ hasText: 'Run 3 statements in Own (127.0.0.1)? Check 2 statements first.' });
    await question.getByText("Delete all rows of 'pets'. It affects 1 row. There is no WHERE clause.").waitFor();
    await session.screenshot('script-question');
    await question.getByRole('button', { name: 'Run 3 Statements' }).click();
    // A protected project asks for the name of the table that loses its rows.
    await new QuickInput(session.page).answer("The project is protected. Type 'pets' to confirm.", 'pets');
    await session.notifications.filter({ hasText: '3 statements: 3 succeeded · ' }).waitFor();
    assert.equal(await petNames(), null);
  },
);

workbenchTest(
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
    await session.notifications.filter({ hasText: '4 statements: 4 succeeded · ' }).waitFor();
    // Setting the key sent a statement of its own.
    const keyOf = (sql: string): unknown => {
      const sent = server.requests.filter(({ body }) => body.includes(`"${sql}`));
      assert.equal(sent.length, 1, sql);
      return sent[0]?.headers['x-idempotency-key'];
    };
    const [firstWrite, secondWrite] = [keyOf('INSERT INTO a VALUES (1)'), keyOf('INSERT INTO a VALUES (2)')];
    const [firstRead, secondRead] = [keyOf('WITH a AS (SELECT 1) SELECT * FROM a'), keyOf('VALUES (1)')];
    assert.match(String(firstWrite), /^[\da-f-]{36}$/);
    assert.match(String(secondWrite), /^[\da-f-]{36}$/);
    assert.notEqual(firstWrite, secondWrite);
    assert.deepEqual([firstRead, secondRead], [undefined, undefined]);
  },
);

workbenchTest(
  'writes of a script that had run already are in its log, without tabs of their own',
  { files: { 'again.sql': '-- @project Scripted\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\n' } },
  async session => {
    const replayed = reply({ ok: true, row_count: 1 }, 200, { 'x-idempotency-replayed': 'true' });
    await using server = await startScriptedProject(replayed);
    await openScriptedFile(session, server.url, 'again.sql');
    await runAll(session);
    await session.notifications.filter({ hasText: '2 statements: 2 succeeded · ' }).waitFor();
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('grid').getByText('INSERT INTO a VALUES (2)').waitFor();
    assert.equal(await results.getByRole('tab').count(), 1);
  },
);

workbenchTest(
  'a statement that occurs twice in a script has two results',
  {
    files: {
      'twice.sql':
        "-- @project Own\nSELECT count(*) AS n FROM pets;\nINSERT INTO pets VALUES ('Ann');\nSELECT count(*) AS n FROM pets;\n",
    },
  },
  async session => {
    await fillPets();
    await openOwnFile(session, petsService, 'twice.sql');
    for (const [firstCount, lastCount] of [
      ['0', '1'],
      ['1', '2'],
    ] as const) {
      await runAll(session);
      await session.notifications.filter({ hasText: '3 statements: 3 succeeded · ' }).waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      const results = await session.webviewFrame('SQL Results');
      const tabs = results.getByRole('tab', { name: 'pets, Own' });
      await results.getByRole('gridcell', { name: lastCount, exact: true }).waitFor();
      await tabs.first().click();
      await results.getByRole('gridcell', { name: firstCount, exact: true }).waitFor();
      assert.equal(await results.getByRole('tab').count(), 3);
      await results.getByRole('tab', { name: /^Script Log/ }).waitFor();
      await session.editorTab('twice.sql').click();
    }
  },
);
