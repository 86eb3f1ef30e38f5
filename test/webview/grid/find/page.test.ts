import assert from 'node:assert/strict';
import { asRecord } from '../../../../src/base/decode.ts';
import { decodeFindStep, type FindResult } from '../../../../src/protocol/rowQueries.ts';
import { type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { never } from '../../../support/never.ts';
import { activeCell, cellsOfKind } from '../../../support/pageParts.ts';

/** Every thousandth row has a match in column 1. */
const rows = [1000, 2000, 3000];
function find(params: unknown): FindResult {
  const step = decodeFindStep(asRecord(params)?.['step']);
  if (!step || step.text === 'nothing') return { count: 0 };
  const from = step.row + (step.including || step.backwards ? 0 : 1);
  const next = step.backwards ? rows.findLastIndex(row => row < from) : rows.findIndex(row => row >= from);
  const index = next < 0 ? (step.backwards ? rows.length - 1 : 0) : next;
  return { count: rows.length, place: { index, row: rows[index] ?? 0, column: 1 } };
}
const content = { ...numbers(5000), answers: { find: find } };

const active = (grid: GridPage, row: number) => activeCell(grid.grid.locator(`[aria-rowindex="${row + 2}"]`));

gridTest('Find goes through the matches of all rows and shows their number', content, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  await grid.grid.focus();
  await keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: 'Find in All Rows' });
  await field.and(page.locator(':focus')).waitFor();
  await keyboard.type('0001');
  await page.getByText('1 of 3', { exact: true }).waitFor();
  await active(grid, 1000).waitFor();
  assert.deepEqual(asRecord(grid.callsOf('find').at(-1)?.params)?.['step'], {
    text: '0001',
    matchCase: false,
    row: 0,
    column: 0,
    backwards: false,
    including: true,
    columns: Array.from({ length: 12 }, (_, i) => i),
  });
  await keyboard.press('Enter');
  await active(grid, 2000).waitFor();
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await keyboard.press('Shift+Enter');
  await active(grid, 1000).waitFor();
  await keyboard.press('Shift+F3');
  await active(grid, 3000).waitFor();
  await page.getByRole('button', { name: 'Previous Match' }).click();
  await active(grid, 2000).waitFor();
  const marked = await page.evaluate(() => Array.from(CSS.highlights.get('match') ?? [], String));
  assert.ok(marked.length > 0 && marked.every(text => text === '0001'), 'matches in view are marked');
  await page.getByRole('button', { name: 'Match Case' }).click();
  await page.getByText('2 of 3', { exact: true }).waitFor();
  assert.equal(asRecord(asRecord(grid.callsOf('find').at(-1)?.params)?.['step'])?.['matchCase'], true);
  await field.focus();
  await keyboard.press('Escape');
  await grid.grid.and(page.locator(':focus')).waitFor();
  await page.waitForFunction(() => !CSS.highlights.has('match'));
  await keyboard.press('F3');
  await active(grid, 3000).waitFor();
});

gridTest('a text without a match is reported, and the active cell stays', content, async grid => {
  const { page } = grid;
  await grid.cell(3, 3).click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nothing');
  await page.getByText('No results').waitFor();
  await active(grid, 3).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next Match' }).isDisabled(), true);
});

const text = 'null…';
gridTest(
  'the texts for NULL and loading values are never highlighted',
  {
    columns: [{ name: 'note', type: 'TEXT' }],
    rowCount: 5000,
    valueAt: row => (row === 45 ? { kind: 'text', text } : { kind: 'null' }),
    answers: {
      rows: () => never(),
      find: () => ({ count: 1, place: { index: 0, row: 45, column: 0 } }),
    },
  },
  async grid => {
    const { page } = grid;
    await grid.cell(0, 0).click();
    await grid.grid.evaluate(element => element.scrollTo(0, 900));
    await grid.cell(45, 0).getByText(text).waitFor();
    await grid.cell(44, 0).and(cellsOfKind(page, 'null')).waitFor();
    await grid.cell(50, 0).and(cellsOfKind(page, 'loading')).waitFor();
    await page.keyboard.press('Control+f');
    const field = page.getByRole('textbox', { name: 'Find in All Rows' });
    const marked = (): Promise<string[]> => page.evaluate(() => Array.from(CSS.highlights.get('match') ?? [], String));
    for (const query of ['null', '…']) {
      await field.fill(query);
      while (!(await marked()).includes(query)) await grid.nextFrame();
      assert.deepEqual(await marked(), [query]);
    }
  },
);

gridTest(
  'a new search aborts the pending one, closing aborts the last, and progress shows',
  { ...numbers(5000), answers: { find: never } },
  async grid => {
    const { page } = grid;
    await grid.grid.focus();
    await page.keyboard.press('Control+f');
    for (const [letter, callCount] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      await page.keyboard.type(letter);
      await grid.waitForCalls('find', callCount);
    }
    await page.getByText('Searching…').waitFor();
    const bar = page.getByRole('progressbar', { name: 'Searching…' });
    assert.equal(await bar.isVisible(), false, 'what is over soon needs no bar');
    grid.show({ finding: 0.4 });
    await bar.waitFor();
    assert.equal(await bar.evaluate(({ value }: HTMLProgressElement) => value), 0.4);
    assert.deepEqual(
      grid.callsOf('find').map(({ signal }) => signal.aborted),
      [true, false],
    );
    await page.keyboard.press('Escape');
    await grid.grid.and(page.locator(':focus')).waitFor();
    while (!grid.callsOf('find')[1]?.signal.aborted) await grid.nextFrame();
  },
);

let matches = 3;
gridTest(
  'matches among arriving rows are counted, and the active cell stays',
  {
    ...numbers(5000),
    answers: { find: () => ({ count: matches, place: { index: 1, row: 50, column: 1 } }) },
  },
  async grid => {
    const { page } = grid;
    grid.show({ state: 'running', rowCount: 100, shownRows: 100 });
    await grid.grid.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('5');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await active(grid, 50).waitFor();
    matches = 70;
    grid.show({ rowCount: 5000, shownRows: 5000 });
    await page.getByText('2 of 70', { exact: true }).waitFor();
    await grid.cell(48, 0).click();
    matches = 71;
    grid.show({ orderVersion: 1 });
    await page.getByText('71 results', { exact: true }).waitFor();
    await active(grid, 48).waitFor();
  },
);

let answersFind = false;
const findLate = (params: unknown): Promise<FindResult> | FindResult => (answersFind ? find(params) : never());
gridTest(
  "rearranged rows do not abort the user's search",
  { ...numbers(5000), answers: { find: findLate } },
  async grid => {
    await grid.grid.focus();
    await grid.page.keyboard.press('Control+f');
    await grid.page.keyboard.type('0001');
    await grid.page.getByText('Searching…').waitFor();
    grid.show({ finding: 0.9 });
    await grid.page.getByRole('progressbar', { name: 'Searching…' }).waitFor();
    answersFind = true;
    grid.show({ orderVersion: 1 });
    await active(grid, 1000).waitFor();
    await grid.page.getByText('1 of 3', { exact: true }).waitFor();
    await grid.page.getByRole('progressbar', { name: 'Searching…' }).waitFor({ state: 'hidden' });
  },
);
