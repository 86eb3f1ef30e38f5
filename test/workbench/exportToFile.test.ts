import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { waitForParameterForm } from '../support/parameterForm.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, waitForRunLens } from '../support/sampleProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Finds the rows of the endless statement on the disk. */
const marker = randomUUID();
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const files = {
  'lines.sql': `SELECT order_id, line FROM order_lines WHERE order_id <= :last;\n\n-- Numbers\n${endless} SELECT '${marker}' AS marker, i FROM n;\n`,
};

/** Exports as CSV, with the options that are shown, to the place that VS Code suggests. */
async function acceptExport(session: WorkbenchSession, title: string, button = 'OK'): Promise<void> {
  const { root } = new QuickInput(session.page);
  await root.getByText(`Export ${title}`, { exact: true }).waitFor();
  const exportItem = root.getByRole('option', { name: 'Export as CSV…' });
  await exportItem.click();
  await exportItem.waitFor({ state: 'detached' });
  await root.getByRole('button', { name: button, exact: true }).click();
}

/** Whether a window has a file with the rows of the endless statement. */
async function hasRowsOnDisk(): Promise<boolean> {
  for (const folder of await readdir(tmpdir())) {
    if (!folder.startsWith('sql-projects-')) continue;
    for (const name of await readdir(join(tmpdir(), folder)).catch(() => [])) {
      const rows = name.endsWith('.rows') ? createReadStream(join(tmpdir(), folder, name), { end: 1000 }) : undefined;
      const beginning = rows && (await text(rows).catch(() => ''));
      if (beginning?.includes(marker)) return true;
    }
  }
  return false;
}

const filesIn = async ({ folder }: WorkbenchSession): Promise<string[]> =>
  (await readdir(folder)).filter(name => name.endsWith('.csv') || name.endsWith('.part')).toSorted();

workbenchTest(
  'the rows of a statement go to a file without a result, after the form for its parameters',
  { files },
  async session => {
    await session.openFile('lines.sql');
    await waitForRunLens(session);
    await session.runCommand('SQL Projects: Export to File…');
    const { results } = await waitForParameterForm(session, 'Sample Shop');
    await session.page.keyboard.type('36000');
    await session.page.keyboard.press('Enter');
    await acceptExport(session, 'order_lines');
    const message = session.notifications.filter({ hasText: 'Exported 100,000 rows to order_lines.csv.' });
    await message.getByRole('button', { name: 'Open', exact: true }).waitFor();
    const lines = (await readFile(join(session.folder, 'order_lines.csv'), 'utf8')).trimEnd().split('\r\n');
    assert.deepEqual([lines.length, lines[0]], [100_001, 'order_id,line']);
    assert.equal(await results.getByRole('tab').count(), 0);
    assert.deepEqual(await filesIn(session), ['order_lines.csv']);
  },
);

workbenchTest('Stop ends the statement and leaves no file, and so does a full disk', { files }, async session => {
  await session.openFile('lines.sql');
  await waitForRunLens(session);
  await goToLine(session, 4);
  await session.runCommand('SQL Projects: Export to File…');
  await acceptExport(session, 'Numbers');
  const progress = session.notifications.filter({ hasText: /Exporting to Numbers\.csv: [\d,]+ rows/ });
  await progress.waitFor();
  await session.screenshot('export-progress');
  await waitUntil(hasRowsOnDisk, { what: 'the rows are not on the disk' });
  await progress.getByRole('button', { name: 'Cancel' }).click();
  await progress.waitFor({ state: 'detached' });
  await waitUntil(async () => !(await hasRowsOnDisk()), { what: 'the rows are still on the disk' });
  assert.deepEqual(await filesIn(session), []);
  await session.setFolderSettings({ 'sqlProjects.results.maxDiskMb': 1 });
  await session.runCommand('SQL Projects: Export to File…');
  await acceptExport(session, 'Numbers');
  const message = "'Numbers' was not exported: The results of this window use all disk space that they may.";
  await session.notifications.filter({ hasText: message }).waitFor();
  assert.deepEqual(await filesIn(session), []);
});

const hostileNames = `CREATE TABLE "../x"(a); INSERT INTO "../x" VALUES (1), (NULL);
  CREATE TABLE con(a); INSERT INTO con VALUES ('');
  CREATE TABLE "äb"(a); INSERT INTO "äb" VALUES (2);
  CREATE TABLE "ÄB"(a);
  CREATE VIEW plain AS SELECT 3 AS b`;

workbenchTest(
  'a table is exported, and several go to a folder, in files with safe and different names',
  {},
  async session => {
    await using service = await startServiceWith(hostileNames);
    await openProjectOf(session, 'Shop', service);
    await chooseFromMenu(session, 'con', 'Export to File…');
    await acceptExport(session, 'con');
    await session.notifications.filter({ hasText: 'Exported 1 row to con_.csv.' }).waitFor();
    await session.expand('Views');
    await session.treeItem('../x').click();
    for (const name of ['ÄB', 'äb', 'con', 'plain']) await session.treeItem(name).click({ modifiers: ['Control'] });
    await chooseFromMenu(session, 'con', 'Export to File…');
    await acceptExport(session, '../x, ÄB, äb, con, plain', 'Export');
    const question = session.page.getByRole('dialog', { name: "'con_.csv' already exists. Replace it?" });
    await question.getByRole('button', { name: 'Replace Files', exact: true }).click();
    await session.notifications.filter({ hasText: 'Exported 5 of 5 tables to' }).waitFor();
    const names = await filesIn(session);
    assert.deepEqual(names, ['-x.csv', 'con_.csv', 'plain.csv', 'ÄB.csv', 'äb-1.csv']);
    const texts = await Promise.all(names.map(name => readFile(join(session.folder, name), 'utf8')));
    assert.deepEqual(texts, ['a\r\n1\r\n\r\n', 'a\r\n""\r\n', 'b\r\n3\r\n', 'a\r\n', 'a\r\n2\r\n']);
  },
);

const removal = { 'removal.sql': '-- @project Shop\n\nDELETE FROM con WHERE a = 1;\n' };

workbenchTest(
  'a statement that writes asks first, and one without rows leaves no file',
  { files: removal },
  async session => {
    await using service = await startServiceWith('CREATE TABLE con(a); INSERT INTO con VALUES (1), (1), (2)');
    await openProjectOf(session, 'Shop', service, { protection: 'confirmWrites' });
    await session.openFile('removal.sql');
    await waitForRunLens(session);
    await goToLine(session, 3);
    await session.runCommand('SQL Projects: Export to File…');
    const question = session.page.getByRole('dialog', { name: /in Shop/ });
    await question
      .getByText(/2 rows/)
      .first()
      .waitFor();
    await session.screenshot('export-question');
    await question.getByRole('button', { name: /^Delete/ }).click();
    await acceptExport(session, 'con');
    const message = '2 rows changed. The statement gives no rows, so there is no file.';
    await session.notifications.filter({ hasText: message }).waitFor();
    assert.deepEqual(await filesIn(session), []);
    assert.deepEqual(await service.query('SELECT a FROM con'), [[2]]);
  },
);
