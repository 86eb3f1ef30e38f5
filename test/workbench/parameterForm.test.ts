import assert from 'node:assert/strict';
import { type ParameterForm, waitForParameterForm } from '../support/parameterForm.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import { openScriptedFile } from '../support/sqlEditor.ts';
import { goToLine, pressRun } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

// test/webview/grid/parameters.test.ts tests the form by itself.
/** Runs a statement with parameters and waits until its form has the focus. */
async function openForm(session: WorkbenchSession, project: string): Promise<ParameterForm> {
  await pressRun(session);
  return waitForParameterForm(session, project);
}

const lateScript = `-- @project Scripted
SELECT * FROM pets, owners WHERE pets.id = ? AND owners.age > ? AND owners.weight < ?;
`;

workbenchTest(
  'the form opens before columns are known, and keeps what the user entered when they arrive',
  { files: { 'late.sql': lateScript } },
  async session => {
    const known = { pets: Promise.withResolvers<void>(), owners: Promise.withResolvers<void>() };
    await using server = await startScriptedServer((response, request) => {
      const table = /\/tables\/(pets|owners)\/schema$/.exec(request.path)?.[1];
      if (table === undefined) return reply({ rows: [], columns: [], ok: true })(response, request);
      const columns = ['id', 'age', 'weight'].map(name => ({ name, type: 'INTEGER' }));
      void known[table as keyof typeof known].promise.then(() => reply({ table, columns })(response, request));
    });
    await openScriptedFile(session, server.url, 'late.sql');
    await goToLine(session, 2);
    const form = await openForm(session, 'Scripted');
    await form.field(1).and(form.root.getByPlaceholder('text, required')).waitFor();
    known.pets.resolve();
    await form.field(1).and(form.root.getByPlaceholder('integer, required')).waitFor();
    await form.field(2).fill('old');
    known.owners.resolve();
    await form.field(3).and(form.root.getByPlaceholder('integer, required')).waitFor();
    await form.field(2).and(form.root.locator('input:focus')).waitFor();
    // The type is that of the text, not of the column that arrived later.
    assert.equal(await form.root.getByRole('combobox', { name: /^Type of 2/ }).inputValue(), 'text');
    assert.equal(await form.field(2).inputValue(), 'old');
    await session.page.keyboard.press('Escape');
    await form.root.waitFor({ state: 'hidden' });
  },
);

workbenchTest(
  'Escape closes the form and runs nothing',
  { files: { 'escape.sql': 'SELECT ? AS one, ? AS two;' } },
  async session => {
    await session.openFile('escape.sql');
    const form = await openForm(session, 'Sample Shop');
    await session.page.keyboard.press('Escape');
    await session.waitForEditorFocus();
    await form.root.waitFor({ state: 'hidden' });
    await form.results.getByRole('columnheader', { name: 'one' }).waitFor({ state: 'hidden' });
  },
);
