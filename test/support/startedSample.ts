import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { OwnedChild } from './childProcesses.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';
import { readyWebviews, webviewContent } from './workbench/workbenchParts.ts';

/** Runs `npm start` without a browser, and waits for its address. */
export async function startSample() {
  const folder = temporaryFolder();
  const script = join(repositoryRoot, '.dev/start.ts');
  const child = spawn(process.execPath, [script, '--no-open', '--no-build', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const owned = new OwnedChild(child, () => child.kill('SIGTERM'));
  const [line] = await owned.next(createInterface(child.stdout), 'line');
  const url = /^ready (http:\S+)$/.exec(String(line))?.[1] ?? assert.fail(String(line));
  return { folder, owned, url };
}

/** Opens what `npm start` opens. Waits, without a click or a key, until the tree, the SQL file and rows are in view. */
export async function waitForSampleRows(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('treeitem', { name: /^customers/ }).waitFor();
  await page.getByRole('tab', { name: /^shop\.sql/ }).waitFor();
  const results = webviewContent(readyWebviews(page));
  await results.getByRole('gridcell').first().waitFor();
}
