import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThemeKind } from '../support/workbench/session.ts';
import { readyWebviews, webviewContent } from '../support/workbench/workbenchParts.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const steps = {
  'Try It Locally': 'tryLocally.svg',
  'Run a statement': 'runStatement.svg',
  'Browse tables': 'browse.svg',
  'Add a hosted project': 'addProject.svg',
};
const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

// VS Code shows the images only in a wide window.
const viewport = { width: 1600, height: 900 };
workbenchTest('the walkthrough shows the image of each of its steps', { viewport }, async session => {
  const { page } = session;
  await session.runCommand('Welcome: Open Walkthrough...');
  await page.getByRole('option', { name: 'First Steps with SQL Projects' }).first().click();
  for (const [step, file] of Object.entries(steps)) {
    await page.getByRole('button', { name: step }).first().click();
    await webviewContent(readyWebviews(page))
      .locator(await imageSelector(file))
      .waitFor();
    await session.screenshot(`walkthrough-${step}`);
  }
  for (const kind of kinds) {
    await session.setTheme(kind);
    await session.screenshot(`walkthrough-${kind}`);
  }
});

/** Selects an image by all its shapes. VS Code shows the image of the previous step for a moment. */
async function imageSelector(file: string): Promise<string> {
  const source = await readFile(join(repositoryRoot, 'media/walkthrough', file), 'utf8');
  const shapes = [...source.matchAll(/<(rect|path) ([^>]+)\/>/g)].map(
    ([, tag, attributes = '']) => `:has(${tag}${attributes.replaceAll(/([\w-]+="[^"]*")\s*/g, '[$1]')})`,
  );
  return `svg${shapes.join('')}`;
}
