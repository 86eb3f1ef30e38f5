import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const files = { 'lines.sql': 'SELECT order_id, line FROM order_lines;\n' };

// test/host/results/exportRows.test.ts tests the other formats, options and endings.
workbenchTest('all rows of a result are exported to a file, by the dialogs of VS Code', { files }, async session => {
  await session.openFile('lines.sql');
  const results = await runFromKeyboard(session);
  await results
    .getByText(/rows? · \d/)
    .first()
    .waitFor();
  const exportButton = results.getByRole('button', { name: 'Export Rows…' });
  await exportButton.click();
  const input = new QuickInput(session.page);
  await input.root.getByRole('option', { name: /^CSV\b/ }).click();
  await input.root.getByText('Names of the columns in the first line').waitFor();
  await session.screenshot('export-options');
  await session.page.keyboard.press('Enter');
  await input.root.getByRole('button', { name: 'OK', exact: true }).waitFor();
  await session.page.keyboard.press('Escape');
  await exportButton.and(results.locator(':focus')).waitFor();

  await exportButton.click();
  await input.root.getByRole('option', { name: /^CSV\b/ }).click();
  await input.root.getByText('Names of the columns in the first line').waitFor();
  await session.page.keyboard.press('Enter');
  await input.root.getByText('Names of the columns in the first line').waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to Sample-Shop.csv: 100,000.' }).waitFor();
  const lines = (await readFile(join(session.folder, 'Sample-Shop.csv'), 'utf8')).trimEnd().split(/\r?\n/);
  assert.deepEqual([lines.length, lines[0], lines.at(-1)?.startsWith('36000,')], [100_001, 'order_id,line', true]);
  assert.deepEqual(
    (await readdir(session.folder)).filter(name => name.endsWith('.part')),
    [],
  );
});
