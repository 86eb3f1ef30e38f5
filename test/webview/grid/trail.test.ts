import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { buttonIn, cellIn, tablePageTest } from '../../support/browsedTablePage.ts';
import { setTheme } from '../../support/webviewThemes.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { activeCell } from '../../support/pageParts.ts';

const trail = { labels: ['boxes', 'parts: id = 2', 'tags: filtered', 'a "b"\n'], index: 1 };
const trailIn = (page: Page): Locator => page.getByRole('navigation', { name: 'Trail of foreign keys' });

tablePageTest(
  'the trail of foreign keys shows its steps, and keys and buttons go along it from the active cell',
  async ({ page, steps }) => {
    await cellIn(page, 'part 3').click();
    const items = trailIn(page).getByRole('listitem');
    assert.deepEqual(await items.allTextContents(), ['boxes', 'parts: id = 2', 'tags: filtered', 'a "b"↵']);
    assert.equal(await trailIn(page).locator('[aria-current="step"]').textContent(), 'parts: id = 2');
    const goes = async (action: () => Promise<void>, ...expected: number[]): Promise<void> => {
      const { length } = steps;
      await action();
      await waitUntil(() => steps.length > length, { what: 'no step is shown' });
      assert.deepEqual(steps.at(-1), expected);
    };
    await goes(() => page.keyboard.press('Alt+ArrowLeft'), 0, 2, 1);
    await goes(() => page.keyboard.press('Alt+ArrowRight'), 2, 2, 1);
    await goes(() => buttonIn(page, 'Back on the Trail').click(), 0, 2, 1);
    await goes(() => items.nth(3).getByRole('button').click(), 3, 2, 1);
    // The step that is shown leads nowhere, and a field keeps its keys.
    await items.nth(1).getByRole('button').click();
    await cellIn(page, 'part 3').click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('part');
    await page.locator('input:focus').waitFor();
    await page.keyboard.press('Alt+ArrowRight');
    assert.equal(steps.length, 4);
  },
  { trail },
);

tablePageTest(
  'at the end of the trail, its keys are left to VS Code',
  async ({ page, steps }) => {
    await cellIn(page, 'part 3').click();
    assert.ok(await buttonIn(page, 'Forward on the Trail').isDisabled());
    await page.evaluate(() => {
      addEventListener('keydown', ({ key, defaultPrevented }) => {
        document.title += `${key} ${String(defaultPrevented)};`;
      });
    });
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Alt+ArrowLeft');
    // VS Code sees another key for the one that the page takes.
    assert.match(await page.title(), /Alt false;ArrowRight false;Alt false;Unidentified false;$/);
    await waitUntil(() => steps.length === 1, { what: 'no step is shown' });
  },
  { trail: { labels: ['boxes', 'parts: id = 2'], index: 1 } },
);

tablePageTest(
  'a step is shown at its cell: as the table opens, and in a table that is open',
  async ({ page, editor }) => {
    await cellIn(page, 'part 1234').waitFor();
    await page.getByText('Row 1,234 · name').waitFor();
    await editor.navigation.show({
      columns: ['name'],
      arrangement: { sort: [], filters: [{ kind: 'contains', column: 0, text: '9' }] },
      place: { row: 3, column: 1 },
    });
    await page.getByText('Row 4 · name').waitFor();
    await activeCell(page)
      .filter({ hasText: /^part 39$/ })
      .waitFor();
  },
  {
    firstState: {
      arrangement: { sort: [{ column: 0, descending: false }], filters: [] },
      place: { row: 1233, column: 1 },
    },
  },
);

for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
  tablePageTest(
    `in ${theme}, the trail is above the rows (picture)`,
    async opened => {
      const { page } = opened;
      await page.setViewportSize({ width: 700, height: 260 });
      await setTheme(page, theme);
      await cellIn(page, 'part 3').click();
      await trailIn(page).getByRole('listitem').nth(2).hover();
      await opened.picture(`trail-${theme}`);
    },
    {
      trail: {
        labels: ['boxes: part = 2', 'parts: id = 2', 'tags: filtered', 'parts: id = 4711, town = Lauterbrunnen'],
        index: 1,
      },
    },
  );
}
