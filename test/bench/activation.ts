import assert from 'node:assert/strict';
import { join } from 'node:path';
import { launchBrowser } from '../support/workbench/browser.ts';
import { startTestEnvironment } from '../support/workbench/globalSetup.ts';
import { runInExtensionHost } from '../support/workbench/hostSuite.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { workbenchServerAt } from '../support/workbench/workbenchServer.ts';
import type { Bench } from './run.ts';

const windows = 5;

/** How long activate() takes, from reading the file to its return, in fresh extension hosts; the median of them. */
export const bench: Bench = async print => {
  const environment = await startTestEnvironment();
  const browser = await launchBrowser();
  try {
    const server = workbenchServerAt(environment.address);
    const suite = join(import.meta.dirname, '../workbench/suites/activation.ts');
    const times: number[] = [];
    for (let i = 0; i < windows; i++) {
      const { figures, messages } = await runInExtensionHost(server, browser, { extension: repositoryRoot, suite });
      assert.deepEqual(messages, []);
      times.push(figures?.['ms'] ?? Number.NaN);
    }
    print('ms', times.toSorted((a, b) => a - b)[Math.floor(windows / 2)] ?? Number.NaN);
  } finally {
    await browser.close();
    await environment.stop();
  }
};
