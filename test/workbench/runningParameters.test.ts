import assert from 'node:assert/strict';
import { startServiceWith } from '../support/ownProject.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import { openOwnFile, openScriptedFile } from '../support/sqlEditor.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import type { ThemeKind } from '../support/workbench/session.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];
const asking = `SELECT typeof(?) AS kind, ? AS word
FROM customers WHERE id = ?;
`;

workbenchTest(
  'the parameters of a statement are asked for in one form, bound as their types, and remembered',
  { files: { 'ask.sql': asking } },
  async session => {
    const { page } = session;
    const form = new QuickInput(page);
    const title = 'Parameters of the statement in Sample Shop';
    await session.openFile('ask.sql');
    await pressRun(session);
    await form.asked(title);
    await form.root.getByRole('option', { name: /^3\. customers\.id.*no value yet · integer/ }).waitFor();
    await page.keyboard.press('Enter');
    await form.asked('Parameter 1 of 3');
    await form.root.getByRole('button', { name: 'Bind as integer' }).press('Enter');
    await form.field.fill('12x');
    await form.root.getByText(/An integer is digits/).waitFor();
    await form.answer('Parameter 1 of 3', '9007199254740993');
    // The next that has no value is the one that Enter goes to.
    await form.asked(title);
    await form.root.getByText('2 values are missing', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await form.answer('Parameter 2 of 3', "it's <b>'; DROP TABLE x --");
    await form.asked(title);
    await form.root.getByText('1 value is missing', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await form.answer('Parameter 3 of 3', '1');
    await form.root.getByRole('option', { name: /^1\. .*9007199254740993 · integer/ }).waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      await session.screenshot(`parameters-${kind}`);
    }
    await page.keyboard.press('Enter');
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: 'integer', exact: true }).waitFor();
    await results.getByRole('gridcell', { name: "it's <b>'; DROP TABLE x --", exact: true }).waitFor();

    // The last values are there again, also after a restart of the window.
    await session.reload();
    await session.openFile('ask.sql');
    await pressRun(session);
    await form.root.getByRole('option', { name: /^2\. .*DROP TABLE x --' · text/ }).click();
    await form.asked('Parameter 2 of 3');
    await form.root.getByRole('button', { name: 'Bind NULL' }).press('Enter');
    await form.root.getByRole('option', { name: /^2\. .*NULL/ }).waitFor();
    await page.keyboard.press('Enter');
    const again = await session.webviewFrame('SQL Results');
    await again.getByRole('gridcell', { name: 'NULL', exact: true }).waitFor();
  },
);

const late = `-- @project Kept
SELECT * FROM pets, owners WHERE pets.id = ? AND owners.age > ? AND owners.weight < ?;
`;

sharingTest(
  'the form is there before columns are known, and takes them in without changing what somebody did',
  { files: { 'late.sql': late } },
  async session => {
    const { page } = session;
    const form = new QuickInput(page);
    const known = { pets: Promise.withResolvers<void>(), owners: Promise.withResolvers<void>() };
    await using server = await startScriptedServer((response, request) => {
      const table = /\/tables\/(pets|owners)\/schema$/.exec(request.path)?.[1];
      if (table === undefined) return reply({ rows: [], columns: [], ok: true })(response, request);
      const columns = ['id', 'age', 'weight'].map(name => ({ name, type: 'INTEGER' }));
      void known[table as keyof typeof known].promise.then(() => reply({ table, columns })(response, request));
    });
    await openScriptedFile(session, server.url, 'late.sql');
    await goToLine(session, 2);
    await pressRun(session);
    await form.root.getByRole('option', { name: /^1\. pets\.id.*no value yet · text/ }).waitFor();
    await page.keyboard.press('Enter');
    await form.asked('Parameter 1 of 3: pets.id (text)');
    known.pets.resolve();
    await form.asked('Parameter 1 of 3: pets.id (integer)');
    await form.field.fill('7');
    await page.keyboard.press('Enter');
    await form.root.getByRole('option', { name: /^1\. .*7 · integer/ }).waitFor();
    await page.keyboard.press('Enter');
    await form.asked('Parameter 2 of 3: owners.age (text)');
    await form.field.fill('old');
    await page.keyboard.press('Enter');
    await form.root.getByRole('option', { name: /^2\. .*'old' · text/ }).waitFor();
    // What is learned in the moment of a key does not take it back.
    const pressed = page.keyboard.press('ArrowUp');
    known.owners.resolve();
    await pressed;
    const active = form.root.locator('.monaco-list-row.focused');
    await form.root.getByRole('option', { name: /^3\. owners\.weight.*no value yet · integer/ }).waitFor();
    await active.filter({ hasText: '2. owners.age' }).waitFor();
    await form.root.getByRole('option', { name: /^2\. .*'old' · text/ }).waitFor();
  },
);

sharingTest('Escape leaves the form and runs nothing', { files: { 'ask.sql': asking } }, async session => {
  const form = new QuickInput(session.page);
  await session.openFile('ask.sql');
  await pressRun(session);
  await form.asked('Parameters of the statement');
  await session.page.keyboard.press('Enter');
  await form.asked('Parameter 1 of 3');
  await session.page.keyboard.press('Escape');
  await form.asked('Parameters of the statement');
  await session.page.keyboard.press('Escape');
  await session.waitForEditorFocus();
  assert.equal(await session.page.locator('iframe.webview').count(), 0);
});

const above = `-- @params [9007199254740993, "x", 5.0]
SELECT ? AS big, ? AS word, ? / 2 AS half;

-- @params [1]
SELECT ? AS one, ? AS two;

SELECT :name AS named;
`;

sharingTest(
  'a line above a statement fills its parameters; a wrong one, and parameters with names, run nothing',
  { files: { 'above.sql': above } },
  async session => {
    await session.openFile('above.sql');
    await goToLine(session, 5);
    await pressRun(session);
    await session.notifications
      .filter({
        hasText: 'must hold as many values as the statement below it has parameters, 2. It holds 1. Nothing was run.',
      })
      .waitFor();
    await goToLine(session, 7);
    await pressRun(session);
    await session.notifications.filter({ hasText: 'and no :name. Write ? in its place.' }).waitFor();
    assert.equal(await session.page.locator('iframe.webview').count(), 0);
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '9007199254740993', exact: true }).waitFor();
    await results.getByRole('gridcell', { name: 'x', exact: true }).waitFor();
    await results.getByRole('gridcell', { name: '2.5', exact: true }).waitFor();
  },
);

sharingTest(
  'nobody is asked for the values of a statement that is refused',
  { files: { 'pets.sql': '-- @project Own\nDELETE FROM pets WHERE name = ?;\n' } },
  async session => {
    await using service = await startServiceWith('CREATE TABLE pets(name)');
    await openOwnFile(session, service, 'pets.sql');
    const { baseUrl, projectId } = service;
    await session.setFolderSettings({
      'sqlProjects.projects': [{ name: 'Own', baseUrl, projectId, protection: 'readOnly' }],
    });
    await session.page.locator('.statusbar-item').filter({ hasText: 'Own (read-only)' }).waitFor();
    await goToLine(session, 2);
    await pressRun(session);
    await session.notifications.filter({ hasText: 'Own is read-only, and this statement writes.' }).waitFor();
    await session.waitForEditorFocus();
  },
);
