import assert from 'node:assert/strict';
import { gridBridge, type GridEvents } from '../../../src/protocol/gridBridge.ts';
import type { TabsEvent, TabView } from '../../../src/protocol/resultTabs.ts';
import { asRecord } from '../../../src/base/decode.ts';
import { resultView } from '../../support/resultView.ts';
import { webviewTest, type WebviewPage } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const labels = {
  rows: '{0} rows',
  oneRow: '1 row',
  running: 'Running…',
  failed: 'It did not work.',
  stateFailed: 'failed',
  tabs: 'Results',
  tabKeys: 'Delete closes it, F2 renames it.',
  pinned: 'pinned',
  closeTab: 'Close {0}',
  paused: 'Paused',
  'paused.rows': 'Enough rows for now.',
  'action.resume': 'Continue',
  'action.finish': 'Stop Here',
  'action.cancelWait': 'Give Up',
  'action.export': 'Export Rows…',
  'action.pin': 'Pin Result',
  'action.unpin': 'Unpin Result',
  'action.openInEditor': 'Open in Editor',
  'action.rerun': 'Rerun',
  waits: 'Sent again in {0}.',
  waiting: 'Waiting',
  none: 'No rows.',
  readOnly: 'read-only',
  confirmWrites: 'asks before writes',
  'mark.readOnly': 'RO',
  'mark.confirmWrites': 'CW',
  'outcome.unknown': 'Outcome unknown.',
  valuesNotSaved: 'Values were not saved.',
  'action.checkOutcome': 'Check Outcome',
  'action.goToStatement': 'Go to Statement',
};

const tabOf = (runId: string, fields: Partial<TabView> = {}): TabView => ({
  runId,
  title: `Tab ${runId}`,
  statement: `SELECT '${runId}'`,
  project: 'Shop',
  color: undefined,
  protection: 'open',
  state: 'done',
  rowCount: 5,
  isPinned: false,
  ...fields,
});
const three = [tabOf('a'), tabOf('b'), tabOf('c')];

const showTabs = ({ host }: WebviewPage<GridEvents>, tabs: readonly TabView[], active: string | undefined): void => {
  const event: TabsEvent = { tabs, active };
  host.notify('tabs', event);
};

interface Call {
  readonly method: string;
  readonly runId: unknown;
}

/** Records the calls of the page. */
const calls: Call[] = [];
const note = (method: string) => (params: unknown) => void calls.push({ method, runId: asRecord(params)?.['runId'] });
const methods = Object.fromEntries(
  ['selectTab', 'closeTab', 'renameTab', 'act', 'resume', 'cancel'].map(name => [name, note(name)]),
);
const received = async (method: string, runId: string): Promise<void> => {
  while (!calls.some(call => call.method === method && call.runId === runId)) await new Promise(setImmediate);
  calls.length = 0;
};

webviewTest(
  'arrow keys go around the tabs, Delete closes, F2 renames, and Tab stops at one tab only',
  { bridge: gridBridge, labels, methods },
  async opened => {
    const { page } = opened;
    showTabs(opened, three, 'a');
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Tab a').focus();
    await page.keyboard.press('ArrowLeft');
    await received('selectTab', 'c');
    showTabs(opened, three, 'c');
    await tab('Tab c').and(page.locator(':focus')).and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('Home');
    await received('selectTab', 'a');
    showTabs(opened, three, 'a');
    await tab('Tab a').and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('F2');
    await received('renameTab', 'a');
    await page.keyboard.press('Delete');
    await received('closeTab', 'a');
    showTabs(opened, three.slice(1), 'b');
    await tab('Tab b').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await page.getByRole('tab').evaluateAll(tabs => tabs.map(one => one.tabIndex)), [0, -1]);
    const panel = page.getByRole('tabpanel', { name: 'Tab b' });
    assert.equal(await panel.count(), 1);
  },
);

webviewTest(
  'keys apply to the focused tab even before the host has activated it',
  { bridge: gridBridge, labels, methods },
  async opened => {
    const { page } = opened;
    const focused = (name: string): Promise<void> =>
      page.getByRole('tab', { name }).and(page.locator(':focus')).waitFor();
    showTabs(opened, three, 'a');
    await page.getByRole('tab', { name: 'Tab a' }).focus();
    await page.keyboard.press('ArrowRight');
    await focused('Tab b');
    await page.keyboard.press('ArrowRight');
    await focused('Tab c');
    showTabs(opened, three, 'b');
    await page.getByRole('tab', { name: 'Tab b' }).and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('F2');
    await received('renameTab', 'c');
    await page.keyboard.press('Delete');
    await received('closeTab', 'c');
    showTabs(opened, three.slice(0, 2), 'a');
    await focused('Tab a');
  },
);

webviewTest('the mouse selects and closes tabs', { bridge: gridBridge, labels, methods }, async opened => {
  const { page } = opened;
  showTabs(opened, three, 'a');
  await page.getByRole('tab', { name: 'Tab b' }).click();
  await received('selectTab', 'b');
  await page.getByTitle('Close Tab a').click();
  await received('closeTab', 'a');
  await page.getByRole('tab', { name: 'Tab c' }).click({ button: 'middle' });
  await received('closeTab', 'c');
});

webviewTest(
  'a tab has an accessible name, and markup in names is text',
  { bridge: gridBridge, labels },
  async opened => {
    const { page } = opened;
    const title = '<b>bold</b>';
    const project = '<i>Shop</i>';
    const tab = tabOf('a', {
      title,
      project,
      protection: 'readOnly',
      state: 'paused',
      rowCount: 12_000,
      isPinned: true,
    });
    showTabs(opened, [tab, tabOf('b', { state: 'failed', rowCount: undefined })], 'a');
    await page.getByRole('tab', { name: `${title}, ${project}, read-only, Paused, pinned, 12,000 rows` }).waitFor();
    await page.getByRole('tab', { name: 'Tab b, Shop, failed', exact: true }).waitFor();
    assert.equal(await page.locator('b, i').count(), 0);
    const context = await page.getByRole('tab').first().getAttribute('data-vscode-context');
    assert.deepEqual(JSON.parse(context ?? ''), {
      webviewSection: 'resultTab',
      runId: 'a',
      resultPinned: true,
      preventDefaultContextMenuItems: true,
    });
  },
);

webviewTest(
  'a direction mark shows in the title of a tab, its tooltip and the header of its result',
  { bridge: gridBridge, labels },
  async opened => {
    const { page, host } = opened;
    const reversed = '\u202egnp.exe';
    const shown = '⟨U+202E⟩gnp.exe';
    showTabs(opened, [tabOf('a', { title: reversed, project: reversed, statement: reversed })], 'a');
    host.notify('view', { view: resultView({ project: reversed, statement: reversed }) });
    const tab = page.getByRole('tab', { name: `${shown}, ${shown}, 5 rows` });
    await tab.getByText(shown, { exact: true }).waitFor();
    assert.equal(await tab.getAttribute('title'), `${shown}\n${shown}`);
    await page.getByTitle(`Close ${shown}`).waitFor();
    await page.getByRole('banner').or(page.locator('header')).getByRole('strong').getByText(shown).waitFor();
    await page.getByRole('code').getByText(shown).waitFor();
  },
);

webviewTest(
  'tabs of protected projects have marks with letters and an explanation',
  { bridge: gridBridge, labels },
  async opened => {
    const { page } = opened;
    const tab = (name: string) => page.getByRole('tab', { name });
    const protections = ['readOnly', 'confirmWrites', 'open'] as const;
    showTabs(opened, [...protections.map(one => tabOf(one, { protection: one }))], 'open');
    await tab('Tab readOnly, Shop, read-only').getByText('RO', { exact: true }).waitFor();
    await tab('Tab confirmWrites, Shop, asks before writes').getByText('CW', { exact: true }).waitFor();
    assert.equal(
      await tab('Tab open, Shop')
        .getByText(/^(?:RO|CW)$/)
        .count(),
      0,
    );
    assert.match((await tab('Tab readOnly').getAttribute('title')) ?? '', /^Shop, read-only\n/);
    // A tab shows a changed protection.
    showTabs(opened, [tabOf('readOnly', { protection: 'confirmWrites' })], 'readOnly');
    await tab('Tab readOnly, Shop, asks before writes').getByText('CW', { exact: true }).waitFor();
    showTabs(opened, [tabOf('readOnly')], 'readOnly');
    await tab('Tab readOnly').getByText('CW', { exact: true }).waitFor({ state: 'hidden' });
  },
);

webviewTest(
  'a result without the values of its parameters says so, also beside what is unknown of a write',
  { bridge: gridBridge, labels },
  async ({ page, host }) => {
    host.notify('view', { view: resultView({ lacksValues: true }) });
    await page.getByText('Values were not saved.').first().waitFor();
    host.notify('view', { view: resultView({ lacksValues: true, state: 'failed', outcome: 'unknown' }) });
    await page.getByText('Outcome unknown. Values were not saved.').first().waitFor();
  },
);

webviewTest(
  'a paused result tells the reason and offers to continue or stop',
  { bridge: gridBridge, labels, methods },
  async opened => {
    const { page } = opened;
    const actions = ['resume', 'finish', 'export', 'pin', 'openInEditor'] as const;
    opened.host.notify('view', {
      view: resultView({ state: 'paused', rowCount: 3, pausedBy: 'rows', actions }),
    });
    await page.getByRole('status').filter({ hasText: '3 rows · Paused · 12 ms Enough rows for now.' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await received('resume', 'a');
    await page.getByRole('button', { name: 'Stop Here' }).click();
    await received('cancel', 'a');
    await page.getByRole('button', { name: 'Pin Result' }).click();
    await received('act', 'a');
  },
);

webviewTest(
  'a retry counts down, is announced once, and can be given up',
  { bridge: gridBridge, labels, methods },
  async opened => {
    const { page } = opened;
    await page.clock.install();
    const view = resultView({ state: 'running', waitsMs: 25_000, actions: ['cancelWait'] });
    opened.host.notify('view', { view });
    await page.getByText('Sent again in 25 sec.').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Waiting$/ })
      .waitFor();
    await page.clock.fastForward(5000);
    await page.getByText('Sent again in 20 sec.').waitFor();
    await page.getByRole('button', { name: 'Give Up' }).click();
    await received('act', 'a');
    opened.host.notify('view', {
      view: resultView({ state: 'failed', problem: 'Too busy.', code: 'rate_limited' }),
    });
    await page.getByRole('alert').filter({ hasText: 'Too busy. (rate_limited)' }).waitFor();
    assert.equal(await page.getByText('Sent again').count(), 0);
  },
);

webviewTest(
  'the active tab stays in sight when the view becomes narrow',
  { bridge: gridBridge, labels },
  async opened => {
    const { page } = opened;
    const title = 'SELECT * FROM orders WHERE customer = 17 AND …';
    const long = ['a', 'b', 'c'].map(id => tabOf(id, { title, rowCount: 1_000_000, protection: 'confirmWrites' }));
    showTabs(opened, long, 'c');
    const close = page.locator('[aria-selected="true"] .close');
    await close.waitFor();
    await page.setViewportSize({ width: 170, height: 400 });
    await page.waitForFunction(() => {
      const { left = -1, right = 0 } = document.querySelector('[aria-selected="true"]')?.getBoundingClientRect() ?? {};
      return left >= 0 && right <= innerWidth;
    });
    const { x = 0, width = 0 } = (await close.boundingBox()) ?? {};
    assert.ok(x + width <= 170, `its button ends at ${x + width}`);
  },
);

webviewTest('the Unpin button takes the focus of the Pin button', { bridge: gridBridge, labels }, async opened => {
  const { page, host } = opened;
  const show = (action: 'pin' | 'unpin'): void =>
    host.notify('view', { view: resultView({ actions: ['rerun', action, 'openInEditor'] }) });
  const focused = (name: string) => page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
  show('pin');
  await page.getByRole('button', { name: 'Pin Result' }).focus();
  show('unpin');
  await focused('Unpin Result');
  show('pin');
  await focused('Pin Result');
});

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  webviewTest(`tabs and decisions in ${theme} (picture)`, { bridge: gridBridge, labels }, async opened => {
    const { page } = opened;
    await setTheme(page, theme);
    const tabs = [
      tabOf('a', {
        title: 'SELECT * FROM orders WHERE customer = 17 AND …',
        color: 'red',
        protection: 'readOnly',
        rowCount: 1_000_000,
      }),
      tabOf('b', {
        title: 'Open orders',
        protection: 'confirmWrites',
        isPinned: true,
        state: 'running',
        rowCount: 12_000,
      }),
      tabOf('c', { title: 'UPDATE products', rowCount: undefined, state: 'failed' }),
    ];
    showTabs(opened, tabs, 'a');
    const actions = ['resume', 'finish', 'goToStatement', 'rerun', 'export', 'pin', 'openInEditor'] as const;
    const view = resultView({
      state: 'paused',
      rowCount: 1_000_000,
      pausedBy: 'rows',
      color: 'red',
      bytes: 123_456_789,
      actions,
    });
    opened.host.notify('view', { view: { ...view, protection: 'readOnly' } });
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await opened.picture(`tabs-${theme}`);
  });
}
