import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, pressRun, runFromKeyboard, waitForRunLens } from '../support/sampleProject.ts';
import { takePictures } from '../support/themePictures.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `SELECT name FROM products WHERE id = ? UNION SELECT name FROM categories;

SELECT * FROM products WHERE nope = 1;
`;

workbenchTest(
  'a query plan is a tab with a tree that shows full scans, and can be copied',
  { files: { 'plan.sql': script } },
  async session => {
    const { page } = session;
    await session.openFile('plan.sql');
    await waitForRunLens(session);
    await session.runCommand('SQL Projects: Explain Query Plan');
    const results = await session.webviewFrame('SQL Results');
    const step = (name: RegExp) => results.getByRole('treeitem', { name });
    await step(/^SEARCH products USING INTEGER PRIMARY KEY.*Looks up products by its primary key/).waitFor();
    await step(/^SCAN categories.*Reads all 8 rows \(estimated\) of the index/).waitFor();
    const tab = results.getByRole('tab', { name: 'Plan: products' });
    await tab.waitFor();
    await takePictures(session, 'plan');
    // The place of the costliest step is marked, and a click on the step selects it.
    await results.getByRole('button', { name: /^Reads all 8 rows/ }).click();
    await session.waitForEditorFocus();
    await page.getByText('(10 selected)').waitFor();
    await session.waitForEditorFocus();
    await results.getByRole('button', { name: 'Copy Plan' }).click();
    const copied = async (): Promise<boolean> =>
      /^MERGE \(UNION\)\n {2}LEFT\n {4}SEARCH products/.test(await page.evaluate(() => navigator.clipboard.readText()));
    await waitUntil(copied, { what: 'the plan is not on the clipboard' });
    // The rows of the statement have a tab of their own.
    await tab.focus();
    await page.keyboard.press('Delete');
    await tab.waitFor({ state: 'detached' });
  },
);

const repeated = `SELECT id, price AS insight FROM products WHERE price > 10;
SELECT id, price AS insight FROM products WHERE price > 20;
`;

workbenchTest(
  'statements that differ only in values are one insight, which leads to its plan',
  { files: { 'repeated.sql': repeated } },
  async session => {
    await session.openFile('repeated.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().waitFor();
    await goToLine(session, 2);
    await pressRun(session);
    await results.getByRole('tab').nth(1).waitFor();
    await session.runCommand('SQL Projects: Show Statement Insights');
    await results.getByRole('tab', { name: 'Statement Insights', selected: true }).waitFor();
    const statement = results.getByRole('gridcell', {
      name: /^SELECT id, price AS insight FROM products WHERE price > \?/,
    });
    const row = results.getByRole('row').filter({ has: statement });
    // Other tests have slower statements.
    await results.getByRole('grid').focus();
    await session.page.keyboard.press('Control+f');
    await session.page.keyboard.type('price AS insight');
    await row.getByRole('gridcell', { name: '2', exact: true }).first().waitFor();
    await takePictures(session, 'insights');
    await statement.click();
    await session.page.keyboard.press('Enter');
    await results.getByRole('treeitem', { name: /^SCAN products.*Reads all .* of products/ }).waitFor();
  },
);

const slow = `-- @project Slow Shop

SELECT * FROM orders WHERE ordered_at = '2024-01-01' ORDER BY tracking;

SELECT tracking FROM orders WHERE lower(ordered_at) = '2024';

SELECT * FROM products WHERE nope = 1;
`;

workbenchTest(
  'an index is offered and created, its use is explained, and two plans are compared',
  { files: { 'slow.sql': slow } },
  async session => {
    const { page } = session;
    // Other tests expect the sample project without the index.
    await using service = await startServiceWith('');
    await openProjectOf(session, 'Slow Shop', service);
    await session.openFile('slow.sql');
    await waitForRunLens(session);
    await goToLine(session, 3);
    // The language server knows the schema.
    await page.locator('.squiggly-error').waitFor();
    await session.runCommand('SQL Projects: Explain Query Plan');
    const results = await session.webviewFrame('SQL Results');
    const sql = 'CREATE INDEX orders_ordered_at_tracking ON orders (ordered_at, tracking)';
    const offer = results.getByRole('region', { name: sql });
    const promised = 'SEARCH orders USING INDEX orders_ordered_at_tracking (ordered_at=?)';
    await offer.getByRole('listitem').getByText(promised, { exact: true }).waitFor();
    await takePictures(session, 'proved-index');
    // A failure stays in view. Another client has taken the name.
    await service.query('CREATE TABLE orders_ordered_at_tracking(taken)');
    await offer.getByRole('button', { name: 'Create Index' }).click();
    await results.getByText('there is already a table named orders_ordered_at_tracking').first().waitFor();
    await results.getByRole('tab', { name: /^CREATE INDEX/, selected: true }).waitFor();
    await service.query('DROP TABLE orders_ordered_at_tracking');
    await results.getByRole('tab', { name: 'Plan: orders' }).click();
    await offer.getByRole('button', { name: 'Create Index' }).click();
    // The plan is made again when the index exists.
    await results.getByRole('treeitem', { name: new RegExp(`^${RegExp.escape(promised)}`) }).waitFor();
    await results.getByRole('tab', { name: /^CREATE INDEX/ }).waitFor();
    await session.runCommand('View: Focus Active Editor Group');
    await session.waitForEditorFocus();
    await goToLine(session, 5);
    await session.runCommand('SQL Projects: Explain Query Plan');
    await results
      .getByText(
        "The index orders_ordered_at_tracking is not used for lower(ordered_at) = '2024': the column is within an expression.",
      )
      .waitFor();
    await takePictures(session, 'unused-index');
    // A plan is compared with an earlier one.
    await results.getByRole('tab', { name: 'Plan: orders', selected: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare Plan With…' }).hover();
    await page.locator('.monaco-menu .action-item.focused').filter({ hasText: 'Compare Plan With…' }).waitFor();
    await page.keyboard.press('Enter');
    await new QuickInput(page).rows.filter({ hasText: 'Plan: orders' }).first().click();
    await session.editorTab('Plan: orders ↔ Plan: orders').waitFor();
    await page.locator('.monaco-diff-editor .modified').getByText('SCAN orders').waitFor();
    await page.locator('.monaco-diff-editor .original').getByText(promised).waitFor();
    await takePictures(session, 'compared-plans');
  },
);
