import assert from 'node:assert/strict';
import { startServiceWith } from '../../support/ownProject.ts';
import { runFromKeyboard } from '../../support/sampleProject.ts';
import { openOwnFile } from '../../support/sqlEditor.ts';
import { userSettings } from '../../support/workbench/settingsFile.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const script = `-- @project Own
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
SELECT i, (i * 7919) % 5000 AS mixed FROM n;
`;

// Windows with the same profile would show the row, too.
workbenchTest(
  'the filter row is shown by its tool, remembered as a setting, and hidden by a command in all grids',
  { files: { 'own.sql': script }, ownProfile: {} },
  async session => {
    const { keyboard } = session.page;
    const rememberedRow = async () => (await userSettings(session))['sqlProjects.grid.filterRow'];
    await using service = await startServiceWith('CREATE TABLE t(a)');
    await openOwnFile(session, service, 'own.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().click();
    await results.getByRole('button', { name: 'Filter Row', exact: true }).click();
    const field = results.getByRole('textbox', { name: 'Filter i', exact: true });
    await field.and(results.locator(':focus')).waitFor();
    await keyboard.type('> 4990');
    await keyboard.press('Tab');
    await keyboard.type('> 4000');
    await keyboard.press('Enter');
    await results.getByText('2 of 5,000 rows').first().waitFor();
    await session.screenshot('grid-filter-row');
    assert.equal(await rememberedRow(), true);
    await session.runCommand('SQL Projects: Toggle Filter Row');
    await field.waitFor({ state: 'detached' });
    assert.equal(await rememberedRow(), false);
  },
);
