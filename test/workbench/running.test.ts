import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startServiceWith } from '../support/ownProject.ts';
import { goToLine, pressRun, runFromKeyboard, runLenses, waitForRunLens } from '../support/sampleProject.ts';
import { boundedLines, expectMarks, openOwnFile } from '../support/sqlEditor.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import type { ThemeKind, WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { problemsList, statusItem, webviews } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** A row of the Problems view, with its position. */
const problem = ({ page }: WorkbenchSession, message: RegExp | string, position: string): Locator =>
  problemsList(page).getByRole('treeitem').filter({ hasText: message }).filter({ hasText: position });

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];
const twoStatements = `SELECT 'first' AS word;

SELECT 'second'
  AS word;
`;

workbenchTest(
  'the lenses and the bar beside the statement at the cursor can be turned off',
  { files: { 'two.sql': twoStatements }, settings: { 'sqlProjects.run.lens': false } },
  async session => {
    await session.openFile('two.sql');
    await goToLine(session, 4);
    await waitUntil(async () => (await boundedLines(session)) === 2, { what: 'there is no bar of two lines' });
    assert.equal(await runLenses(session).count(), 0);
    await session.setFolderSettings({ 'sqlProjects.run.lens': true, 'sqlProjects.run.bounds': false });
    await runLenses(session).nth(1).waitFor();
    assert.equal(await boundedLines(session), 0);
  },
);

workbenchTest(
  'the lens above a statement runs that statement',
  { files: { 'two.sql': twoStatements } },
  async session => {
    await session.openFile('two.sql');
    await waitForRunLens(session);
    await runLenses(session).nth(1).click();
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: 'second', exact: true }).waitFor();
  },
);

workbenchTest(
  'an SQL file without a project has no lenses and no Ctrl+Enter until it gets one',
  {
    files: { 'open.sql': 'SELECT 1 AS one;' },
    settings: { 'sqlProjects.projects': [{ name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }] },
  },
  async session => {
    const { page } = session;
    await session.openFile('open.sql');
    await statusItem(page, 'Choose Project').waitFor();
    await page.keyboard.press('Control+Enter');
    await session.waitForCursor(2);
    assert.equal(await runLenses(session).count(), 0);
    assert.equal(await boundedLines(session), 0);
    await session.runCommand('SQL Projects: Run Statement');
    await page.getByRole('option', { name: 'Sample Shop' }).first().click();
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    await runLenses(session).first().waitFor();
  },
);

/** The language server finds no fault in the second statement: it fails when it runs. */
const markedScript = `SELECT 1 AS one;
SELECT json('nope')
FROM customers;
SELECT 3 AS three;
`;

workbenchTest(
  'a mark shows how a statement ran, moves with edits, and goes when the statement changes',
  { files: { 'marked.sql': markedScript } },
  async session => {
    const { page } = session;
    await session.openFile('marked.sql');
    await runFromKeyboard(session);
    await expectMarks(session, 'ok');
    await goToLine(session, 3);
    await pressRun(session);
    await expectMarks(session, 'ok', 'failed');
    const fault = problemMarks(page).first();
    await fault.waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      await session.screenshot(`marks-${kind}`);
    }
    await session.runCommand('Problems: Focus on Problems View');
    await problem(session, 'malformed JSON', '[Ln 2, Col 1]').filter({ hasText: 'sql_error' }).waitFor();
    await page.getByRole('tab', { name: 'marked.sql' }).click();
    await session.waitForEditorFocus();
    await goToLine(session, 1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('-- a line above all');
    await expectMarks(session, 'ok', 'failed');
    await problem(session, 'malformed JSON', '[Ln 3, Col 1]').waitFor();
    await goToLine(session, 3);
    await page.keyboard.type(' ');
    await expectMarks(session, 'ok', 'failed');
    await page.keyboard.press('End');
    await page.keyboard.type('d');
    await expectMarks(session, 'ok');
    await fault.waitFor({ state: 'detached' });
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
    await service.client.execSql(service.projectId, { sql: 'CREATE TABLE later(id)' });
    await session.page.getByRole('tab', { name: 'pets.sql' }).click();
    await pressRun(session);
    await expectMarks(session, 'failed', 'ok');
    await problem(session, /no such table:? '?later/, '[Ln 3, Col 15]').waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'Run in Background does not open the results, and Rerun repeats it',
  { files: { 'twice.sql': "-- @project Own\nINSERT INTO pets VALUES ('Ann');\n\nSELECT 1;" } },
  async session => {
    await using service = await startServiceWith('CREATE TABLE pets(name)');
    await openOwnFile(session, service, 'twice.sql');
    await goToLine(session, 2);
    await session.runCommand('SQL Projects: Run in Background');
    const notification = session.notifications.filter({
      hasText: /INSERT INTO pets VALUES .*: 1 row changed · /,
    });
    await notification.getByRole('button', { name: 'Show Results' }).waitFor();
    assert.equal(await webviews(session.page).count(), 0);
    await goToLine(session, 4);
    await session.runCommand('SQL Projects: Rerun');
    await notification.nth(1).waitFor();
    const { rows } = await service.client.execSql(service.projectId, { sql: 'SELECT count(*) AS n FROM pets' });
    assert.deepEqual(rows, [{ n: 2 }]);
    await notification.first().getByRole('button', { name: 'Show Results' }).click();
    await session.webviewFrame('SQL Results');
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
    await results
      .getByText(/^1 row changed · /)
      .first()
      .waitFor();
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
    const { rows } = await service.client.execSql(service.projectId, { sql: 'SELECT count(*) AS n FROM pets' });
    assert.deepEqual(rows, [{ n: 1 }]);
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
    await results
      .getByText(/ · Cancelled after \d/)
      .first()
      .waitFor();
    await expectMarks(session, 'cancelled');
  },
);
