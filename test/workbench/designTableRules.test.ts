import assert from 'node:assert/strict';
import { fieldHolds } from '../support/fieldHolds.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import type { TestService } from '../support/testService.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: menus, tabs, questions, reload. The tests of the page have the extension's own code and a service
 * behind it.
 */
const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, weight TEXT); INSERT INTO pets VALUES (1, 'Ida', '3.5')`;

const sqlOf = async ({ query }: TestService, table: string): Promise<string> =>
  String(await query(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`));

workbenchTest(
  'a table is renamed from the tree after a review, and a taken name is refused at once',
  {},
  async session => {
    await using service = await startServiceWith(`${pets}; CREATE TABLE owners(id)`);
    await openProjectOf(session, 'Shop', service);
    await chooseFromMenu(session, 'pets', 'Rename Table…');
    const input = new QuickInput(session.page);
    await input.waitForPrompt('The new name of the table');
    await input.field.fill('Owners');
    await session.page.getByText("'owners' already exists in this project.").waitFor();
    await input.field.fill('animals');
    await input.waitForPrompt('The new name of the table');
    await session.page.keyboard.press('Enter');
    const dialog = session.page.getByRole('dialog').filter({ hasText: "Rename 'pets' to 'animals'" });
    await dialog.getByText('ALTER TABLE pets RENAME TO animals').waitFor();
    await dialog.getByRole('button', { name: 'Rename Table' }).click();
    await session.treeItem('animals').waitFor();
    await session.treeItem('pets').waitFor({ state: 'detached' });
  },
);

workbenchTest('a read-only project cannot be designed and says why', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Shop', service, { protection: 'readOnly' });
  for (const [item, command] of [
    ['Shop', 'New Table…'],
    ['pets', 'Design Table'],
    ['pets', 'Rename Table…'],
  ] as const) {
    await chooseFromMenu(session, item, command);
    // VS Code shows at most three toasts within 800 ms. Its list of notifications has all.
    await session.runCommand('Notifications: Show Notifications');
    const refusal = session.notifications.filter({
      hasText: "'Shop' is read-only. Change its protection to create or change tables.",
    });
    await refusal.getByRole('button', { name: 'Change Protection' }).waitFor();
    await session.runCommand('Notifications: Clear All Notifications');
    await refusal.waitFor({ state: 'detached' });
  }
  assert.equal(await session.editorTab('Design pets').count(), 0);
});

workbenchTest('edits survive a reload, and closing the tab asks about them', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Shop', service);
  await chooseFromMenu(session, 'pets', 'Design Table');
  const form = await session.webviewFrame('Design pets');
  await form.getByRole('textbox', { name: 'Name of name' }).fill('called');
  await form.getByText('1 statement changes the table in place.').waitFor();
  await session.editorTab('● Design pets').waitFor();
  await session.reload();
  await session.editorTab('● Design pets').waitFor();
  const restored = await session.webviewFrame('● Design pets');
  await fieldHolds(restored.getByRole('textbox', { name: 'Name of called' }), 'called');
  await session.runCommand('View: Close Editor');
  const question = session.page
    .getByRole('dialog')
    .filter({ hasText: "The changes to the design of 'pets' are not applied." });
  await question.getByRole('button', { name: 'Reopen' }).click();
  await session.editorTab('● Design pets').waitFor();
  const reopened = await session.webviewFrame('● Design pets');
  await fieldHolds(reopened.getByRole('textbox', { name: 'Name of called' }), 'called');
  await session.runCommand('View: Close Editor');
  await question.getByRole('button', { name: 'Discard Changes' }).click();
  await session.editorTab('● Design pets').waitFor({ state: 'detached' });
  assert.match(await sqlOf(service, 'pets'), /name TEXT/);
});
