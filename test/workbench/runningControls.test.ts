import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startServiceWith } from '../support/ownProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { goToLine, pressRun, runFromKeyboard, runLenses } from '../support/sampleProject.ts';
import { boundedLines, expectMarks, openOwnFile } from '../support/sqlEditor.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { problemsList, statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** A row of the Problems view, with its position. */
const problem = ({ page }: WorkbenchSession, message: RegExp | string, position: string): Locator =>
  problemsList(page).getByRole('treeitem').filter({ hasText: message }).filter({ hasText: position });

const twoStatements = `SELECT 'first' AS word;

SELECT 'second'
  AS word;

SELECT 'third' AS word

SELECT 'fourth' AS word
`;

workbenchTest(
  'the lenses and the background of statements can be turned off, and blank lines can end statements',
  { files: { 'two.sql': twoStatements }, settings: { 'sqlProjects.run.lens': false } },
  async session => {
    await session.openFile('two.sql');
    await goToLine(session, 4);
    await waitUntil(async () => (await boundedLines(session)) === 2, { what: 'there is no background of two lines' });
    assert.equal(await runLenses(session).count(), 0);
    await session.setFolderSettings({ 'sqlProjects.run.lens': true, 'sqlProjects.run.bounds': false });
    await runLenses(session).nth(2).waitFor();
    assert.equal(await boundedLines(session), 0);
    // Two statements without a semicolon between them.
    assert.equal(await runLenses(session).count(), 3);
    await session.setFolderSettings({ 'sqlProjects.run.statementEnd': 'blankLine' });
    await runLenses(session).nth(3).waitFor();
    await goToLine(session, 6);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: 'third', exact: true }).waitFor();
  },
);

workbenchTest(
  'an SQL file without a project has no lenses and no background until it gets one',
  {
    files: { 'open.sql': 'SELECT 1 AS one;' },
    settings: { 'sqlProjects.projects': [{ name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }] },
  },
  async session => {
    const { page } = session;
    await session.openFile('open.sql');
    await statusItem(page, 'Choose Project').waitFor();
    assert.equal(await runLenses(session).count(), 0);
    assert.equal(await boundedLines(session), 0);
    await session.runCommand('SQL Projects: Run Statement');
    await page.getByRole('option', { name: 'Sample Shop' }).first().click();
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    await runLenses(session).first().waitFor();
  },
);

workbenchTest(
  'a problem goes when its statement succeeds, and one without a position covers the whole statement',
  { files: { 'pets.sql': '-- @project Own\nINSERT INTO pets VALUES (1);\nSELECT * FROM later;\n' } },
  async session => {
    await using service = await startServiceWith('CREATE TABLE pets(id PRIMARY KEY, CHECK (id > 1))');
    await openOwnFile(session, service, 'pets.sql');
    await goToLine(session, 2);
    await pressRun(session);
    await expectMarks(session, 'failed');
    await goToLine(session, 3);
    await pressRun(session);
    await expectMarks(session, 'failed', 'failed');
    await session.runCommand('Problems: Focus on Problems View');
    await problem(session, 'CHECK constraint failed', '[Ln 2, Col 1]').waitFor();
    await problem(session, /no such table:? '?later/, '[Ln 3, Col 15]').waitFor();
    await service.query('CREATE TABLE later(id)');
    await session.page.getByRole('tab', { name: 'pets.sql' }).click();
    await pressRun(session);
    await expectMarks(session, 'failed', 'ok');
    await problem(session, /no such table:? '?later/, '[Ln 3, Col 15]').waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'a background run asks what to do at a pause, and shows its rows on request',
  {
    files: {
      'numbers.sql': `SELECT 'front' AS word;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
`,
    },
    settings: { 'sqlProjects.results.maxRows': 7 },
  },
  async session => {
    await session.openFile('numbers.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: 'front', exact: true }).waitFor();
    await goToLine(session, 3);
    await session.runCommand('SQL Projects: Run in Background');
    const paused = session.notifications.filter({ hasText: 'Paused at 7 rows (limit).' });
    await paused.getByRole('button', { name: 'Finish' }).click();
    const notification = session.notifications.filter({ hasText: /: 7 rows · / });
    await results.getByRole('gridcell', { name: 'front', exact: true }).waitFor();
    await notification.getByRole('button', { name: 'Show Results' }).click();
    await results.getByRole('gridcell', { name: '7', exact: true }).waitFor();
  },
);

workbenchTest(
  'a rerun from a result meets the protection that the project has now',
  { files: { 'again.sql': "-- @project Own\nINSERT INTO pets VALUES ('Ann');\n" } },
  async session => {
    await using service = await startServiceWith('CREATE TABLE pets(name)');
    await openOwnFile(session, service, 'again.sql');
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await waitForText(results, /^1 row changed · /);
    await session.setFolderSettings({
      'sqlProjects.projects': [
        {
          name: 'Own',
          baseUrl: service.baseUrl,
          projectId: service.projectId,
          protection: 'readOnly',
        },
      ],
    });
    await statusItem(session.page, 'Own · Read-only').waitFor();
    await results.getByRole('button', { name: 'Rerun' }).click();
    await session.notifications.filter({ hasText: 'Own is read-only, and this statement writes.' }).waitFor();
    assert.deepEqual(await service.query('SELECT count(*) FROM pets'), [[1]]);
  },
);

workbenchTest(
  'the button of an editor cancels its runs',
  {
    files: { 'endless.sql': 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;' },
    settings: { 'sqlProjects.results.maxRows': Number.MAX_SAFE_INTEGER },
  },
  async session => {
    await session.openFile('endless.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
    await expectMarks(session, 'running');
    await session.page.getByRole('button', { name: 'Stop Running Statements' }).click();
    await waitForText(results, / · Cancelled after \d/);
    await expectMarks(session, 'cancelled');
  },
);
