import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { setTheme } from './webviewThemes.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';

const script = readFileSync(join(repositoryRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** The four kinds of themes of VS Code, by their newest defaults. */
export const checkedThemes = ['light2026', 'dark2026', 'highContrast', 'highContrastLight'] as const;

/** Fails with the faults that axe-core finds in a page, in any of the four kinds of themes. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(script);
  for (const [nth, theme] of checkedThemes.entries()) {
    await setTheme(page, theme);
    // Only the rules for colors depend on the theme.
    const rules = nth === 0 ? undefined : ['color-contrast', 'link-in-text-block'];
    const faults = await page.evaluate(async values => {
      const options = values && { runOnly: { type: 'rule' as const, values } };
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options ?? {});
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any, all, none }) => {
          const reasons = [...any, ...all, ...none].map(({ message }) => message);
          return `${id}: ${html.slice(0, 200)} ${reasons.join(' ')}`;
        }),
      );
    }, rules);
    assert.deepEqual(faults, [], `${what} in ${theme}`);
  }
}
