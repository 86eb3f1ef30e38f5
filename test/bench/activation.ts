import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../support/workbench/browser.ts';
import { startTestEnvironment } from '../support/workbench/globalSetup.ts';
import { openWorkbench } from '../support/workbench/session.ts';
import { workbenchServerAt } from '../support/workbench/workbenchServer.ts';
import type { Bench } from '../support/bench.ts';

const windows = 5;

/**
 * How long activation takes: reading the code and activate(), as VS Code itself measures it and shows under
 * "Developer: Show Running Extensions". The median of fresh windows that are opened one after another.
 */
export const bench: Bench = async print => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'activation-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const environment = await startTestEnvironment();
  stack.defer(() => environment.stop());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const times: number[] = [];
  for (let i = 0; i < windows; i++) {
    const session = await openWorkbench(browser, workbenchServerAt(environment.address), { folder });
    // The list is sorted by cost, and rows out of sight do not exist.
    await session.page.setViewportSize({ width: 1280, height: 3000 });
    await session.runCommand('Developer: Show Running Extensions');
    const rows = session.page.getByRole('listitem');
    // This one activates when VS Code's own start is over: before that, the figure would be of the crowd.
    await rows
      .filter({ hasText: 'Merge Conflict' })
      .getByText(/Activation: /)
      .waitFor();
    await session.page.keyboard.press('Escape');
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await session.runCommand('Developer: Show Running Extensions');
    const row = rows.filter({ hasText: 'SQL Project Explorer' });
    const shown = await row.getByText(/Activation: \d+ms/).innerText();
    times.push(Number(/(\d+)ms/.exec(shown)?.[1]));
    await session.close();
  }
  print('ms', times.toSorted((a, b) => a - b)[Math.floor(windows / 2)] ?? Number.NaN);
};
