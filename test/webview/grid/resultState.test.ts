import assert from 'node:assert/strict';
import { gridBridge, type GridEvents } from '../../../src/protocol/gridBridge.ts';
import { runSpinner } from '../../support/pageParts.ts';
import { recordResultCalls } from '../../support/resultCalls.ts';
import { resultView } from '../../support/resultView.ts';
import { pauseClock, type WebviewPage, webviewTest } from '../../support/webviewPage.ts';

const { methods, received } = recordResultCalls();

const stateTest = (name: string, body: (opened: WebviewPage<GridEvents>) => Promise<void>): void =>
  webviewTest(name, { bridge: gridBridge, methods }, body);

stateTest('a result without its parameter values says so, also beside an unknown outcome', async ({ page, host }) => {
  host.notify('view', { view: resultView({ lacksValues: true }) });
  await page.getByText('The parameter values were not saved.').first().waitFor();
  host.notify('view', { view: resultView({ lacksValues: true, state: 'failed', outcome: 'unknown' }) });
  await page
    .getByText(/^Outcome unknown: .* The parameter values were not saved\./)
    .first()
    .waitFor();
});

stateTest('a paused result says the reason and offers to continue or stop', async opened => {
  const { page } = opened;
  const actions = ['resume', 'finish', 'export', 'pin', 'openInEditor'] as const;
  opened.host.notify('view', {
    view: resultView({ state: 'paused', rowCount: 3, pausedBy: 'rows', actions }),
  });
  await page.getByRole('status').filter({ hasText: '3+ rows · Paused · 12 ms Paused at 3 rows (limit).' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await received('resume', 'a');
  await page.getByRole('button', { name: 'Finish' }).click();
  await received('finish', 'a');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await received('pin', 'a');
});

stateTest('a retry counts down, is announced once, and can be given up', async opened => {
  const { page } = opened;
  await pauseClock(page);
  const view = resultView({ state: 'running', waitsMs: 25_000, actions: ['cancelWait'] });
  opened.host.notify('view', { view });
  await page.getByText('The statement is sent again in 25 s.').waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^Waiting$/ })
    .waitFor();
  await page.clock.fastForward(5000);
  await page.getByText('The statement is sent again in 20 s.').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await received('cancelWait', 'a');
  opened.host.notify('view', {
    view: resultView({ state: 'failed', problem: 'Too busy.', code: 'rate_limited' }),
  });
  await page.getByRole('alert').filter({ hasText: 'Too busy.' }).waitFor();
  assert.equal(await page.getByText('sent again').count(), 0);
});

stateTest('a result of an earlier window says that it is restored, and then when it ran', async ({ page, host }) => {
  host.notify('view', { view: resultView({ state: 'running', isRestoring: true, elapsedMs: 3700 }) });
  await page.locator('main').getByText('Restoring…').waitFor();
  const restoredFrom = new Date(2026, 10, 23, 14, 3).getTime();
  host.notify('view', { view: resultView({ rowCount: 3, elapsedMs: 3700, restoredFrom }) });
  await page.locator('footer').getByText('3 rows · 3.7 s · from 14:03, Nov 23').waitFor();
});

stateTest('a run shows its time from 300 ms on, and that it is stopping', async ({ page, host }) => {
  await pauseClock(page);
  const footer = page.locator('footer');
  const spinner = runSpinner(page);
  const fields = { state: 'running', rowCount: 2000, bytes: 9_300_000, actions: ['cancel'] } as const;
  host.notify('view', { view: resultView({ ...fields, elapsedMs: 100 }) });
  await footer.getByText('2,000 rows · Running… · 9.3 MB').waitFor();
  assert.equal(await spinner.isVisible(), false);
  await page.clock.runFor(1300);
  await footer.getByText('2,000 rows · 1.4 s · 9.3 MB').waitFor();
  await spinner.waitFor();
  await page.clock.runFor(60_000);
  await footer.getByText('2,000 rows · 1 min 1 s · 9.3 MB').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await footer.getByText('2,000 rows · Stopping… · 1 min 1 s · 9.3 MB').waitFor();
  host.notify('view', { view: resultView({ ...fields, state: 'cancelled', elapsedMs: 62_000, actions: [] }) });
  await footer.getByText('2,000 rows · Cancelled after 1 min 2 s · 9.3 MB').waitFor();
  assert.equal(await spinner.isVisible(), false);
});

stateTest('the Unpin button takes the focus of the Pin button', async opened => {
  const { page, host } = opened;
  const show = (action: 'pin' | 'unpin'): void =>
    host.notify('view', { view: resultView({ actions: ['rerun', action, 'openInEditor'] }) });
  const focused = (name: string) =>
    page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
  show('pin');
  await page.getByRole('button', { name: 'Pin', exact: true }).focus();
  show('unpin');
  await focused('Unpin');
  show('pin');
  await focused('Pin');
});
