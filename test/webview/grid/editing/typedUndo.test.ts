import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cellIn, tablePageTest } from '../../../support/browsedTablePage.ts';
import { select, type } from '../../../support/editedCells.ts';

/** Takes Ctrl+Z at the window as VS Code does, which then undoes the last edit of the table. */
const takeUndoKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.addEventListener('keydown', event => {
      if (!event.ctrlKey || event.key !== 'z') return;
      event.preventDefault();
      document.body.dataset['undone'] = 'yes';
    });
  });

const isTaken = async (page: Page): Promise<boolean> => (await page.locator('body[data-undone]').count()) > 0;

tablePageTest('Ctrl+Z in the find bar undoes the typing, and in the grid the last edit', async opened => {
  const { page, document } = opened;
  await type(opened, 0, 1, 'first');
  await takeUndoKeys(page);
  await page.keyboard.press('Control+f');
  const find = page.getByRole('textbox', { name: /^Find in / });
  await find.pressSequentially('abc');
  await page.keyboard.press('Control+z');
  assert.notEqual(await find.inputValue(), 'abc');
  assert.equal(await isTaken(page), false);
  await page.keyboard.press('Escape');
  assert.ok(!document.editing.edits.isEmpty);
  await select(opened, 0, 1);
  await page.keyboard.press('Control+z');
  await cellIn(page, 'part 1').waitFor();
  assert.ok(document.editing.edits.isEmpty);
  await page.keyboard.press('Control+y');
  await cellIn(page, 'first').waitFor();
  assert.equal(await isTaken(page), false, 'VS Code would undo it a second time');
});

tablePageTest("Ctrl+Z in the search of a column's values undoes the typing", async opened => {
  const { page } = opened;
  await type(opened, 0, 1, 'first');
  await takeUndoKeys(page);
  await select(opened, 0, 1);
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Filter by Values…' }).press('Enter');
  const search = page.getByRole('textbox', { name: 'Search values' });
  await search.pressSequentially('abc');
  await page.keyboard.press('Control+z');
  assert.notEqual(await search.inputValue(), 'abc');
  assert.equal(await isTaken(page), false);
});
