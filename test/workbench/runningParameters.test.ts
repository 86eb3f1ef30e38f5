import assert from 'node:assert/strict';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import { openScriptedFile } from '../support/sqlEditor.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, pressRun } from '../support/sampleProject.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const askingScript = `SELECT typeof(?) AS kind, ? AS word
FROM customers WHERE id = ?;
`;

sharingTest(
  'one form asks for the parameters of a statement, binds them as their types, and shows them again later',
  { files: { 'ask.sql': askingScript } },
  async session => {
    const { page } = session;
    const form = new QuickInput(page);
    const title = 'Parameters of the statement in Sample Shop';
    await session.openFile('ask.sql');
    await pressRun(session);
    await form.waitForPrompt(title);
    await form.root.getByRole('option', { name: /^3\. customers\.id.*no value yet · integer/ }).waitFor();
    await page.keyboard.press('Enter');
    await form.waitForPrompt('Parameter 1 of 3');
    await form.root.getByRole('button', { name: 'Bind as integer' }).press('Enter');
    await form.field.fill('12x');
    await form.root.getByText(/An integer is digits/).waitFor();
    await form.answer('Parameter 1 of 3', '9007199254740993');
    // The next parameter without a value is active.
    await form.waitForPrompt(title);
    await form.root.getByText('2 values are missing', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await form.answer('Parameter 2 of 3', "it's <b>'; DROP TABLE x --");
    await form.waitForPrompt(title);
    await form.root.getByText('1 value is missing', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await form.answer('Parameter 3 of 3', '1');
    await form.root.getByRole('option', { name: /^1\. .*9007199254740993 · integer/ }).waitFor();
    await session.screenshot('parameters');
    await page.keyboard.press('Enter');
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: 'integer', exact: true }).waitFor();
    await results.getByRole('gridcell', { name: "it's <b>'; DROP TABLE x --", exact: true }).waitFor();

    await session.editorTab('ask.sql').click();
    await pressRun(session);
    await form.root.getByRole('option', { name: /^2\. .*DROP TABLE x --' · text/ }).click();
    await form.waitForPrompt('Parameter 2 of 3');
    await form.root.getByRole('button', { name: 'Bind NULL' }).press('Enter');
    await form.root.getByRole('option', { name: /^2\. .*NULL/ }).waitFor();
    await page.keyboard.press('Enter');
    const again = await session.webviewFrame('SQL Results');
    await again.getByRole('gridcell', { name: 'NULL', exact: true }).waitFor();
  },
);

const lateScript = `-- @project Scripted
SELECT * FROM pets, owners WHERE pets.id = ? AND owners.age > ? AND owners.weight < ?;
`;

sharingTest(
  'the form opens before columns are known, and keeps what the user entered when they arrive',
  { files: { 'late.sql': lateScript } },
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
    await form.waitForPrompt('Parameter 1 of 3: pets.id (text)');
    known.pets.resolve();
    await form.waitForPrompt('Parameter 1 of 3: pets.id (integer)');
    await form.field.fill('7');
    await page.keyboard.press('Enter');
    await form.root.getByRole('option', { name: /^1\. .*7 · integer/ }).waitFor();
    await page.keyboard.press('Enter');
    await form.waitForPrompt('Parameter 2 of 3: owners.age (text)');
    await form.field.fill('old');
    await page.keyboard.press('Enter');
    await form.root.getByRole('option', { name: /^2\. .*'old' · text/ }).waitFor();
    // Columns that arrive at the moment of a key do not undo it.
    const pressed = page.keyboard.press('ArrowUp');
    known.owners.resolve();
    await pressed;
    const active = form.root.locator('.monaco-list-row.focused');
    await form.root.getByRole('option', { name: /^3\. owners\.weight.*no value yet · integer/ }).waitFor();
    await active.filter({ hasText: '2. owners.age' }).waitFor();
    await form.root.getByRole('option', { name: /^2\. .*'old' · text/ }).waitFor();
  },
);

sharingTest(
  'Escape closes the form and runs nothing',
  { files: { 'escape.sql': 'SELECT ? AS one, ? AS two;' } },
  async session => {
    const form = new QuickInput(session.page);
    await session.openFile('escape.sql');
    await pressRun(session);
    await form.waitForPrompt('Parameters of the statement');
    await session.page.keyboard.press('Enter');
    await form.waitForPrompt('Parameter 1 of 2');
    await session.page.keyboard.press('Escape');
    await form.waitForPrompt('Parameters of the statement');
    await session.page.keyboard.press('Escape');
    await session.waitForEditorFocus();
    assert.equal(await session.page.locator('iframe.webview').count(), 0);
  },
);
