import type { Page } from 'playwright-core';
import { contrastOf } from './contrast.ts';

/** A field is known by its border, which needs this contrast to what is around it. */
const minBorder = 3;

/** Finds the fields in view with faint borders. */
export async function faintBorders(page: Page): Promise<readonly string[]> {
  const borders = await page.evaluate(() => {
    const all = [...document.querySelectorAll('input, select, textarea')];
    const seen = all.filter(field => field.checkVisibility());
    return seen.map(field => {
      const backgrounds: string[] = [];
      for (let around = field.parentElement; around; around = around.parentElement)
        backgrounds.push(getComputedStyle(around).backgroundColor);
      return {
        field: field.outerHTML.slice(0, 120),
        pair: { color: getComputedStyle(field).borderTopColor, backgrounds },
      };
    });
  });
  if (borders.length === 0) throw new Error('No field is in view.');
  return borders
    .map(({ field, pair }) => ({ field, contrast: contrastOf(pair) }))
    .filter(({ contrast }) => contrast < minBorder)
    .map(({ field, contrast }) => `${contrast.toFixed(2)} ${field}`);
}
