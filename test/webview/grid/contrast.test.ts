import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { type GridContent, gridTest } from '../../support/gridPage.ts';
import { tablePageTest } from '../../support/browsedTablePage.ts';
import { cellAt, select, type } from '../../support/editedCells.ts';
import { contrastOf, type Pair } from '../../support/contrast.ts';
import { faintBorders } from '../../support/faintBorders.ts';
import { deletedRows, measuredParts } from '../../support/pageParts.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';

const text = (value: string): TaggedValue => ({ kind: 'text', text: value });
const content: GridContent = {
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
    { name: 'picture', type: 'BLOB' },
    { name: 'note', type: 'TEXT' },
  ],
  rowCount: 60,
  valueAt: (row, column) =>
    column === 0
      ? { kind: 'integer', text: String(row + 1) }
      : ([text(row % 3 === 0 ? '' : 'one\ntwo'), text('AP8Q'), { kind: 'null' }] as const)[column - 1]!,
  answers: {
    values: () => ({
      values: [
        { text: null, count: 12 },
        { text: 'a', count: 3 },
      ],
    }),
  },
};

/** Text that is read has this contrast, and a sign without text the other one. */
const minText = 4.5;
const minSign = 3;

async function check(
  page: Page,
  least: number,
  parts: readonly (keyof typeof measuredParts)[],
  isMark = false,
): Promise<void> {
  for (const part of parts) {
    const pairs = await page.locator(measuredParts[part]).filter({ visible: true }).evaluateAll(colorPairs, isMark);
    assert.ok(pairs.length > 0, `${part} is in view`);
    for (const pair of pairs) {
      const contrast = contrastOf(pair);
      assert.ok(contrast >= least, `${part}: ${contrast.toFixed(2)} of ${JSON.stringify(pair)}`);
    }
  }
}

const selectedCell = (page: Page): Locator => page.locator('[aria-selected="true"]');

/** The color of each element's text, and the colors and images behind it, from front to back. */
function colorPairs(elements: readonly (Element | SVGElement | HTMLElement)[], isMark = false): Pair[] {
  return elements.map(element => {
    const backgrounds: string[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      const layer = /^linear-gradient\((.*?\)) 0(?:px|%)?/.exec(backgroundImage)?.[1];
      if (layer !== undefined) backgrounds.push(layer);
      backgrounds.push(backgroundColor);
    }
    // An edited cell has its mark in front of its text.
    if (isMark) return { color: getComputedStyle(element, '::after').backgroundColor, backgrounds };
    const isPlaceholder = element.matches(':placeholder-shown');
    const part = isPlaceholder ? '::placeholder' : element.matches('[data-mark]') ? '::before' : null;
    return { color: getComputedStyle(element, part).color, backgrounds };
  });
}

async function differ(marked: Locator, stripedCell: Locator): Promise<void> {
  const [selected] = await marked.evaluateAll(colorPairs);
  const [striped] = await stripedCell.evaluateAll(colorPairs);
  assert.ok(selected && striped);
  const difference = contrastOf({ color: selected.backgrounds[0]!, backgrounds: striped.backgrounds });
  assert.ok(difference >= 1.1, `${difference.toFixed(2)} of ${JSON.stringify([selected, striped])}`);
}

for (const theme of themeNames) {
  gridTest(`in ${theme}, all text of the grid can be read and all signs can be seen`, content, async grid => {
    const { page } = grid;
    const { keyboard } = page;
    await page.setViewportSize({ width: 1000, height: 600 });
    await setTheme(page, theme);
    grid.show({
      columns: content.columns.map((column, nth) => ({
        ...column,
        ...(nth === 0 && { isKey: true as const }),
        ...(nth === 1 && { references: 'files' }),
      })),
      showsTypes: true,
      showsFilterRow: true,
      arrangement: {
        sort: [{ column: 0, descending: false }],
        filters: [{ kind: 'range', column: 0, from: '0' }],
      },
    });
    await grid.header('note').getByText('TEXT', { exact: true }).waitFor();
    await grid.cell(2, 1).click();
    await check(page, minText, [
      'filterField',
      'cell',
      'nullInStripe',
      'emptyText',
      'characterMark',
      'columnName',
      'columnType',
      'chipText',
    ]);
    await check(page, minSign, ['filterPicture', 'columnKey', 'columnMarks', 'chipIcon']);
    // The selection, with the focus in the grid and elsewhere.
    await keyboard.press('Control+a');
    await grid.cell(1, 1).and(selectedCell(page)).waitFor();
    const selected = ['selectedCell', 'selectedCharacterMark', 'selectedEmptyText'] as const;
    await check(page, minText, selected);
    await grid.grid.evaluate(element => element.blur());
    await check(page, minText, selected);
    await grid.cell(1, 1).click();
    await keyboard.press('Space');
    await page.getByRole('complementary', { name: 'Record' }).getByText('NULL').waitFor();
    await check(page, minText, ['recordName', 'recordType', 'recordSize', 'recordNull', 'recordValue']);
    await keyboard.press('Escape');
    await keyboard.press('Alt+ArrowDown');
    await check(page, minText, ['menuLabel', 'focusedMenuLabel']);
    await page.getByRole('menuitem', { name: 'Filter by Values…' }).click();
    await page
      .getByRole('listbox', { name: /^Values/ })
      .getByRole('option')
      .first()
      .waitFor();
    await check(page, minText, ['filterFormTitle', 'filterFormLabel', 'listedValue', 'listedValueCount']);
    assert.deepEqual(await faintBorders(page), []);
  });

  tablePageTest(
    `in ${theme}, cells that are edited, deleted, invalid or selected can be read in all pairs`,
    async opened => {
      const { page } = opened;
      await setTheme(page, theme);
      await type(opened, 1, 1, 'much too long a name');
      await assert.rejects(opened.save());
      await type(opened, 0, 1, 'fine');
      await type(opened, 2, 1, 'gone');
      await select(opened, 2, 0);
      await page.keyboard.press('Control+Delete');
      await deletedRows(page).waitFor();
      await page.getByText('1 problem', { exact: true }).waitFor();
      await select(opened, 4, 0);
      const states = ['editedCell', 'deletedCell', 'deletedEditedCell', 'invalidCell', 'invalidEditedCell'] as const;
      await check(page, minText, states);
      await check(page, minSign, ['editedCell', 'invalidEditedCell'], true);
      await page.keyboard.press('Control+a');
      await cellAt(opened, 2, 1).and(selectedCell(page)).waitFor();
      await check(page, minText, ['selectedCell', ...states]);
      await check(page, minSign, ['editedCell', 'invalidEditedCell'], true);
      await opened.picture(`grid-${theme}-states`);
    },
    {
      setup: [
        'DROP TABLE parts',
        'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT CONSTRAINT short CHECK (length(name) < 10))',
        `INSERT INTO parts VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four'), (5, NULL)`,
      ],
    },
  );

  gridTest(`in ${theme}, a selected cell differs from a striped row`, content, async grid => {
    const { page } = grid;
    await setTheme(page, theme);
    await grid.cell(2, 1).click();
    await page.keyboard.press('Shift+Space');
    await grid.cell(2, 2).and(selectedCell(page)).waitFor();
    await differ(grid.cell(2, 1), grid.cell(1, 1));
  });

  gridTest(`in ${theme}, a selected cell of a frozen column differs from a striped row`, content, async grid => {
    const { page } = grid;
    const { keyboard } = page;
    await setTheme(page, theme);
    await grid.cell(0, 0).click();
    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Column', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Freeze up to This Column' }).click();
    await grid.cell(1, 0).and(grid.lastFrozen).waitFor();
    // Both rows are striped.
    await grid.cell(1, 0).click();
    await keyboard.press('Shift+Space');
    await grid.cell(1, 1).and(selectedCell(page)).waitFor();
    await check(page, minText, ['selectedFrozenCell']);
    await differ(grid.cell(1, 0), grid.cell(3, 0));
  });
}
