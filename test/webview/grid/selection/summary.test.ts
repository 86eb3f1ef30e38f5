import assert from 'node:assert/strict';
import type { Summary } from '../../../../src/protocol/rowQueries.ts';
import { ProjectError } from '../../../../src/base/errors.ts';
import { asRecord } from '../../../../src/base/decode.ts';
import { type GridContent, gridTest, numbers } from '../../../support/gridPage.ts';
import { never } from '../../../support/never.ts';

/** Whether the line ends before the end of a figure. */
function isCut(figure: Element): boolean {
  const all = figure.closest('[role="group"]')!.getBoundingClientRect();
  return figure.getBoundingClientRect().right > all.right + 0.5;
}

gridTest('the footer summarizes the selection, but not a single cell', numbers(1000), async grid => {
  const { page } = grid;
  await page.getByText('Row 1 of 1,000 · column_0').waitFor();
  await grid.cell(1, 1).click();
  await page.getByText('Row 2 of 1,000 · column_1').waitFor();
  assert.equal(grid.callsOf('summarize').length, 0);
  await grid.cell(3, 2).click({ modifiers: ['Shift'] });
  const figures = page.getByLabel('The selected cells');
  await figures.getByText('Sum 9007199254740993').waitFor();
  assert.equal(
    await figures.innerText().then(text => text.replaceAll('\n', ' ')),
    'Sum 9007199254740993 Cells 6 Count 5 Distinct 4',
  );
  assert.deepEqual(grid.callsOf('summarize').at(-1)?.params, {
    runId: 'a',
    orderVersion: 0,
    ranges: [{ firstRow: 1, endRow: 4, columns: [1, 2] }],
  });
  // In a narrow line, the sum has its room before the project and the figures of the run.
  await page.setViewportSize({ width: 340, height: 400 });
  const line = await page.locator('footer').boundingBox();
  const sum = await figures.getByText('9007199254740993').boundingBox();
  assert.ok(line && sum && sum.x + sum.width <= line.x + line.width, JSON.stringify([line, sum]));
  assert.equal(await figures.getByText('9007199254740993').evaluate(isCut), false);
  await grid.opened.picture('sum-narrow');
  await page.setViewportSize({ width: 900, height: 400 });
  await grid.cell(5, 5).click();
  await figures.getByText('Sum').waitFor({ state: 'hidden' });
});

const manyValues = (): Summary => ({
  cells: 5_000_000,
  nulls: 0,
  numbers: 0,
  distinct: 4_194_304,
  distinctOrMore: true,
});
gridTest(
  'a limited count of different values shows as a minimum',
  { ...numbers(1000), answers: { summarize: manyValues } },
  async grid => {
    await grid.cell(1, 1).click();
    await grid.page.keyboard.press('Shift+ArrowDown');
    await grid.page.getByLabel('The selected cells').getByText('Distinct ≥ 4,194,304').waitFor();
  },
);

gridTest(
  'a new selection aborts the pending summary',
  { ...numbers(1000), answers: { summarize: never } },
  async grid => {
    await grid.cell(1, 1).click();
    for (let callCount = 1; callCount <= 2; callCount++) {
      await grid.page.keyboard.press('Shift+ArrowDown');
      await grid.waitForCalls('summarize', callCount);
    }
    const [first, second] = grid.callsOf('summarize');
    assert.equal(first?.signal.aborted, true);
    assert.equal(second?.signal.aborted, false);
  },
);

gridTest(
  'arriving rows do not abort the summary of a sorted column',
  { ...numbers(2000), answers: { summarize: never } },
  async grid => {
    grid.show({ state: 'running', rowCount: 100, shownRows: 100 });
    await grid.cell(0, 2).click();
    await grid.page.keyboard.press('Control+Space');
    await grid.waitForCalls('summarize', 1);
    grid.show({ orderVersion: 1, rowCount: 200, shownRows: 200 });
    await grid.page.getByText('Row 1 of 200').waitFor();
    assert.equal(grid.callsOf('summarize')[0]?.signal.aborted, false);
    const filters = [{ kind: 'contains', column: 0, text: '1' }] as const;
    grid.show({ orderVersion: 2, shownRows: 50, arrangement: { sort: [], filters } });
    while (!grid.callsOf('summarize')[0]?.signal.aborted) {
      await grid.nextFrame();
    }
  },
);

let refusals = 1;
const outdated = {
  summarize: () => {
    if (refusals-- > 0) throw new ProjectError('misuse', 'stale_order', 'The rows stand in another order by now.');
    return { cells: 2, nulls: 0, numbers: 2, distinct: 2, sum: '77' };
  },
};
gridTest('an outdated summary is repeated without an alert', { ...numbers(1000), answers: outdated }, async grid => {
  await grid.cell(1, 1).click();
  await grid.page.keyboard.press('Shift+ArrowDown');
  await grid.waitForCalls('summarize', 1);
  grid.show({ orderVersion: 1 });
  await grid.page.getByText('Sum 77').waitFor();
  assert.equal(await grid.page.getByRole('alert').filter({ hasText: /./ }).count(), 0);
  assert.equal(asRecord(grid.callsOf('summarize').at(-1)?.params)?.['orderVersion'], 1);
});

const reals: GridContent = {
  ...numbers(100),
  answers: {
    summarize: () => ({
      cells: 3,
      nulls: 0,
      numbers: 3,
      distinct: 3,
      sum: '0.30000000000000004',
      average: '123456.78901234567',
    }),
  },
};
gridTest('sums and averages are rounded, and their tooltips have every digit', reals, async grid => {
  await grid.cell(0, 1).click();
  await grid.page.keyboard.press('Shift+ArrowDown');
  await grid.page.getByText('Average 123456.789', { exact: true }).waitFor();
  await grid.page.getByText('Sum 0.3', { exact: true }).waitFor();
  await grid.page.getByTitle('Average 123456.78901234567', { exact: true }).waitFor();
});
