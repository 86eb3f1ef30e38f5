import assert from 'node:assert/strict';
import { gridBridge } from '../../../src/protocol/gridBridge.ts';
import type { ResultAction } from '../../../src/protocol/results.ts';
import { resultView } from '../../support/resultView.ts';
import { webviewTest } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const plan = [
  { detail: 'MERGE (UNION)', step: 'other', depth: 0 },
  { detail: 'SEARCH products', step: 'search', depth: 1, words: 'Looks up products' },
  { detail: 'SCAN categories', step: 'scan', depth: 1, words: 'Reads all rows' },
  { detail: 'USE TEMP B-TREE FOR ORDER BY', step: 'sort', depth: 0, words: 'Sorts' },
] as const;

const acted: ResultAction[] = [];
webviewTest(
  'a query plan is a tree that says what its steps do, and copies by button and by key',
  { bridge: gridBridge, methods: { act: ({ action }) => void acted.push(action) } },
  async opened => {
    const { page, host } = opened;
    await setTheme(page, 'dark');
    host.notify('view', { view: resultView({ plan, actions: ['copyPlan', 'rerun'] }) });
    const tree = page.getByRole('tree', { name: 'Query plan' });
    const step = (name: string) => tree.getByRole('treeitem', { name, exact: true });
    await step('SCAN categories. Reads all rows').waitFor();
    assert.deepEqual(
      await tree.getByRole('treeitem').evaluateAll(items => items.map(item => item.getAttribute('aria-level'))),
      ['1', '2', '2', '1'],
    );
    await page.locator('footer').getByText('12 ms', { exact: true }).waitFor();
    await opened.picture('query-plan-dark');
    await step('MERGE (UNION)').focus();
    await page.keyboard.press('ArrowDown');
    await step('SEARCH products. Looks up products').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await step('USE TEMP B-TREE FOR ORDER BY. Sorts').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+c');
    await page.getByRole('button', { name: 'Copy Plan' }).click();
    while (acted.length < 2) await new Promise(setImmediate);
    assert.deepEqual(acted, ['copyPlan', 'copyPlan']);
    host.notify('view', { view: resultView({ runId: 'b', plan: [] }) });
    await page.getByText('There is no plan: this statement reads no table.').waitFor();
    await tree.waitFor({ state: 'hidden' });
  },
);
