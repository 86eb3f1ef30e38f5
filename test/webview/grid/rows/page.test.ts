import assert from 'node:assert/strict';
import { gridTest, numbers } from '../../../support/gridPage.ts';

gridTest(
  "on a screen with many pixels, the grid stays below the browser's limit and scrolls to its last row",
  { ...numbers(10_000_000), pixelRatio: 3 },
  async opened => {
    const { grid, page } = opened;
    const height = await grid.evaluate(root => root.scrollHeight * devicePixelRatio);
    assert.ok(height > 30_000_000 && height < 2 ** 25, `${height} pixels of the screen`);
    await grid.focus();
    await page.keyboard.press('Control+End');
    await opened.cell(9_999_999, 11).waitFor();
  },
);
