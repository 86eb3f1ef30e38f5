import { launchBrowser } from '../support/workbench/browser.ts';
import { startTestEnvironment } from '../support/workbench/globalSetup.ts';
import { openWorkbench } from '../support/workbench/session.ts';
import { testedBeside } from '../support/workbench/workbenchSettings.ts';
import { workbenchServerAt } from '../support/workbench/workbenchServer.ts';
import type { Bench } from '../support/bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const windowCount = 5;

/**
 * Measures activation, which is loading the code and `activate()`, by the figure that VS Code shows under "Developer: Show
 * Running Extensions". The result is the median of fresh windows, opened one after another.
 */
export const bench: Bench = async print => {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const environment = await startTestEnvironment([...testedBeside, 'merge-conflict']);
  stack.defer(() => environment.stop());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const times: number[] = [];
  for (let i = 0; i < windowCount; i++) {
    const session = await openWorkbench(browser, workbenchServerAt(environment.address), { folder });
    // The list is sorted by cost and renders only visible rows, so the window must be tall.
    await session.page.setViewportSize({ width: 1280, height: 3000 });
    await session.runCommand('Developer: Show Running Extensions');
    const rows = session.page.getByRole('listitem');
    // Merge Conflict activates after VS Code's own start. Earlier, activations compete and the figure is noise.
    await rows
      .filter({ hasText: 'Merge Conflict' })
      .getByText(/Activation: /)
      .waitFor();
    await session.page.keyboard.press('Escape');
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await session.runCommand('Developer: Show Running Extensions');
    const row = rows.filter({ hasText: 'SQL Project Explorer' });
    const label = await row.getByText(/Activation: \d+ms/).innerText();
    times.push(Number(/(\d+)ms/.exec(label)?.[1]));
    await session.close();
  }
  print('ms', times.toSorted((a, b) => a - b)[Math.floor(windowCount / 2)] ?? Number.NaN);
};
