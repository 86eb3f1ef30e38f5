import assert from 'node:assert/strict';
import { type ParameterForm, waitForParameterForm } from '../support/parameterForm.ts';
import { goToLine, pressRun } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

// test/webview/grid/parameters.test.ts tests the form by itself.
/** Runs a statement with parameters and waits until its form has the focus. */
async function openForm(session: WorkbenchSession, project: string): Promise<ParameterForm> {
  await pressRun(session);
  return waitForParameterForm(session, project);
}

const askingScript = `SELECT typeof(?) AS kind, ? AS word
FROM customers WHERE id = ?;
`;

const namedScript = `SELECT ':word' AS text, :word || '-' || :word AS joined
FROM customers WHERE id = @id; -- :other

-- @params {"word": "x", "id": 1}
SELECT :word AS word, nope FROM customers WHERE id = @id;
`;

workbenchTest(
  'one form asks for the parameters of a statement, binds them as their types, and shows them again later',
  { files: { 'ask.sql': askingScript, 'named.sql': namedScript } },
  async session => {
    const { keyboard } = session.page;
    await session.openFile('ask.sql');
    const form = await openForm(session, 'Sample Shop');
    await form.field(3).and(form.root.getByPlaceholder('integer, required')).waitFor();
    await keyboard.type('9007199254740993');
    await keyboard.press('Tab');
    await keyboard.type("it's <b>'; DROP TABLE x --");
    await keyboard.press('Tab');
    await keyboard.type('1');
    await session.screenshot('parameters');
    await keyboard.press('Enter');
    await form.results.getByRole('gridcell', { name: 'integer', exact: true }).waitFor();
    await form.results.getByRole('gridcell', { name: "it's <b>'; DROP TABLE x --", exact: true }).waitFor();
    await session.waitForEditorFocus();

    const again = await openForm(session, 'Sample Shop');
    await again.root.getByRole('combobox', { name: /^Type of 2/ }).selectOption('null');
    await again.field(1).press('Enter');
    await again.results.getByRole('gridcell', { name: 'NULL', exact: true }).waitFor();

    await session.openFile('named.sql');
    const named = await openForm(session, 'Sample Shop');
    await named.root.getByText('@id (customers.id)').waitFor();
    assert.equal(await named.root.getByRole('textbox').count(), 2);
    await session.screenshot('namedParameters');
    await keyboard.type('ab');
    await keyboard.press('Tab');
    await keyboard.type('1');
    await keyboard.press('Enter');
    await named.results.getByRole('gridcell', { name: 'ab-ab', exact: true }).waitFor();
    await session.waitForEditorFocus();
    await session.runCommand('SQL Projects: Explain Query Plan');
    await named.results.getByRole('treeitem', { name: /^SEARCH customers USING INTEGER PRIMARY KEY/ }).waitFor();
    await goToLine(session, 5);
    await pressRun(session);
    await named.results.getByRole('alert').filter({ hasText: "Line 5, column 23: no such column 'nope'" }).waitFor();
  },
);
