import assert from 'node:assert/strict';
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
  answers: { goToPlanStep: () => undefined },
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
