import assert from 'node:assert/strict';
import type { ProjectPartView } from '../../../../src/protocol/results.ts';
import { type GridContent, type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';

const part = (name: string, fields: Partial<ProjectPartView> = {}): ProjectPartView => ({
  name,
  state: 'running',
  rowCount: 0,
  changedRows: undefined,
  elapsedMs: 0,
  problem: undefined,
  waitsMs: undefined,
  isWriting: false,
  outcome: undefined,
  lacks: [],
  actions: ['cancel'],
  ...fields,
});

const columns = [
  { name: 'project', type: 'TEXT' },
  { name: 'id', type: '' },
  { name: 'extra', type: '', missingIn: 'Shop B' },
];
const growing = columns.slice(0, 2);
const content: GridContent = { ...numbers(40, growing), answers: { act: () => undefined } };
const running = [part('Shop A'), part('Shop B'), part('Shop C', { waitsMs: 5000 })];
const ended = [
  part('Shop A', { state: 'done', rowCount: 40, elapsedMs: 1200, actions: [] }),
  part('Shop B', { state: 'failed', problem: 'The API key was rejected. '.repeat(20), actions: ['setKey', 'retry'] }),
  part('Shop C', { state: 'cancelled', actions: ['retry'] }),
];

const heights = ({ page }: GridPage): Promise<number[]> =>
  page.locator('.grid, .projects').evaluateAll(parts => parts.map(({ clientHeight }) => clientHeight));

gridTest('the list of projects says how each of them does, and its buttons act on one', content, async grid => {
  const { page } = grid;
  grid.show({ state: 'running', projects: running });
  const lines = page.getByRole('list', { name: 'Projects' }).getByRole('listitem');
  await lines.getByText('Waiting', { exact: true }).waitFor();
  const before = await heights(grid);
  const stop = page.getByRole('group', { name: 'Shop B' }).getByRole('button', { name: 'Stop' });
  await stop.focus();
  grid.show({ state: 'done', projects: ended });
  await page.getByRole('status').getByText('3 projects · 1 failed').waitFor();
  assert.deepEqual(
    (await lines.allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' ').slice(0, 50)),
    [
      'Shop A 40 rows · 1.2 s',
      'Shop B 0 ms · The API key was rejected. The API ke',
      'Shop C 0 rows · Cancelled after 0 ms Retry',
    ],
  );
  assert.deepEqual(await heights(grid), before);
  // The focus was on a button that is gone.
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await grid.waitForCalls('act', 1);
  assert.deepEqual(grid.callsOf('act')[0]?.params, { runId: 'a', action: 'retry', project: 1 });
});

gridTest(
  'columns that a later project adds come at the right, and their headers say where they are not',
  content,
  async grid => {
    growing.push(columns[2]!);
    grid.show({ state: 'running', columns: [...growing], projects: running });
    const header = grid.header('extra');
    assert.equal(await header.getAttribute('title'), 'extra\nNot in Shop B');
    assert.equal(await header.getAttribute('aria-description'), 'Not in Shop B');
    // The page requests the values of the new column.
    await grid.cell(0, 2).getByText('0002', { exact: true }).waitFor();
  },
);
