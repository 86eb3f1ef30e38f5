import { defaultPathPrefix } from '../../src/wire/paths.ts';
import { routePath } from '../../src/wire/routes.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject } from '../support/sampleProject.ts';
import type { TestService } from '../support/testService.ts';
import { browseTable, goToTableRow } from '../support/windowTable.ts';
import { issueSampleKey } from '../support/projectKeys.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: its panels, inputs, commands and reload. browsedTable.test.ts of the grid tests the pages with the
 * extension's own code behind them, tableEditors.test.ts of the host the tabs and their restoring.
 */

workbenchTest('Go to Row takes a number with groups of digits, and says where the table ends', {}, async session => {
  await openSampleProject(session);
  const table = await browseTable(session, 'order_lines');
  await table.getByText(/of 1,000\+/).waitFor();
  await goToTableRow(session, '4,000');
  await table.locator('[role="row"][aria-rowindex="4001"]').getByRole('gridcell').first().waitFor();
  await goToTableRow(session, '9000000');
  await session.page.getByText(/'order_lines' ends at row 100,000/).waitFor();
  await table.getByText(/^Rows [\d,]+–([\d,]+) of \1/).waitFor();
});

const partsTable =
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT);' +
  "INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 1200) SELECT i, 'part ' || i FROM i";

workbenchTest('an export says how many rows it wrote, also those added after the prompt', {}, async session => {
  await using service = await startServiceWith(partsTable);
  await openProjectOf(session, 'Parts', service);
  const table = await browseTable(session, 'parts');
  await table.getByRole('button', { name: 'Export…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByText('1,200 rows').first().waitFor();
  await service.query("INSERT INTO parts(name) VALUES ('late')");
  // The other tests of exports begin with the format of this one, since VS Code remembers it for all windows.
  await session.page.keyboard.press('Enter');
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported 1,201 rows to parts.csv.' }).waitFor();
});

workbenchTest('a table that is hidden and shown again is where it was', {}, async session => {
  await openSampleProject(session);
  const table = await browseTable(session, 'order_lines');
  await table.getByText(/of 1,000\+/).waitFor();
  await goToTableRow(session, '700');
  await table.getByText('Row 700 · order_id').waitFor();
  await browseTable(session, 'categories');
  await session.editorTab('order_lines').click();
  const shownAgain = await session.webviewFrame('order_lines');
  await shownAgain.getByText('Row 700 · order_id').waitFor();
  await shownAgain.locator('[role="row"][aria-rowindex="701"]').getByRole('gridcell').first().waitFor();
});

workbenchTest(
  'Browse Table in the palette asks for the table, and with one project not for the project',
  {},
  async session => {
    await openSampleProject(session);
    await session.runCommand('SQL Projects: Browse Table');
    await session.page.getByRole('option', { name: 'categories' }).click();
    const table = await session.webviewFrame('categories');
    await table.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
  },
);

async function revokeKeys({ projectId, adminKey, baseUrl }: TestService): Promise<void> {
  const keys = `${routePath(defaultPathPrefix, { name: 'listKeys' })}?project_id=${projectId}`;
  const headers = { 'x-api-key': adminKey };
  const listed = (await (await fetch(baseUrl + keys, { headers })).json()) as {
    keys: { key_id: string }[];
  };
  for (const { key_id: keyId } of listed.keys) {
    await fetch(baseUrl + routePath(defaultPathPrefix, { name: 'revokeKey', keyId }), {
      headers,
      method: 'POST',
      body: '{}',
    });
  }
}

workbenchTest('Set API Key replaces a revoked key, and the missing rows arrive', {}, async session => {
  await using service = await startServiceWith(partsTable);
  await openProjectOf(session, 'Parts', service, { retries: 1 });
  const table = await browseTable(session, 'parts');
  await table.getByText(/^Rows 1–\d+ of 1,000\+$/).waitFor();
  await table.getByRole('gridcell', { name: 'part 1', exact: true }).click();
  await revokeKeys(service);
  await session.page.keyboard.press('Control+End');
  const alert = table.getByRole('alert').filter({ hasText: 'The service rejected the API key.', visible: true });
  await alert.waitFor();
  const { apiKey: newKey } = await issueSampleKey(service.admin);
  await table.getByRole('button', { name: 'Set API Key', exact: true }).click();
  await session.page.locator('input[type="password"]').fill(newKey);
  await session.page.keyboard.press('Enter');
  await alert.waitFor({ state: 'detached' });
  await table.getByText(/of 1,200/).waitFor();
});

workbenchTest('after a reload a sorted table is sorted, and at the same row', {}, async session => {
  await openSampleProject(session);
  const table = await browseTable(session, 'customers');
  const header = table.getByRole('columnheader', { name: 'id' });
  await header.click();
  await table.getByText(/^sorted by /).waitFor();
  await header.click();
  await table.getByRole('gridcell', { name: '2000', exact: true }).waitFor();
  await goToTableRow(session, '1500');
  await table.getByText('Row 1,500 · id').waitFor();
  await session.reload();
  const restored = await session.webviewFrame('customers');
  await restored.getByText(/^sorted by /).waitFor();
  await restored.locator('[role="row"][aria-rowindex="1501"]').getByRole('gridcell', { name: '501' }).first().waitFor();
});
