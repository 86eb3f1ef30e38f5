import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const files = {
  'lines.sql': 'SELECT order_id, line FROM order_lines;\n',
  'values.sql': "SELECT 9007199254740993 AS big, 'a' AS text, NULL AS missing UNION ALL SELECT 2, 'b', 'x';\n",
};

/** Runs the statement of a file and waits until all its rows are there. */
async function runFile(session: WorkbenchSession, file: string, rows: string): Promise<FrameLocator> {
  await session.openFile(file);
  const results = await runFromKeyboard(session);
  await results.getByText(`${rows} · `).first().waitFor();
  await results.getByRole('gridcell').first().waitFor();
  return results;
}

const clipboard = (session: WorkbenchSession): Promise<string> =>
  session.page.evaluate(() => navigator.clipboard.readText());

/** Waits for a text on the clipboard that begins with `begin`. */
async function copied(session: WorkbenchSession, begin: string): Promise<string> {
  for (;;) {
    const text = await clipboard(session);
    if (text.startsWith(begin)) return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
    await session.page.waitForFunction(old => navigator.clipboard.readText().then(now => now !== old), text);
  }
}

workbenchTest('all cells are copied, also those that the grid has not loaded', { files }, async session => {
  const results = await runFile(session, 'lines.sql', '100,000 rows');
  await results.getByRole('grid').focus();
  await session.page.keyboard.press('Control+a');
  await session.page.keyboard.press('Control+c');
  const lines = (await copied(session, '1\t1')).split('\n');
  assert.deepEqual([lines.length, lines.at(-1)?.startsWith('36000\t')], [100_000, true]);
});

workbenchTest('rows are copied in their sorted order', { files }, async session => {
  const results = await runFile(session, 'values.sql', '2 rows');
  await results.getByRole('columnheader', { name: 'big' }).click();
  await results.locator('[aria-sort="ascending"]').waitFor();
  await results.locator('[aria-rowindex="2"]').getByRole('gridcell', { name: '2', exact: true }).waitFor();
  await results.getByRole('grid').focus();
  await session.page.keyboard.press('Control+a');
  await session.page.keyboard.press('Control+c');
  assert.equal(await copied(session, '2\t'), '2\tb\tx\n9007199254740993\ta\t');
});
