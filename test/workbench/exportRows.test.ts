import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForText } from '../support/pageParts.ts';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const files = { 'lines.sql': 'SELECT order_id, line FROM order_lines;\n' };

// test/host/results/exportRows.test.ts tests the other formats, options and endings.
workbenchTest('all rows of a result are exported to a file, by the dialogs of VS Code', { files }, async session => {
  await session.openFile('lines.sql');
  const results = await runFromKeyboard(session);
  await waitForText(results, /^100,000 rows · \d/);
  // The other buttons move when Stop disappears. All rows may be there a moment before.
  await results.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
  const exportButton = results.getByRole('button', { name: 'Export…' });
  await exportButton.click();
  const input = new QuickInput(session.page);
  const exportItem = input.root.getByRole('option', { name: /Export as CSV….*100,000 rows/ });
  await exportItem.waitFor();
  await input.root.getByRole('option', { name: /Header Row/ }).waitFor();
  await session.screenshot('export-options');
  // An option asks for its value. After a change, Enter exports; without one, the option is active again.
  const { keyboard } = session.page;
  const activeItem = (text: string) => input.activeRow.filter({ hasText: text }).waitFor();
  await input.root.getByRole('option', { name: /Delimiter: comma/ }).click();
  await input.root.getByRole('option', { name: /semicolon/ }).waitFor();
  await session.screenshot('export-delimiter');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await input.waitForPrompt('One character');
  await input.field.fill('::');
  await input.root.getByText('Enter one character.').waitFor();
  await input.field.fill('#');
  await keyboard.press('Enter');
  await activeItem('Export as CSV');
  await input.root.getByRole('option', { name: /Delimiter: #/ }).click();
  await input.root.getByRole('option', { name: /semicolon/ }).waitFor();
  await keyboard.press('Escape');
  await activeItem('Delimiter: #');
  await keyboard.press('Escape');
  await exportButton.and(results.locator(':focus')).waitFor();

  await exportButton.click();
  await exportItem.waitFor();
  await session.page.keyboard.press('Enter');
  await exportItem.waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  const exported = session.notifications.filter({ hasText: 'Exported 100,000 rows to order_lines.csv.' });
  await exported.getByRole('button', { name: 'Open', exact: true }).waitFor();
  await exported.getByRole('button', { name: 'Reveal', exact: true }).waitFor();
  const lines = (await readFile(join(session.folder, 'order_lines.csv'), 'utf8')).trimEnd().split(/\r?\n/);
  assert.deepEqual([lines.length, lines[0], lines.at(-1)?.startsWith('36000,')], [100_001, 'order_id,line', true]);
  assert.deepEqual(
    (await readdir(session.folder)).filter(name => name.endsWith('.part')),
    [],
  );
});
