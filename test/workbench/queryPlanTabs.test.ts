import { goToLine, waitForRunLens } from '../support/sampleProject.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `SELECT name FROM products WHERE id = ? UNION SELECT name FROM categories;

SELECT * FROM products WHERE nope = 1;
`;

workbenchTest(
  'a statement that cannot be explained gets a problem at the faulty word',
  { files: { 'plan.sql': script } },
  async session => {
    await session.openFile('plan.sql');
    await waitForRunLens(session);
    await goToLine(session, 3);
    await session.runCommand('SQL Projects: Explain Query Plan');
    await session.notifications.filter({ hasText: "no such column 'nope'" }).waitFor();
    await problemMarks(session.page).waitFor();
  },
);

workbenchTest(
  'a pinned plan stays beside the next one, also after a reload, and a plan in an editor is made again there',
  { files: { 'plan.sql': script } },
  async session => {
    const pinned = 'Plan: products, Sample Shop, pinned';
    await session.openFile('plan.sql');
    await waitForRunLens(session);
    await session.runCommand('SQL Projects: Explain Query Plan');
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('tab', { name: 'Plan: products' }).waitFor();
    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    await results.getByRole('tab', { name: pinned }).waitFor();
    await results.getByRole('button', { name: 'Rerun' }).click();
    await results.getByRole('tab').nth(1).and(results.locator('[aria-selected="true"]')).waitFor();
    await results.getByRole('button', { name: 'Open to the Side' }).click();
    await session.editorTab('Plan: products').waitFor();
    const editor = await session.webviewFrame('Plan: products');
    await editor.getByRole('treeitem', { name: /^SCAN categories/ }).waitFor();
    const shown = await editor.getByRole('treeitem').first().elementHandle();
    await editor.getByRole('button', { name: 'Rerun' }).click();
    // The new plan has new elements.
    await waitUntil(async () => !(await shown?.evaluate(item => item.isConnected)), {
      what: 'the plan is the old one',
    });
    await editor.getByRole('treeitem', { name: /^SCAN categories/ }).waitFor();
    await session.screenshot('plan-in-editor');
    await editor.getByRole('button', { name: 'Move to Panel' }).click();
    await session.editorTab('Plan: products').waitFor({ state: 'detached' });
    await results.getByRole('tab').nth(1).and(results.locator('[aria-selected="true"]')).waitFor();

    await session.reload();
    const restored = await session.webviewFrame('SQL Results');
    await restored.getByRole('tab', { name: pinned }).waitFor();
    await restored.getByRole('treeitem', { name: /^SCAN categories/ }).waitFor();
    await restored.getByRole('button', { name: 'Rerun' }).click();
    await restored.getByRole('tab').nth(1).and(restored.locator('[aria-selected="true"]')).waitFor();
    await restored.getByRole('treeitem', { name: /^SCAN categories/ }).waitFor();
  },
);
