import assert from 'node:assert/strict';
import { type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { activeCell } from '../../../support/pageParts.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const names = (grid: GridPage) => grid.grid.getByRole('columnheader').allInnerTexts();
const widthOf = async (grid: GridPage, name: string): Promise<number> =>
  (await grid.header(name).boundingBox())?.width ?? 0;

async function waitForWidth(grid: GridPage, name: string, width: number): Promise<void> {
  let seen = 0;
  await waitUntil(async () => (seen = await widthOf(grid, name)) === width, {
    what: () => `${name} is ${seen} pixels wide, not ${width}`,
  });
}

/** Drags one header to another. */
async function drag(grid: GridPage, from: string, to: string, share = 0.5): Promise<void> {
  const start = await grid.header(from).boundingBox();
  const end = await grid.header(to).boundingBox();
  if (!start || !end) throw new Error('The columns are not in view.');
  await grid.page.mouse.move(start.x + 30, start.y + 10);
  await grid.page.mouse.down();
  await grid.page.mouse.move(end.x + end.width * share, end.y + 10, { steps: 5 });
  await grid.page.mouse.up();
}

/** Chooses from the menu of the active column by keys alone. */
async function choose(grid: GridPage, ...path: readonly string[]): Promise<void> {
  await grid.grid.focus();
  await grid.page.keyboard.press('Alt+ArrowDown');
  for (const label of path) {
    const item = grid.page.getByRole('menuitem', { name: label, exact: true });
    await item.focus();
    await item.and(grid.page.locator(':focus')).waitFor();
    await grid.page.keyboard.press('Enter');
  }
  await grid.page.getByRole('menu').first().waitFor({ state: 'hidden' });
}

gridTest('dragging its edge resizes a column, and Escape cancels the drag', numbers(100), async grid => {
  const { mouse, keyboard } = grid.page;
  const before = await widthOf(grid, 'column_1');
  const edge = await grid.columnEdge('column_1').boundingBox();
  const header = await grid.header('column_1').boundingBox();
  assert.ok(edge && header);
  assert.ok(edge.x <= header.x + header.width - 4 && edge.x + edge.width >= header.x + header.width + 4);
  await mouse.move(edge.x + 2, edge.y + 5);
  await mouse.down();
  await mouse.move(edge.x + 62, edge.y + 5, { steps: 3 });
  await mouse.up();
  await waitForWidth(grid, 'column_1', before + 60);
  assert.equal((await grid.cell(3, 1).boundingBox())?.width, before + 60);
  await mouse.move(edge.x + 62, edge.y + 5);
  await mouse.down();
  await mouse.move(edge.x + 200, edge.y + 5, { steps: 3 });
  await waitForWidth(grid, 'column_1', before + 198);
  await keyboard.press('Escape');
  await mouse.up();
  await waitForWidth(grid, 'column_1', before + 60);
  assert.equal(grid.callsOf('arrange').length, 0, 'that was no click on the name');
});

const wide = {
  ...numbers(100),
  valueAt: (row: number) => ({ kind: 'text', text: row === 2 ? 'W'.repeat(40) : 'w' }) as const,
};
gridTest('a double click on its edge fits a column to the rows in view', wide, async grid => {
  const cut = () =>
    grid.cell(2, 0).evaluate(cell => ({ cut: cell.scrollWidth > cell.clientWidth, width: cell.clientWidth }));
  assert.equal((await cut()).cut, true);
  // Three pixels beyond the line, on the side of the next column.
  const { x = 0, y = 0, width = 0 } = (await grid.header('column_0').boundingBox()) ?? {};
  await grid.page.mouse.dblclick(x + width + 3, y + 8);
  await grid.page.waitForFunction(() => {
    const cell = document.querySelector('[aria-rowindex="4"] [aria-colindex="2"]');
    return cell !== null && cell.scrollWidth <= cell.clientWidth;
  });
  assert.ok((await cut()).width < 1000);
  assert.equal(grid.callsOf('arrange').length, 0, 'that was no click on the next name');
});

gridTest('a result that is shown again fits its columns to rows that have arrived since', wide, async grid => {
  grid.show({ runId: 'b', rowCount: 1, shownRows: 1 });
  await grid.cell(1, 0).waitFor({ state: 'detached' });
  const before = await widthOf(grid, 'column_0');
  grid.show({ runId: 'c', rowCount: 1, shownRows: 1 });
  grid.show({ runId: 'b', rowCount: 3, shownRows: 3 });
  await grid.cell(2, 0).waitFor();
  const after = await widthOf(grid, 'column_0');
  assert.ok(after > before, `${after} is not above ${before}`);
});

gridTest('keys resize and move a column', numbers(100), async grid => {
  const before = await widthOf(grid, 'column_1');
  await grid.cell(0, 1).click();
  await grid.page.keyboard.press('+');
  await grid.page.keyboard.press('+');
  await grid.page.keyboard.press('-');
  await grid.page.keyboard.press('Alt+Shift+ArrowRight');
  await grid.grid.getByRole('columnheader').nth(2).and(grid.header('column_1')).waitFor();
  assert.equal(await widthOf(grid, 'column_1'), before + 16);
  assert.equal(await activeCell(grid.page).innerText(), '0001', 'the active cell went along');
});

gridTest('dragging its header moves a column with its cells', numbers(100), async grid => {
  await drag(grid, 'column_1', 'column_4');
  await grid.grid.getByRole('columnheader').nth(4).and(grid.header('column_1')).waitFor();
  assert.deepEqual((await names(grid)).slice(0, 6), [
    'column_0',
    'column_2',
    'column_3',
    'column_4',
    'column_1',
    'column_5',
  ]);
  assert.equal(await grid.cell(5, 4).innerText(), '5001');
  assert.equal(grid.callsOf('arrange').length, 0, 'that was no click');
  await drag(grid, 'column_1', 'column_0');
  await grid.grid.getByRole('columnheader').first().and(grid.header('column_1')).waitFor();
});

gridTest('the column menu hides and shows columns, and calls concern shown ones', numbers(100), async grid => {
  await grid.cell(0, 1).click();
  await choose(grid, 'Column', 'Hide Column');
  await grid.header('column_1').waitFor({ state: 'hidden' });
  assert.equal(await grid.grid.getAttribute('aria-colcount'), '12');
  await grid.page.keyboard.press('Control+a');
  await grid.page.keyboard.press('Control+c');
  await grid.page.keyboard.press('Home');
  await choose(grid, 'Show Hidden Columns (1)');
  await grid.header('column_1').waitFor();
  await grid.waitForCalls('copy', 1);
  const [copy] = grid.callsOf('copy');
  assert.deepEqual(copy?.params, {
    runId: 'a',
    orderVersion: 0,
    format: 'tsv',
    headers: false,
    ranges: [{ firstRow: 0, endRow: 100, columns: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }],
  });
});

let offered: unknown;
gridTest(
  "VS Code's own list chooses which columns are shown",
  {
    ...numbers(100),
    answers: { chooseColumns: params => ((offered = params), [0, 1, 3, 5]) },
  },
  async grid => {
    await grid.cell(0, 1).click();
    await choose(grid, 'Column', 'Hide Column');
    await grid.header('column_1').waitFor({ state: 'hidden' });
    await choose(grid, 'Choose Columns…');
    await grid.header('column_1').waitFor();
    assert.deepEqual(await names(grid), ['column_0', 'column_1', 'column_3', 'column_5']);
    assert.deepEqual(offered, {
      runId: 'a',
      columns: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      shown: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    });
    await grid.grid.and(grid.page.locator(':focus')).waitFor();
  },
);

const odd = [
  { name: '<b>bold</b>', type: 'TEXT' },
  { name: 'user\u202Etxt.exe\nline', type: 'TEXT' },
];
gridTest('a column name is text, and its invisible characters are marks', numbers(10, odd), async grid => {
  assert.deepEqual(await names(grid), ['<b>bold</b>', 'user⟨U+202E⟩txt.exe↵line']);
});

gridTest('frozen columns stay in place above scrolled ones', numbers(1000), async grid => {
  await grid.cell(0, 1).click();
  await choose(grid, 'Column', 'Freeze up to This Column');
  await grid.lastFrozen.first().waitFor();
  const places = async () => [
    (await grid.cell(0, 0).boundingBox())?.x,
    (await grid.cell(0, 1).boundingBox())?.x,
    (await grid.header('column_1').boundingBox())?.x,
  ];
  const before = await places();
  await grid.grid.evaluate(element => element.scrollTo(350, 0));
  await grid.header('column_2').waitFor({ state: 'hidden' });
  assert.deepEqual(await places(), before);
  const box = await grid.cell(0, 1).boundingBox();
  assert.ok(box);
  const onTop = await grid.page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.getAttribute('aria-colindex'), [
    box.x + 5,
    box.y + 5,
  ] as const);
  assert.equal(onTop, '3');
  // A cell reached by keys is never below frozen columns.
  await grid.cell(0, 6).click();
  for (let i = 0; i < 3; i++) await grid.page.keyboard.press('ArrowLeft');
  await activeCell(grid.page, 5).waitFor();
  const active = await activeCell(grid.page).boundingBox();
  assert.ok(active && active.x >= box.x + box.width);
  await choose(grid, 'Column', 'Hide Column');
});

gridTest('dragging a frozen column among frozen ones does not scroll', numbers(100), async grid => {
  const { page } = grid;
  await grid.cell(0, 1).click();
  await choose(grid, 'Column', 'Freeze up to This Column');
  await grid.lastFrozen.first().waitFor();
  await grid.grid.evaluate(element => element.scrollTo(350, 0));
  await grid.header('column_2').waitFor({ state: 'hidden' });
  const start = await grid.header('column_0').boundingBox();
  const end = await grid.header('column_1').boundingBox();
  assert.ok(start && end);
  await page.mouse.move(start.x + 30, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + 10, { steps: 5 });
  await grid.dropMark.waitFor();
  // A pointer outside of the grid scrolls with each frame.
  for (let frame = 0; frame < 3; frame++) await grid.nextFrame();
  assert.equal(await grid.grid.evaluate(element => element.scrollLeft), 350);
  await page.mouse.up();
  await grid.grid.getByRole('columnheader').first().and(grid.header('column_1')).waitFor();
});

gridTest('frozen columns hide the cells below them in every theme', numbers(1000), async grid => {
  const { page } = grid;
  await grid.cell(0, 1).click();
  await choose(grid, 'Column', 'Freeze up to This Column');
  await grid.lastFrozen.first().waitFor();
  const translucent = ['editor-selectionBackground', 'editor-inactiveSelectionBackground'];
  await page.evaluate(colorNames => {
    document.documentElement.style.setProperty('--vscode-editor-background', '#ffffff');
    for (const name of colorNames) document.documentElement.style.setProperty(`--vscode-${name}`, '#0060c026');
  }, translucent);
  await grid.grid.focus();
  await page.keyboard.press('Control+a');
  await grid.cell(0, 0).and(page.locator('[aria-selected="true"]')).waitFor();
  // The headers and the cells of both frozen columns.
  const frozen = grid.grid.locator('[aria-colindex="2"], [aria-colindex="3"]');
  const colors = (): Promise<string[]> =>
    frozen.evaluateAll(cells => [...new Set(cells.map(cell => getComputedStyle(cell).backgroundColor))]);
  assert.deepEqual(await colors(), ['rgb(255, 255, 255)']);
  await grid.grid.evaluate(element => element.blur());
  assert.deepEqual(await colors(), ['rgb(255, 255, 255)']);
});

gridTest('a menu opened by a key is at its column, even right after a move', numbers(1000), async grid => {
  const { page } = grid;
  await grid.grid.focus();
  await page.keyboard.press('Control+ArrowRight');
  await activeCell(page, 13).waitFor();
  await grid.grid.evaluate(element => {
    const press = (key: string, held: object): boolean =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key, ...held, bubbles: true }));
    press('Home', {});
    press('ArrowDown', { altKey: true });
  });
  const menu = await page.getByRole('menu').boundingBox();
  const header = await grid.header('column_0').boundingBox();
  assert.ok(menu && header && Math.abs(menu.x - header.x) < 20, JSON.stringify([menu, header]));
});

const many = Array.from({ length: 500 }, (_, i) => ({ name: `column_${i}`, type: '' }));
gridTest(
  'only columns in view have elements, even with the active cell far away',
  numbers(10_000, many),
  async grid => {
    const count = () => grid.grid.evaluate(element => element.querySelectorAll('*').length);
    const atFirst = await count();
    await grid.grid.focus();
    await grid.page.keyboard.press('End');
    await grid.header('column_499').waitFor();
    await grid.grid.evaluate(element => element.scrollTo(20_000, 100_000));
    await grid.header('column_499').waitFor({ state: 'hidden' });
    assert.ok(atFirst < 1000 && (await count()) < 1000, `${atFirst} and ${await count()} elements`);
    assert.equal(await activeCell(grid.page).getAttribute('aria-colindex'), '501');
  },
);

gridTest('each result keeps its own layout and place while the view is hidden', numbers(5000), async grid => {
  await drag(grid, 'column_3', 'column_1', 0.2);
  await grid.grid.getByRole('columnheader').nth(1).and(grid.header('column_3')).waitFor();
  await grid.cell(0, 2).click();
  await choose(grid, 'Column', 'Hide Column');
  await grid.header('column_1').waitFor({ state: 'hidden' });
  await grid.grid.evaluate(element => element.scrollTo(0, 44_000));
  await grid.cell(2003, 0).click();
  const top = (await grid.cell(2003, 0).boundingBox())?.y;
  await grid.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"row":2003'));
  await grid.page.reload();
  await activeCell(grid.page).and(grid.page.locator('[aria-selected="true"]')).waitFor();
  await grid.cell(2003, 0).waitFor();
  assert.deepEqual((await names(grid)).slice(0, 3), ['column_0', 'column_3', 'column_2']);
  assert.equal((await grid.cell(2003, 0).boundingBox())?.y, top);
  grid.show({ runId: 'b' });
  await grid.header('column_1').waitFor();
  await grid.cell(0, 0).waitFor();
  // Back to the first result on the same page.
  grid.show({ runId: 'a' });
  await grid.cell(2003, 0).waitFor();
  assert.deepEqual((await names(grid)).slice(0, 3), ['column_0', 'column_3', 'column_2']);
});

gridTest('the next result keeps the columns by name, and hidden ones leave a sign', numbers(50), async grid => {
  await drag(grid, 'column_3', 'column_1', 0.2);
  await grid.grid.getByRole('columnheader').nth(1).and(grid.header('column_3')).waitFor();
  await grid.cell(0, 2).click();
  await choose(grid, 'Column', 'Hide Column');
  await grid.header('column_1').waitFor({ state: 'hidden' });
  const sign = grid.header('column_2').and(grid.hiddenBefore);
  await sign.and(grid.page.getByTitle('1 hidden column')).waitFor();
  await grid.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"hidden":[1]'));
  grid.show({ runId: 'b', formerRunId: 'a' });
  await grid.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"b":'));
  await sign.waitFor();
  assert.deepEqual((await names(grid)).slice(0, 3), ['column_0', 'column_3', 'column_2']);
  grid.show({ runId: 'c', formerRunId: 'none' });
  await grid.header('column_1').waitFor();
});
