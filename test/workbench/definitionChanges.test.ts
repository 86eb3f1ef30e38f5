import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { goToLine, openSampleProject, pressRun } from '../support/sampleProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  CREATE INDEX pets_by_name ON pets(name)`;

workbenchTest('open definitions are restored after a reload', {}, async session => {
  const definition = session.page.getByRole('code').getByText('CREATE TABLE orders');
  await openSampleProject(session);
  await chooseFromMenu(session, 'orders', 'Show Definition');
  await definition.first().waitFor();
  await session.reload();
  await session.editorTab('orders.sql').waitFor();
  await definition.first().waitFor();
});

workbenchTest(
  'a definition follows DDL, and says that its object is gone',
  { files: { 'change.sql': '-- @project Pets\nALTER TABLE pets ADD COLUMN age INT;\nDROP TABLE pets;' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    await chooseFromMenu(session, 'pets', 'Show Definition');
    const editor = session.page.getByRole('code');
    await editor.getByText('CREATE TABLE pets(id').waitFor();
    const show = async (): Promise<void> => session.editorTab('pets.sql').click();
    for (const [line, statement, shown] of [
      [2, 'ALTER TABLE pets', 'age INT'],
      [3, 'DROP TABLE pets', "-- Pets has no 'pets'."],
    ] as const) {
      await session.openFile('change.sql');
      await goToLine(session, line);
      await pressRun(session);
      // DROP asks for a confirmation.
      if (line === 3) await session.page.getByRole('dialog').getByRole('button', { name: 'Drop Table' }).click();
      // VS Code passes a command on a moment later, to the editor that is in front then.
      const results = await session.webviewFrame('SQL Results');
      await results.getByRole('tab', { name: statement, selected: true }).waitFor();
      await show();
      await editor.getByText(shown).first().waitFor();
    }
  },
);
