import assert from 'node:assert/strict';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `SELECT id, name FROM customers LIMIT 5;
SELECT 42 AS answer;
`;
const files = { 'shop.sql': script };
const firstTitle = 'SELECT id, name FROM customers LIMIT 5';

workbenchTest('a result moves into an editor, and the next one stands beside it', { files }, async session => {
  await openSampleProject(session);
  await session.openFile('shop.sql');
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell').first().waitFor();
  await session.runCommand('SQL Projects: Open Result in Editor');
  await session.editorTab(firstTitle).waitFor();
  const editor = await session.webviewFrame(firstTitle);
  await editor.getByRole('columnheader', { name: 'name' }).waitFor();
  await results.getByText('Run a statement to see its rows here.').waitFor();
  await session.editorTab('shop.sql').click();
  await goToLine(session, 2);
  await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
  await session.editorTab(firstTitle).click();
  const shownAgain = await session.webviewFrame(firstTitle);
  await shownAgain.getByRole('columnheader', { name: 'name' }).waitFor();
  assert.equal(await results.getByRole('gridcell', { name: '42', exact: true }).count(), 1);
});
