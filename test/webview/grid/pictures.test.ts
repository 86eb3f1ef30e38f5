import type { GridColumn } from '../../../src/protocol/results.ts';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { type GridContent, gridTest } from '../../support/gridPage.ts';
import { redPng } from '../../support/redPng.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const text = (value: string): TaggedValue => ({ kind: 'text', text: value });
const names = ['Ada', '', 'Grace\nHopper', 'שלום', 'Linus'];
const columns: readonly GridColumn[] = [
  { name: 'id', type: 'INTEGER' },
  { name: 'name', type: 'TEXT' },
  { name: 'newsletter', type: 'BOOLEAN' },
  { name: 'note', type: 'TEXT' },
  { name: 'picture', type: 'BLOB' },
  { name: 'created_at', type: 'TEXT' },
];
const content: GridContent = {
  columns,
  rowCount: 240,
  valueAt: (row, column) =>
    [
      { kind: 'integer', text: String(row + 1) } as const,
      text(names[row % names.length] ?? ''),
      { kind: 'boolean', value: row % 3 === 0 } as const,
      row % 4 === 0 ? ({ kind: 'null' } as const) : text(`{"tags":["a","b"],"big":9007199254740993,"row":${row}}`),
      text(redPng()),
      text('2026-11-21T10:00:00Z'),
    ][column] ?? { kind: 'null' },
  answers: { find: () => ({ count: 48, place: { index: 2, row: 2, column: 1 } }) },
};

for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
  gridTest(`in ${theme}, all parts of the grid look different (picture)`, content, async grid => {
    const { page } = grid;
    const { keyboard } = page;
    await page.setViewportSize({ width: 1000, height: 460 });
    await setTheme(page, theme);
    await page.reload();
    await setTheme(page, theme);
    await grid.cell(0, 1).waitFor();
    await grid.header('id').click();
    await grid.header('name').click({ modifiers: ['Shift'] });
    await grid.cell(1, 1).click({ button: 'right' });
    await grid.opened.picture(`grid-${theme}-cell-menu`);
    await keyboard.press('Escape');
    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Column', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Freeze up to This Column' }).click();
    await grid.header('name').hover();
    await keyboard.press('Alt+ArrowDown');
    await grid.opened.picture(`grid-${theme}-column-menu`);
    await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
    await grid.opened.picture(`grid-${theme}-filter`);
    await keyboard.press('Escape');
    grid.arrange({
      sort: [
        { column: 0, descending: false },
        { column: 1, descending: true },
      ],
      filters: [
        { kind: 'range', column: 0, from: '1', to: '200' },
        { kind: 'null', column: 3, isNull: false },
      ],
    });
    await page.getByText('of 240 rows').first().waitFor();
    await grid.cell(1, 0).click();
    await grid.cell(6, 3).click({ modifiers: ['Shift'] });
    await page.getByText('Sum 9007199254740993').waitFor();
    await grid.opened.picture(`grid-${theme}-selection`);
    await keyboard.press('Control+f');
    await keyboard.type('Grace');
    await page.getByText('3 of 48').waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Control+f');
    await page.getByText('3 of 48').waitFor();
    await grid.grid.focus();
    await keyboard.press('Space');
    await page
      .getByRole('complementary', { name: 'Record' })
      .getByText('"big"')
      .or(page.getByText('big').last())
      .waitFor();
    await grid.opened.picture(`grid-${theme}-record`);
  });

  gridTest(`in ${theme}, headers and the filter row fit a wide and a narrow panel (picture)`, content, async grid => {
    const { page } = grid;
    await setTheme(page, theme);
    await page.reload();
    await setTheme(page, theme);
    await grid.cell(0, 1).waitFor();
    grid.show({
      columns: columns.with(0, { ...columns[0]!, isKey: true }).with(2, { ...columns[2]!, references: 'letters' }),
      showsTypes: true,
      showsFilterRow: true,
      arrangement: {
        sort: [{ column: 0, descending: true }],
        filters: [{ kind: 'range', column: 0, from: '1' }],
      },
    });
    const field = page.getByRole('textbox', { name: 'Filter name' });
    await field.fill('between 1');
    await field.press('Enter');
    await page.locator('[aria-invalid="true"]').waitFor();
    // The default panel of a window of 1440 × 900 and of one of 1024 × 700.
    for (const [width, height] of [
      [1082, 258],
      [666, 230],
    ] as const) {
      await page.setViewportSize({ width, height });
      await grid.nextFrame();
      await grid.opened.picture(`grid-${theme}-filter-row-${width}`);
    }
  });
}
