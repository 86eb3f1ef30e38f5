import assert from 'node:assert/strict';
import type { TaggedValue } from '../../../../src/protocol/shownValues.ts';
import { type GridContent, type GridPage, gridTest } from '../../../support/gridPage.ts';
import { measuredParts } from '../../../support/pageParts.ts';

const text = (value: string): TaggedValue => ({ kind: 'text', text: value });

const values: readonly TaggedValue[] = [
  { kind: 'null' },
  text('NULL'),
  text(''),
  text('(empty)'),
  { kind: 'integer', text: '9223372036854775807' },
  { kind: 'real', text: '0.1' },
  { kind: 'boolean', value: true },
  text('one\ntwo'),
  text('\u202egnp.exe\u0000'),
  text('<b onclick=alert(1)>bold</b>'),
  text('x'.repeat(5000)),
  text('2026-02-30T25:00:00'),
  { kind: 'json', text: '{"a":1}' },
];
const content: GridContent = {
  columns: [{ name: 'value', type: '' }],
  rowCount: values.length,
  valueAt: row => values[row] ?? { kind: 'null' },
};

gridTest('values look different by kind, stay on one line, and are never markup', content, async grid => {
  const looks = (row: number) =>
    grid.cell(row, 0).evaluate(cell => {
      const { fontStyle, textAlign } = getComputedStyle(cell);
      const mark = getComputedStyle(cell, '::before');
      const { width, height } = cell.getBoundingClientRect();
      return {
        text: cell.textContent,
        fontStyle,
        textAlign,
        mark: mark.content,
        markStyle: mark.fontStyle,
        width,
        height,
        children: Array.from(cell.children, ({ textContent }) => textContent),
        description: cell.ariaDescription,
      };
    });
  const shown = await Promise.all(values.map((_value, row) => looks(row)));
  const [nothing, nullText, empty, emptyText, big, real, truth, lines, bidi, markup, long, date, json] = shown;
  assert.deepEqual([nothing?.text, nothing?.fontStyle, nothing?.description], ['NULL', 'italic', 'no value']);
  assert.deepEqual([nullText?.text, nullText?.fontStyle, nullText?.description], ['NULL', 'normal', null]);
  assert.deepEqual([empty?.text, empty?.mark, empty?.markStyle], ['', '"(empty)"', 'italic']);
  assert.deepEqual([emptyText?.text, emptyText?.mark], ['(empty)', 'none']);
  assert.equal(big?.text, '9223372036854775807');
  for (const right of [big, real, truth]) assert.equal(right?.textAlign, 'right');
  assert.equal(nothing?.textAlign, 'left', 'NULL stands as the other values of its column');
  for (const left of [nullText, date, json]) assert.equal(left?.textAlign, 'left');
  assert.deepEqual([lines?.text, lines?.children], ['one↵two', ['↵']]);
  assert.equal(bidi?.text, '⟨U+202E⟩gnp.exe␀');
  assert.equal(markup?.text, '<b onclick=alert(1)>bold</b>');
  assert.ok(long && long.text.length < 400);
  assert.equal(long.description, '5,000 characters');
  assert.equal(date?.text, '2026-02-30T25:00:00');
  for (const one of shown) assert.equal(one.height, shown[0]?.height);
});

const reversed = '\u202egnp.exe';
const reversedShown = '⟨U+202E⟩gnp.exe';
const reversedContent: GridContent = {
  columns: [{ name: reversed, type: reversed }],
  rowCount: 3,
  valueAt: () => text(reversed),
};

const filterFirstColumn = async (grid: GridPage): Promise<void> => {
  await grid.cell(0, 0).click({ button: 'right' });
  await grid.page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
};

gridTest('a direction mark of a name or value shows in all parts of the page', reversedContent, async grid => {
  const { page } = grid;
  await page.getByRole('columnheader', { name: reversedShown, exact: true }).waitFor();
  await page.getByText(`Row 1 of 3 · ${reversedShown}`).waitFor();
  await filterFirstColumn(grid);
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByText(`${reversedShown} = ${reversedShown}`).waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menu', { name: `Column ${reversedShown}` }).waitFor();
  await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
  await page.getByRole('dialog', { name: `Filter ${reversedShown}` }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Space');
  const record = page.getByRole('complementary', { name: 'Record' });
  await record.getByRole('term').getByText(`${reversedShown}${reversedShown}`).waitFor();
  await record.getByRole('definition').getByText(reversedShown).waitFor();
  assert.equal((await page.locator('body').innerText()).includes('\u202e'), false);
});

const picture: TaggedValue = text(Buffer.from('SQLite\0\u00ff', 'latin1').toString('base64'));
const kinds: GridContent = {
  columns: [
    { name: 'quantity', type: 'INTEGER' },
    { name: 'total', type: '' },
    { name: 'picture', type: 'BLOB' },
    { name: 'note', type: 'TEXT' },
  ],
  rowCount: 3,
  valueAt: (row, column) =>
    row === 1
      ? { kind: 'null' }
      : ([{ kind: 'integer', text: '5' }, { kind: 'real', text: '1.5' }, picture, text('here')] as const)[column]!,
};

gridTest('headers and NULLs stand on the side of the numbers in their column', kinds, async grid => {
  const sideOf = (column: number, row: number) =>
    grid.cell(row, column).evaluate(cell => getComputedStyle(cell).textAlign);
  assert.deepEqual(await Promise.all([0, 1, 2, 3].map(column => sideOf(column, 1))), [
    'right',
    'right',
    'left',
    'left',
  ]);
  const gapOf = (name: string) =>
    grid.header(name).evaluate((header, { columnName }) => {
      const { left, right } = header.getBoundingClientRect();
      const { left: nameLeft, right: nameRight } = header.querySelector(columnName)!.getBoundingClientRect();
      return { before: nameLeft - left, behind: right - nameRight };
    }, measuredParts);
  for (const name of ['quantity', 'total']) assert.ok((await gapOf(name)).behind < 12, name);
  for (const name of ['picture', 'note']) assert.ok((await gapOf(name)).before < 12, name);
});

gridTest('a BLOB shows its size and first bytes, and is filtered by its literal', kinds, async grid => {
  await grid.cell(0, 2).getByText('BLOB 8 B 53 51 4C 69 74 65 00 FF', { exact: true }).waitFor();
  await grid.cell(0, 2).click({ button: 'right' });
  await grid.page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
  await grid.waitForCalls('arrange', 1);
  assert.deepEqual(grid.callsOf('arrange').at(-1)?.params, {
    runId: 'a',
    arrangement: { sort: [], filters: [{ kind: 'equals', column: 2, text: "x'53514c69746500ff'" }] },
  });
});

gridTest('the header shows a key and a type only whole, beside the whole name', kinds, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  const marksOf = (name: string) =>
    grid.header(name).evaluate((header, { columnName, columnKey, columnType }) => {
      const { left, right } = header.getBoundingClientRect();
      const shown = header.querySelector(columnName)!;
      const isWhole = ({ left: from, right: to }: DOMRect): boolean => from >= left && to <= right;
      const marks = [...header.querySelectorAll<HTMLElement>(`${columnKey}, ${columnType}`)].filter(
        mark => mark.offsetWidth > 0,
      );
      return {
        marks: marks.map(mark => (mark.matches(columnKey) ? 'key' : 'type')),
        areWhole: marks.every(mark => isWhole(mark.getBoundingClientRect())),
        isNameWhole: shown.scrollWidth <= shown.clientWidth && isWhole(shown.getBoundingClientRect()),
      };
    }, measuredParts);
  const whole = { areWhole: true, isNameWhole: true };
  assert.deepEqual(await marksOf('quantity'), { marks: [], ...whole });
  const columns = [
    { name: 'quantity', type: 'INTEGER', isKey: true as const },
    { name: 'total', type: '' },
    { name: 'picture', type: `A TYPE WITH A NAME THAT IS ${'FAR '.repeat(40)}TOO LONG`, references: 'files' },
    { name: 'note', type: 'TEXT' },
  ];
  grid.show({ columns, showsTypes: true });
  await grid.header('quantity').getByText('INTEGER').waitFor();
  assert.equal(await grid.header('quantity').getAttribute('aria-description'), 'Primary key');
  await page.getByTitle('References files').waitFor();
  assert.deepEqual(await marksOf('quantity'), { marks: ['key', 'type'], ...whole });
  assert.deepEqual(await marksOf('picture'), { marks: ['key'], ...whole });
  assert.deepEqual(await marksOf('note'), { marks: ['type'], ...whole });
  // A narrower column gives up its type, then its key, and last a part of its name.
  await grid.cell(0, 0).click();
  const seen: string[] = [];
  for (let press = 0; press < 20; press++) {
    const { marks, areWhole, isNameWhole } = await marksOf('quantity');
    assert.ok(areWhole && (isNameWhole || marks.length === 0));
    if (seen.at(-1) !== marks.join(' ')) seen.push(marks.join(' '));
    await keyboard.press('-');
    await grid.nextFrame();
  }
  assert.deepEqual(seen, ['key type', 'key', '']);
});

const long = 'x'.repeat(90);
const cut: GridContent = {
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'note', type: 'TEXT' },
  ],
  rowCount: 30,
  valueAt: (row, column) => ({ kind: 'text', text: column === 0 ? String(row) : long }),
};
const growing: GridContent = {
  ...cut,
  rowCount: 500,
  valueAt: (row, column) => ({ kind: 'text', text: column === 0 ? String(row) : 'x'.repeat(row < 300 ? 3 : 60) }),
};
gridTest('a text that comes into view takes free room before it is cut', growing, async grid => {
  await grid.page.setViewportSize({ width: 1200, height: 400 });
  const before = await grid.header('note').evaluate(header => header.clientWidth);
  assert.ok(before < 150, `${before}`);
  await grid.cell(0, 1).click();
  await grid.page.keyboard.press('Control+End');
  const last = grid.cell(499, 1);
  await last.getByText('xxx').waitFor();
  while (await last.evaluate(cell => cell.scrollWidth > cell.clientWidth)) await grid.nextFrame();
  // No column gets narrower again while the user scrolls.
  const after = await grid.header('note').evaluate(header => header.clientWidth);
  await grid.page.keyboard.press('Control+Home');
  await grid.cell(0, 1).getByText('xxx').waitFor();
  assert.equal(await grid.header('note').evaluate(header => header.clientWidth), after);
});

gridTest('a cut text gets free room when the view gets wider, but a width of the user stays', cut, async grid => {
  const { page } = grid;
  const isCut = () => grid.cell(0, 1).evaluate(cell => cell.scrollWidth > cell.clientWidth);
  const becomes = async (expected: boolean): Promise<void> => {
    while ((await isCut()) !== expected) await grid.nextFrame();
  };
  await page.setViewportSize({ width: 500, height: 400 });
  await becomes(true);
  await page.setViewportSize({ width: 1200, height: 400 });
  await becomes(false);
  await page.setViewportSize({ width: 500, height: 400 });
  await becomes(true);
  await grid.cell(0, 1).click();
  await page.keyboard.press('-');
  await page.setViewportSize({ width: 1200, height: 400 });
  await grid.cell(0, 0).click();
  await grid.nextFrame();
  assert.equal(await isCut(), true);
});
