import type { Page } from 'playwright-core';
import { contrastOf } from './contrast.ts';

/** A field is known by its border, which needs this contrast to what is around it. */
const minBorder = 3;

/** Finds the fields in view with faint borders, also in the shadow trees of the toolkit. */
export async function faintBorders(page: Page): Promise<readonly string[]> {
  const borders = await page.evaluate(() => {
    const own = [...document.querySelectorAll('input, select, textarea')];
    const ofToolkit = [...document.querySelectorAll('vscode-text-field, vscode-dropdown')].flatMap(
      ({ shadowRoot }) => shadowRoot?.querySelector('.root, .control') ?? [],
    );
    const seen = [...own, ...ofToolkit].filter(field => field.checkVisibility());
    return seen.map(field => {
      const backgrounds: string[] = [];
      const root = field.getRootNode();
      let around = root instanceof ShadowRoot ? root.host : field.parentElement;
      for (; around; around = around.parentElement) backgrounds.push(getComputedStyle(around).backgroundColor);
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
