import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const files = {
  'lines.sql': 'SELECT order_id, line FROM order_lines;\n',
  'formulas.sql': "SELECT '=1+1' AS formula, -5 AS number, 'a;b' AS text, NULL AS missing;\n",
};

/** Runs the statement of a file, and chooses a format for the export of its rows. */
async function exportOf(session: WorkbenchSession, file: string, format: string): Promise<QuickInput> {
  await session.openFile(file);
  const results = await runFromKeyboard(session);
  await results
    .getByText(/rows? · \d/)
    .first()
    .waitFor();
  await results.getByRole('button', { name: 'Export Rows…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByRole('option', { name: new RegExp(`^${format}\\b`) }).click();
  return input;
}

sharingTest('all rows of a result are exported to a file', { files }, async session => {
  const input = await exportOf(session, 'lines.sql', 'CSV');
  await input.root.getByText('Names of the columns in the first line').waitFor();
  await session.screenshot('export-options');
  await session.page.keyboard.press('Enter');
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to Sample-Shop.csv: 100,000.' }).waitFor();
  const lines = (await readFile(join(session.folder, 'Sample-Shop.csv'), 'utf8')).trimEnd().split(/\r?\n/);
  assert.deepEqual([lines.length, lines[0], lines.at(-1)?.startsWith('36000,')], [100_001, 'order_id,line', true]);
  assert.deepEqual(
    (await readdir(session.folder)).filter(name => name.endsWith('.part')),
    [],
  );
});

sharingTest('texts that look like formulas are guarded against spreadsheets', { files }, async session => {
  const input = await exportOf(session, 'formulas.sql', 'CSV');
  await input.root
    .getByRole('checkbox', { name: /Keep spreadsheets/ })
    .first()
    .click();
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await input.root.getByText('Names of the columns in the first line').waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to Sample-Shop.csv: 1.' }).waitFor();
  const text = await readFile(join(session.folder, 'Sample-Shop.csv'), 'utf8');
  assert.deepEqual(text.trimEnd().split(/\r?\n/), ['formula,number,text,missing', "'=1+1,-5,a;b,"]);
});

sharingTest('a result is exported to a database with one table', { files }, async session => {
  const input = await exportOf(session, 'lines.sql', 'SQLite');
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to Sample-Shop.db: 100,000.' }).waitFor();
  using database = new DatabaseSync(join(session.folder, 'Sample-Shop.db'), { readOnly: true });
  const { rows, last } =
    database.prepare('SELECT count(*) AS rows, max(order_id) AS last FROM order_lines').get() ?? {};
  assert.deepEqual([rows, last], [100_000, 36_000]);
});

// In a window of its own, since the folder must hold no settings of other tests.
workbenchTest('cancelling the file dialog exports nothing and gives the focus back', { files }, async session => {
  const input = await exportOf(session, 'lines.sql', 'JSON');
  await input.root.getByRole('button', { name: 'OK', exact: true }).waitFor();
  await session.page.keyboard.press('Escape');
  await input.root.waitFor({ state: 'hidden' });
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('button', { name: 'Export Rows…' }).and(results.locator(':focus')).waitFor();
  assert.deepEqual((await readdir(session.folder)).toSorted(), Object.keys(files).toSorted());
});
