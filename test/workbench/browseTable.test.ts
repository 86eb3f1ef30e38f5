import { openSampleProject } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest('a table is browsed in the grid, page after page as one scrolls', {}, async session => {
  await openSampleProject(session);
  await session.treeItem('order_lines').hover();
  await session.treeItem('order_lines').getByRole('button', { name: 'Browse Table' }).click();
  const results = await session.webviewFrame('SQL Results');
  // The page behind the one that is looked at is there already.
  await results.getByText(/^1,000 rows · more as you scroll/).waitFor();
  await results.getByRole('gridcell').first().click();
  await session.page.keyboard.press('Control+End');
  await results.getByText(/^1,500 rows · more as you scroll/).waitFor();
  await results.locator('[role="row"][aria-rowindex="1001"]').getByRole('gridcell').first().waitFor();
  await session.screenshot('browse-table');
});

workbenchTest('from the palette the table is chosen from a list', {}, async session => {
  await openSampleProject(session);
  await session.runCommand('SQL Projects: Browse Table');
  await session.page.getByRole('option', { name: 'Sample Shop' }).click();
  await session.page.getByRole('option', { name: 'categories' }).click();
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
});
