import assert from 'node:assert/strict';
import { join } from 'node:path';
import { QuickInput } from '../../support/quickInput.ts';
import { runFromKeyboard } from '../../support/sampleProject.ts';
import { chooseFromMenu } from '../../support/treeMenu.ts';
import { WindowTable } from '../../support/windowTable.ts';
import { openWorkerdService } from '../../support/workerdService.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const files = {
  'big.sql': 'SELECT count(*) AS lines, 9007199254740993 AS large FROM order_lines;\n',
  'pets.csv': 'id,name\n1,007\n2,1e5\n',
};

workbenchTest(
  'a project on Durable Objects is added, run, browsed, edited and filled from a file like any other',
  { ownProfile: {}, files },
  async session => {
    await using service = await openWorkerdService();
    await service.query('CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)');
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.page.getByRole('button', { name: 'Add Project', exact: true }).click();
    await input.answer('Address of the service', service.baseUrl);
    await input.answer(/^API key/, service.apiKey);
    await input.answer('Display name', 'Shop');
    // Its engine does not report its version.
    await session.notifications.filter({ hasText: /'Shop' answered in [\d.]+ m?s: 7 tables\./ }).waitFor();
    await chooseFromMenu(session, 'Shop', 'Test Connection');
    await session.notifications.filter({ hasText: /Limits of its engine 'durable'/ }).waitFor();

    await session.openFile('big.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '9007199254740993' }).waitFor();
    await results.getByRole('gridcell', { name: '100000' }).waitFor();

    await session.openView('SQL Projects');
    await session.expand('Shop');
    const table = await WindowTable.browse(session, 'customers');
    const nameSql = 'SELECT name FROM customers WHERE id = 1';
    assert.notDeepEqual(await service.query(nameSql), [['Somebody else']]);
    await table.type(0, 1, 'name', 'Somebody else');
    await table.waitForText('1 row to update');
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await service.query(nameSql), [['Somebody else']]);

    await chooseFromMenu(session, 'pets', 'Import Rows…');
    await input.chooseFile(join(session.folder, 'pets.csv'));
    await input.root.getByRole('option', { name: /Import 2 Rows/ }).click();
    await session.notifications.filter({ hasText: "Imported 2 rows into 'pets'." }).waitFor();
    assert.deepEqual(await service.query('SELECT * FROM pets ORDER BY id'), [
      [1, '007'],
      [2, '1e5'],
    ]);
  },
);
