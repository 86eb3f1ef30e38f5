import { type ParameterForm, waitForParameterForm } from '../support/parameterForm.ts';
import { pressRun } from '../support/sampleProject.ts';
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

workbenchTest(
  'one form asks for the parameters of a statement, binds them as their types, and shows them again later',
  { files: { 'ask.sql': askingScript } },
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
  },
);
