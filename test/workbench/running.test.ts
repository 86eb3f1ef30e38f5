import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startServiceWith } from '../support/ownProject.ts';
import { goToLine, pressRun, runFromKeyboard, runLenses, waitForRunLens } from '../support/sampleProject.ts';
import { expectMarks, openOwnFile } from '../support/sqlEditor.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import type { ThemeKind, WorkbenchSession } from '../support/workbench/session.ts';
import { problemsList, webviews } from '../support/workbench/workbenchParts.ts';
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
    assert.deepEqual(await service.query('SELECT count(*) FROM pets'), [[2]]);
    await notification.first().getByRole('button', { name: 'Show Results' }).click();
    await session.webviewFrame('SQL Results');
  },
);
