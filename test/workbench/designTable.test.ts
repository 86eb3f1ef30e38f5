import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import type { TestService } from '../support/testService.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { browseTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: menus, tabs, questions, reload. The tests of the page have the extension's own code and a service
 * behind it.
 */
const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, weight TEXT); INSERT INTO pets VALUES (1, 'Ida', '3.5')`;

const sqlOf = async ({ query }: TestService, table: string): Promise<string> =>
  String(await query(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`));

async function apply(session: WorkbenchSession, form: FrameLocator, button: string): Promise<void> {
  await form.getByRole('button', { name: 'Apply…' }).click();
  const dialog = session.page
    .getByRole('dialog')
    .filter({ hasText: /^Apply \d+ statements? to '|Apply \d+ statements? to '/ });
  await dialog.getByRole('button', { name: button }).click();
  await form.getByText('Nothing is changed.').waitFor();
}

workbenchTest(
  'a table is created from the tree, changed in place and rebuilt, and the tree and its rows follow',
  {},
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Shop', service, { protection: 'confirmWrites' });
    await chooseFromMenu(session, 'Shop', 'New Table…');
    const created = await session.webviewFrame('New Table');
    await created.getByRole('textbox', { name: 'Table name' }).fill('owners');
    await created.getByText('1 statement creates the table.').waitFor();
    await session.editorTab('● New Table').waitFor();
    await session.screenshot('designer-new-table');
    await apply(session, created, 'Apply 1 Statement');
    await session.editorTab('Design owners').waitFor();
    await session.treeItem('owners').waitFor();
    assert.match(await sqlOf(service, 'owners'), /^CREATE TABLE owners/);

    const rows = await browseTable(session, 'pets');
    await rows.getByRole('columnheader', { name: /^weight/ }).waitFor();
    await chooseFromMenu(session, 'pets', 'Design Table');
    const form = await session.webviewFrame('Design pets');
    await form.getByRole('textbox', { name: 'Name of name' }).fill('called');
    await form.getByRole('button', { name: 'Add Column' }).click();
    await form.getByText('2 statements change the table in place.').waitFor();
    await apply(session, form, 'Apply 2 Statements');
    assert.match(await sqlOf(service, 'pets'), /called TEXT, weight TEXT, column4 TEXT/);
    await session.editorTab('pets').click();
    await (await session.webviewFrame('pets')).getByRole('columnheader', { name: /^called/ }).waitFor();

    await session.editorTab('Design pets').click();
    const again = await session.webviewFrame('Design pets');
    await again.getByRole('combobox', { name: 'Type of weight' }).fill('REAL');
    await again.getByText('SQLite cannot make this change in place.').waitFor();
    await again.getByRole('button', { name: 'Apply…' }).click();
    const dialog = session.page.getByRole('dialog').filter({ hasText: /Apply \d+ statements to 'pets'/ });
    await session.screenshot('designer-review');
    await dialog.getByRole('button', { name: /^Apply \d+ Statements$/ }).click();
    // The project is protected, and a rebuild touches every row.
    await new QuickInput(session.page).answer("The project is protected. Type 'pets' to confirm.", 'pets');
    await again.getByText('Nothing is changed.').waitFor();
    assert.match(await sqlOf(service, 'pets'), /weight REAL/);
    assert.deepEqual(await service.query('SELECT * FROM pets'), [[1, 'Ida', 3.5, null]]);
  },
);
