import assert from 'node:assert/strict';
import { assertAccessible } from '../../support/axe.ts';
import { gridTest } from '../../support/gridPage.ts';

const plan = [
  {
    detail: 'SCAN o',
    step: 'scan',
    depth: 0,
    words: 'Reads all rows of orders',
    place: { start: 14, end: 20 },
    rank: 2,
  },
  { detail: 'SEARCH x', step: 'search', depth: 0, words: '<b>Looks</b> up x' },
  {
    detail: 'USE TEMP B-TREE FOR ORDER BY',
    step: 'sort',
    depth: 0,
    words: 'Sorts',
    place: { start: 30, end: 34 },
    rank: 1,
  },
] as const;

const content = {
  columns: [{ name: 'a', type: '' }],
  rowCount: 1,
  valueAt: () => ({ kind: 'null' }) as const,
  answers: { goToPlanStep: () => undefined, createIndex: () => undefined },
};

gridTest('the costliest steps come first, and steps lead to their places in the statement', content, async grid => {
  const { page } = grid;
  grid.show({ runId: 'plan', rowCount: 0, shownRows: 0, actions: ['copyPlan', 'goToStatement'], plan });
  const costliest = page.getByRole('list', { name: 'Costliest steps' }).getByRole('listitem');
  assert.deepEqual(await costliest.allTextContents(), ['Sorts', 'Reads all rows of orders']);
  await costliest.getByRole('button', { name: 'Sorts' }).press('Enter');
  await grid.waitForCalls('goToPlanStep', 1);
  await page.getByRole('treeitem').nth(1).click();
  await page.getByRole('treeitem', { name: 'SEARCH x. <b>Looks</b> up x', exact: true }).press('ArrowUp');
  await page.keyboard.press('Enter');
  await grid.waitForCalls('goToPlanStep', 2);
  const indexes = grid.callsOf('goToPlanStep').map(({ params }) => params);
  assert.deepEqual(indexes, [
    { runId: 'plan', index: 2 },
    { runId: 'plan', index: 0 },
  ]);
});

gridTest('the steps of a plan without a document lead nowhere', content, async grid => {
  const { page } = grid;
  grid.show({ runId: 'plan', rowCount: 0, shownRows: 0, actions: ['copyPlan'], plan });
  const costliest = page.getByRole('list', { name: 'Costliest steps' });
  assert.equal(await costliest.getByRole('button').count(), 0);
  await page.getByRole('treeitem').first().press('Enter');
  await grid.nextFrame();
  assert.deepEqual(grid.callsOf('goToPlanStep'), []);
});

gridTest('an index that would help stands beside the plan without it, and can be created', content, async grid => {
  const { page } = grid;
  grid.show({ runId: 'plan', rowCount: 0, shownRows: 0, actions: ['copyPlan'], plan });
  await page.getByRole('treeitem').first().waitFor();
  await page.getByRole('treeitem').nth(1).click();
  const sql = 'CREATE INDEX i ON orders ("<b>")';
  const better = [{ detail: 'SEARCH o USING INDEX i', step: 'search', depth: 0 }, plan[1]] as const;
  const reason = 'The index <b>x</b> is not used for a = 1: LIKE ignores case.';
  grid.show({ provenIndexes: [{ sql, plan: better }], unusedIndexes: [reason] });
  await page.getByText(reason, { exact: true }).waitFor();
  const offer = page.getByRole('region', { name: sql });
  await offer.getByRole('code').getByText(sql, { exact: true }).waitFor();
  // The step that has the focus keeps it.
  assert.ok(
    await page
      .getByRole('treeitem')
      .nth(1)
      .evaluate(item => item === document.activeElement),
  );
  const changed = await offer.locator('.changed').allTextContents();
  assert.deepEqual(changed, ['SCAN o', 'USE TEMP B-TREE FOR ORDER BY', 'SEARCH o USING INDEX i']);
  await assertAccessible(page, 'an offered index');
  await offer.getByRole('button', { name: 'Create Index' }).press('Enter');
  await grid.waitForCalls('createIndex', 1);
  assert.deepEqual(grid.callsOf('createIndex')[0]?.params, { runId: 'plan', index: 0 });
  // Another result has no offers of this one.
  grid.show({ runId: 'other', plan: [plan[0]], provenIndexes: [] });
  await offer.waitFor({ state: 'detached' });
});
