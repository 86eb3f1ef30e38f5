import assert from 'node:assert/strict';
import type { ThemeKind } from '../support/workbench/session.ts';
import { readyWebviews, webviewContent } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const steps = ['Try It Locally', 'Run a statement', 'Browse tables', 'Add a hosted project'];
const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

// VS Code shows the images only in a wide window.
const viewport = { width: 1600, height: 900 };
workbenchTest('the walkthrough shows an image for each of its steps', { viewport }, async session => {
  const { page } = session;
  await session.runCommand('Welcome: Open Walkthrough...');
  await page.getByRole('option', { name: 'First Steps with SQL Projects' }).first().click();
  for (const step of steps) {
    await page.getByRole('button', { name: step }).first().click();
    const picture = webviewContent(readyWebviews(page)).locator('svg');
    await picture.waitFor();
    assert.ok((await picture.boundingBox())?.width);
    await session.screenshot(`walkthrough-${step}`);
  }
  for (const kind of kinds) {
    await session.setTheme(kind);
    await session.screenshot(`walkthrough-${kind}`);
  }
});
