import assert from 'node:assert/strict';
import { ProjectError } from '../../../../src/base/errors.ts';
import { asRecord } from '../../../../src/base/decode.ts';
import { type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { never } from '../../../support/never.ts';
import { activeCell } from '../../../support/pageParts.ts';

/** The ranges that a copy would have, as `firstRow-endRow firstColumn-lastColumn`. */
async function selected(grid: GridPage): Promise<string[]> {
  const before = grid.callsOf('copy').length;
  await grid.page.keyboard.press('Control+c');
  await grid.waitForCalls('copy', before + 1);
  const ranges = asRecord(grid.callsOf('copy').at(-1)?.params)?.['ranges'] as {
    firstRow: number;
    endRow: number;
    columns: number[];
  }[];
  return ranges.map(({ firstRow, endRow, columns }) => `${firstRow}-${endRow} ${columns[0]}-${columns.at(-1)}`);
}

const center = async (grid: GridPage, row: number, column: number): Promise<[number, number]> => {
  const box = await grid.cell(row, column).boundingBox();
  if (!box) throw new Error('The cell is not in view.');
  return [box.x + box.width / 2, box.y + box.height / 2];
};

gridTest('keys select ranges, rows, columns and everything', numbers(1000), async grid => {
  const { keyboard } = grid.page;
  await grid.cell(2, 1).click();
  assert.deepEqual(await selected(grid), ['2-3 1-1']);
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight']) await keyboard.press(key);
  assert.deepEqual(await selected(grid), ['2-5 1-2']);
  await keyboard.press('Shift+End');
  assert.deepEqual(await selected(grid), ['2-5 1-11']);
  await keyboard.press('Shift+Home');
  assert.deepEqual(await selected(grid), ['2-5 0-1']);
  await keyboard.press('Control+Shift+End');
  assert.deepEqual(await selected(grid), ['2-1000 1-11']);
  await keyboard.press('Escape');
  assert.deepEqual(await selected(grid), ['999-1000 11-11']);
  await keyboard.press('Shift+PageUp');
  const [range = ''] = await selected(grid);
  assert.match(range, /^98\d-1000 11-11$/);
  await keyboard.press('Shift+Space');
  assert.match((await selected(grid))[0] ?? '', /^98\d-1000 0-11$/);
  await keyboard.press('Control+Home');
  await keyboard.press('Control+Space');
  assert.deepEqual(await selected(grid), ['0-1000 0-0']);
  await keyboard.press('Shift+ArrowRight');
  assert.deepEqual(await selected(grid), ['0-1000 0-1']);
  await keyboard.press('Control+a');
  assert.deepEqual(await selected(grid), ['0-1000 0-11']);
});

gridTest('the pointer selects by drags, Shift, Ctrl, row numbers and the corner', numbers(1000), async grid => {
  const { mouse } = grid.page;
  await mouse.move(...(await center(grid, 1, 1)));
  await mouse.down();
  await mouse.move(...(await center(grid, 4, 3)), { steps: 4 });
  await mouse.up();
  assert.deepEqual(await selected(grid), ['1-5 1-3']);
  await grid.page.waitForFunction(
    () => document.querySelectorAll('[role="gridcell"][aria-selected="true"]').length === 12,
  );
  await grid.cell(6, 2).click({ modifiers: ['Shift'] });
  assert.deepEqual(await selected(grid), ['1-7 1-2']);
  await grid.cell(9, 0).click({ modifiers: ['Control'] });
  assert.deepEqual(await selected(grid), ['1-7 1-2', '9-10 0-0']);
  const rowNumber = (row: number) => grid.grid.getByRole('rowheader', { name: String(row), exact: true });
  await rowNumber(3).click();
  await rowNumber(5).click({ modifiers: ['Shift'] });
  assert.deepEqual(await selected(grid), ['2-5 0-11']);
  await rowNumber(4).and(grid.page.locator('[aria-selected="true"]')).waitFor();
  await grid.header('column_2').click({ modifiers: ['Control'] });
  assert.deepEqual(await selected(grid), ['0-1000 2-2', '2-5 0-11']);
  await grid.corner.click();
  assert.deepEqual(await selected(grid), ['0-1000 0-11']);
});

gridTest('a drag beyond an edge scrolls as long as the pointer stays there', numbers(200), async grid => {
  const { mouse, page } = { mouse: grid.page.mouse, page: grid.page };
  const box = await grid.grid.boundingBox();
  assert.ok(box);
  await mouse.move(...(await center(grid, 3, 3)));
  await mouse.down();
  await mouse.move(box.x + 300, box.y + box.height + 60, { steps: 3 });
  await grid.cell(199, 1).waitFor();
  await mouse.move(box.x + 300, box.y - 80, { steps: 3 });
  await grid.cell(0, 1).waitFor();
  await mouse.move(box.x + box.width + 60, box.y + 100, { steps: 3 });
  await activeCell(page, 13).waitFor();
  await mouse.up();
  assert.match((await selected(grid))[0] ?? '', / 3-11$/);
});

const scrollLeft = (grid: GridPage): Promise<number> => grid.grid.evaluate(element => element.scrollLeft);

gridTest('dragging over row numbers does not scroll sideways', numbers(200), async grid => {
  const { mouse } = grid.page;
  await grid.grid.evaluate(element => element.scrollTo(400, 0));
  await grid.header('column_0').waitFor({ state: 'hidden' });
  const box = await grid.grid.boundingBox();
  assert.ok(box);
  for (const [x, y, row] of [
    [15, box.height + 60, 199],
    [box.width + 60, -80, 0],
  ] as const) {
    await mouse.move(box.x + 15, box.y + box.height / 2);
    await mouse.down();
    await mouse.move(box.x + x, box.y + y, { steps: 3 });
    await grid.cell(row, 6).waitFor();
    await mouse.up();
    assert.equal(await scrollLeft(grid), 400);
  }
});

gridTest('a drag within frozen columns scrolls vertically, a drag into them scrolls left', numbers(200), async grid => {
  const { mouse, keyboard } = grid.page;
  await grid.cell(0, 0).click();
  await keyboard.press('Alt+ArrowDown');
  await grid.page.getByRole('menuitem', { name: 'Column', exact: true }).click();
  await grid.page.getByRole('menuitem', { name: 'Freeze up to This Column' }).click();
  await grid.lastFrozen.first().waitFor();
  await grid.grid.evaluate(element => element.scrollTo(400, 0));
  await grid.header('column_1').waitFor({ state: 'hidden' });
  const box = await grid.grid.boundingBox();
  assert.ok(box);
  const [x, y] = await center(grid, 3, 0);
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x, box.y + box.height + 60, { steps: 3 });
  await grid.cell(199, 0).waitFor();
  await mouse.up();
  assert.equal(await scrollLeft(grid), 400);
  await mouse.move(box.x + box.width / 2, y);
  await mouse.down();
  await mouse.move(x, y, { steps: 3 });
  await grid.header('column_1').waitFor();
  await grid.page.waitForFunction(() => document.querySelector('[role="grid"]')?.scrollLeft === 0);
  await mouse.up();
});

gridTest('the cell menu copies in other formats, by pointer and by keys', numbers(100), async grid => {
  const { page } = grid;
  const menu = page.getByRole('menu', { name: 'Cells' });
  const group = menu.getByRole('menu', { name: 'Copy as' });
  await grid.cell(1, 1).click();
  await grid.cell(2, 2).click({ modifiers: ['Shift'] });
  await grid.cell(2, 1).click({ button: 'right' });
  const choices = [
    ['JSON', 'json', true],
    ['CSV', 'csv', true],
    ['CSV without Headers', 'csv', false],
    ['Markdown', 'markdown', true],
    ['INSERT', 'insert', true],
    ['IN List', 'inList', false],
    ['Copy with Headers', 'tsv', true],
  ] as const;
  for (const [index, [label, format, headers]] of choices.entries()) {
    if (format !== 'tsv') await menu.getByRole('menuitem', { name: 'Copy as', exact: true }).click();
    await menu.getByRole('menuitem', { name: label, exact: true }).click();
    await menu.waitFor({ state: 'hidden' });
    await grid.grid.and(page.locator(':focus')).waitFor();
    await grid.waitForCalls('copy', index + 1);
    const ranges = [{ firstRow: 1, endRow: 3, columns: [1, 2] }];
    assert.deepEqual(grid.callsOf('copy').at(-1)?.params, { runId: 'a', orderVersion: 0, format, headers, ranges });
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
  }
  // The right arrow opens a group, the left arrow and Escape close it.
  await menu.getByRole('menuitem', { name: 'Copy as', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await group.getByRole('menuitem', { name: 'CSV', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowLeft');
  await group.waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await group.waitFor({ state: 'hidden' });
  await menu.getByRole('menuitem', { name: 'Copy as', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await grid.grid.and(page.locator(':focus')).waitFor();
  // Outside of the selection, the right button selects first.
  await grid.cell(5, 0).click({ button: 'right' });
  await page.keyboard.press('Enter');
  await grid.waitForCalls('copy', choices.length + 1);
  assert.deepEqual(asRecord(grid.callsOf('copy').at(-1)?.params)?.['ranges'], [
    { firstRow: 5, endRow: 6, columns: [0] },
  ]);
});

gridTest('the keys that switch editors are left to VS Code', numbers(1000), async grid => {
  const { page } = grid;
  await grid.cell(2, 0).click();
  await page.evaluate(() => {
    window.addEventListener('keydown', ({ key, defaultPrevented }) => {
      document.body.dataset['keyLog'] = `${document.body.dataset['keyLog'] ?? ''} ${key} ${defaultPrevented}`;
    });
  });
  for (const key of ['Control+PageDown', 'Control+PageUp']) await page.keyboard.press(key);
  const keyLog = await page.evaluate(() => document.body.dataset['keyLog']);
  assert.equal(keyLog, ' Control false PageDown false Control false PageUp false');
  assert.deepEqual(await selected(grid), ['2-3 0-0']);
});

let copies = 0;
gridTest(
  'a new copy aborts the pending one without an alert',
  { ...numbers(1000), answers: { copy: () => (copies++ === 0 ? never() : undefined) } },
  async grid => {
    await grid.grid.focus();
    await grid.page.keyboard.press('Control+a');
    await selected(grid);
    await grid.cell(1, 1).click();
    await selected(grid);
    while (!grid.callsOf('copy')[0]?.signal.aborted) await grid.nextFrame();
    assert.equal(await grid.page.getByRole('alert').filter({ hasText: /./ }).count(), 0);
  },
);

let tooMuch = true;
const copyOnce = (): void => {
  if (tooMuch) throw new ProjectError('misuse', 'too_much_to_copy', 'This is more than the clipboard takes well.');
};
gridTest(
  'the failure of a copy shows until the next copy',
  { ...numbers(1000), answers: { copy: copyOnce } },
  async grid => {
    await grid.grid.focus();
    await grid.page.keyboard.press('Control+c');
    const alert = grid.page.getByRole('alert').filter({ hasText: 'more than the clipboard' });
    await alert.waitFor();
    tooMuch = false;
    await grid.page.keyboard.press('Control+c');
    await alert.waitFor({ state: 'hidden' });
  },
);

gridTest('a selected column includes rows that arrive later', numbers(2000), async grid => {
  grid.show({ state: 'running', rowCount: 100, shownRows: 100 });
  await grid.grid.and(grid.page.locator('[aria-rowcount="101"]')).waitFor();
  await grid.cell(0, 2).click();
  await grid.page.keyboard.press('Control+Space');
  await grid.waitForCalls('summarize', 1);
  grid.show({ rowCount: 2000, shownRows: 2000 });
  await grid.waitForCalls('summarize', 2);
  assert.deepEqual(asRecord(grid.callsOf('summarize').at(-1)?.params)?.['ranges'], [
    { firstRow: 0, endRow: 2000, columns: [2] },
  ]);
});

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const platforms = [
  ['another machine', undefined, 'Control', 'Alt+Down for the column menu', ['Ctrl+C', 'Ctrl+Shift+C', 'Ctrl+G']],
  ['a Mac', mac, 'Meta', 'Option+Down for the column menu', ['⌘C', '⇧⌘C', '⌃G']],
] as const;

for (const [machine, userAgent, mod, help, shown] of platforms) {
  const content = { ...numbers(100), ...(userAgent !== undefined && { userAgent }) };
  gridTest(`menus and hints name the keys of ${machine}, and those keys work`, content, async grid => {
    const { page } = grid;
    const menu = page.getByRole('menu', { name: 'Cells' });
    assert.match(
      (await grid.grid.getAttribute('aria-description')) ?? '',
      new RegExp(`${RegExp.escape(help)}.*${mod === 'Meta' ? 'Cmd' : 'Ctrl'}\\+F to find`),
    );
    await grid.cell(1, 1).click();
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
    const keys = await menu.getByRole('menuitem').locator('[aria-hidden="true"]').allTextContents();
    assert.deepEqual(
      keys.filter(text => !/^(?:Shift\+|⇧)?Space$/.test(text)),
      shown,
    );
    const copy = menu.getByRole('menuitem', { name: 'Copy', exact: true });
    assert.equal(await copy.getAttribute('aria-keyshortcuts'), `${mod}+C`);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.keyboard.press(`${mod}+c`);
    await page.keyboard.press(`${mod}+Shift+c`);
    await grid.waitForCalls('copy', 2);
    const headers = grid.callsOf('copy').map(({ params }) => (params as { headers: boolean }).headers);
    assert.deepEqual(headers, [false, true]);
    await page.keyboard.press(`${mod}+ArrowRight`);
    await page.keyboard.press('Control+Space');
    assert.deepEqual(await selected(grid), ['0-100 11-11']);
    await page.keyboard.press(`${mod}+a`);
    assert.deepEqual(await selected(grid), ['0-100 0-11']);
    await page.keyboard.press(`${mod}+f`);
    await page.getByRole('textbox', { name: 'Find in All Rows' }).and(page.locator(':focus')).waitFor();
  });
}

let promptedRow: number | null = 4170;
gridTest(
  'Ctrl+G goes to a row that the host asks for, and back to the grid if it asks in vain',
  { ...numbers(5000), answers: { promptForRow: () => promptedRow } },
  async grid => {
    const { page } = grid;
    await grid.cell(0, 2).click();
    await page.keyboard.press('Control+g');
    await grid.cell(4170, 2).and(activeCell(page)).waitFor();
    promptedRow = null;
    await grid.cell(4170, 2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Go to Row…' }).click();
    await grid.waitForCalls('promptForRow', 2);
    await grid.grid.and(page.locator(':focus')).waitFor();
    await grid.cell(4170, 2).and(activeCell(page)).waitFor();
  },
);
