import assert from 'node:assert/strict';
import type { TaggedValue } from '../../../../src/wire/values.ts';
import { type GridContent, type GridPage, gridTest } from '../../../support/gridPage.ts';

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
        children: Array.from(cell.children, ({ className }) => className),
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
  for (const left of [nothing, nullText, date, json]) assert.equal(left?.textAlign, 'left');
  assert.deepEqual([lines?.text, lines?.children], ['one↵two', ['mark']]);
  assert.equal(bidi?.text, '⟨U+202E⟩gnp.exe␀');
  assert.equal(markup?.text, '<b onclick=alert(1)>bold</b>');
  assert.ok(long && long.text.length < 400);
  assert.equal(long.description, '5000 characters');
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

gridTest(
  'a direction mark in names and values shows in headers, chips, menus, forms, records and the footer',
  reversedContent,
  async grid => {
    const { page } = grid;
    await page.getByRole('columnheader', { name: reversedShown, exact: true }).waitFor();
    await page.getByText(`Row 1 of 3 · ${reversedShown}`).waitFor();
    await filterFirstColumn(grid);
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByText(`${reversedShown} = “${reversedShown}”`).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menu', { name: `Column ${reversedShown}` }).waitFor();
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.getByRole('dialog', { name: `Filter ${reversedShown}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByRole('term').getByText(`${reversedShown}${reversedShown}`).waitFor();
    await record.getByRole('definition').getByText(reversedShown).waitFor();
    assert.equal((await page.locator('body').innerText()).includes('\u202e'), false);
  },
);
