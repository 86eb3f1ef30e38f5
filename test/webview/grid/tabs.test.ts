import assert from 'node:assert/strict';
import { gridBridge, type GridEvents } from '../../../src/protocol/gridBridge.ts';
import type { TabsEvent, TabView } from '../../../src/protocol/results.ts';
import { recordResultCalls } from '../../support/resultCalls.ts';
import { resultView } from '../../support/resultView.ts';
import { webviewTest, type WebviewPage } from '../../support/webviewPage.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';

const tabOf = (runId: string, fields: Partial<TabView> = {}): TabView => ({
  runId,
  title: `Tab ${runId}`,
  statement: `SELECT '${runId}'`,
  project: 'Shop',
  color: undefined,
  protection: 'open',
  state: 'done',
  rowCount: 5,
  values: [],
  isPinned: false,
  isPlan: false,
  isRenamed: false,
  startedAt: undefined,
  ...fields,
});
const three = [tabOf('a'), tabOf('b'), tabOf('c')];

const showTabs = ({ host }: WebviewPage<GridEvents>, tabs: readonly TabView[], active: string | undefined): void => {
  const event: TabsEvent = { tabs, active };
  host.notify('tabs', event);
};

const { methods, received } = recordResultCalls();

const tabsTest = (name: string, body: (opened: WebviewPage<GridEvents>) => Promise<void>): void =>
  webviewTest(name, { bridge: gridBridge, methods }, body);

tabsTest('arrow keys go around the tabs, Delete closes, F2 renames, and Tab stops at one tab only', async opened => {
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
});

tabsTest('keys apply to the focused tab even before the host has activated it', async opened => {
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
});

tabsTest('the mouse selects and closes tabs', async opened => {
  const { page } = opened;
  showTabs(opened, three, 'a');
  await page.getByRole('tab', { name: 'Tab b' }).click();
  await received('selectTab', 'b');
  await page.getByTitle('Close Tab a').click();
  await received('closeTab', 'a');
  await page.getByRole('tab', { name: 'Tab c' }).click({ button: 'middle' });
  await received('closeTab', 'c');
});

tabsTest('a tab has an accessible name, and markup in names is text', async opened => {
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
  await page.getByRole('tab', { name: `${title}, ${project}, Read-only, Paused, pinned, 12,000+ rows` }).waitFor();
  await page.getByRole('tab', { name: 'Tab b, Shop, failed', exact: true }).waitFor();
  assert.equal(await page.locator('b, i').count(), 0);
  const context = await page.getByRole('tab').first().getAttribute('data-vscode-context');
  assert.deepEqual(JSON.parse(context ?? ''), {
    webviewSection: 'resultTab',
    runId: 'a',
    resultPinned: true,
    resultIsPlan: false,
    preventDefaultContextMenuItems: true,
  });
});

tabsTest('a direction mark shows in a tab, its tooltip, and the lines above and below the rows', async opened => {
  const { page, host } = opened;
  const reversed = '\u202egnp.exe';
  const shown = '⟨U+202E⟩gnp.exe';
  host.notify('view', { view: resultView({ project: reversed, statement: reversed }) });
  const header = page.locator('header');
  await header.getByRole('strong').getByText(shown).waitFor();
  await header.getByRole('code').getByText(shown).waitFor();
  await page.locator('footer').getByText(shown).waitFor();
  showTabs(opened, [tabOf('a', { title: reversed, project: reversed, statement: reversed })], 'a');
  const tab = page.getByRole('tab', { name: `${shown}, ${shown}, 5 rows` });
  await tab.getByText(shown, { exact: true }).waitFor();
  assert.equal(await tab.getAttribute('title'), `${shown}\n${shown}`);
  await page.getByTitle(`Close ${shown}`).waitFor();
  // The tab names the result.
  await header.getByRole('code').waitFor({ state: 'hidden' });
});

tabsTest('tabs of protected projects have marks with letters and an explanation', async opened => {
  const { page } = opened;
  const tab = (name: string) => page.getByRole('tab', { name });
  const protections = ['readOnly', 'confirmWrites', 'open'] as const;
  showTabs(opened, [...protections.map(one => tabOf(one, { protection: one }))], 'open');
  await tab('Tab readOnly, Shop, Read-only').locator('[data-sign="RO"]').waitFor();
  await tab('Tab confirmWrites, Shop, Confirm writes').locator('[data-sign="CW"]').waitFor();
  assert.equal(
    await tab('Tab open, Shop').locator('[data-sign="RO"], [data-sign="CW"]').filter({ visible: true }).count(),
    0,
  );
  assert.match((await tab('Tab readOnly').getAttribute('title')) ?? '', /^Shop, Read-only\n/);
  // A tab shows a changed protection.
  showTabs(opened, [tabOf('readOnly', { protection: 'confirmWrites' })], 'readOnly');
  await tab('Tab readOnly, Shop, Confirm writes').locator('[data-sign="CW"]').waitFor();
  showTabs(opened, [tabOf('readOnly')], 'readOnly');
  await tab('Tab readOnly').locator('[data-sign="CW"]').waitFor({ state: 'hidden' });
});

tabsTest('the active tab stays in view when the view becomes narrow', async opened => {
  const { page } = opened;
  const title = 'SELECT * FROM orders WHERE customer = 17 AND …';
  const long = ['a', 'b', 'c'].map(id => tabOf(id, { title, rowCount: 1_000_000, protection: 'confirmWrites' }));
  showTabs(opened, long, 'c');
  const close = page.getByRole('tab', { selected: true }).getByTitle(`Close ${title}`);
  await close.waitFor();
  await page.setViewportSize({ width: 170, height: 400 });
  await page.waitForFunction(() => {
    const { left = -1, right = 0 } = document.querySelector('[aria-selected="true"]')?.getBoundingClientRect() ?? {};
    return left >= 0 && right <= innerWidth;
  });
  const { x = 0, width = 0 } = (await close.boundingBox()) ?? {};
  assert.ok(x + width <= 170, `its button ends at ${x + width}`);
});

const at = (second: number): number => new Date().setHours(14, 3, second, 0);

tabsTest('a tab says when its run started, with seconds to tell tabs apart, and its values', async opened => {
  const { page } = opened;
  const first = tabOf('a', { title: 'customers', startedAt: at(5), values: ["'Ann'", '7'], isPinned: true });
  showTabs(opened, [first, tabOf('b', { title: 'orders', startedAt: at(9) })], 'a');
  const tab = (title: string, ...signs: readonly string[]) =>
    signs.reduce(
      (found, sign) => found.filter({ has: page.locator(`[data-sign="${sign}"]`) }),
      page.getByRole('tab').filter({ hasText: title }),
    );
  await tab('customers', '14:03').waitFor();
  await tab('orders', '14:03').waitFor();
  await page.getByRole('tab', { name: 'customers, Shop, pinned, 5 rows, 14:03', exact: true }).waitFor();
  assert.equal(await tab('customers').getAttribute('title'), "Shop\nStarted at 14:03\nSELECT 'a'\nValues: 'Ann', 7");
  const again = tabOf('c', { title: 'customers', startedAt: at(40), state: 'limited', rowCount: 2_000_000 });
  showTabs(opened, [first, again, tabOf('d', { title: 'Mine', isRenamed: true, startedAt: at(9) })], 'a');
  await tab('customers', '14:03:05').waitFor();
  await tab('customers', '14:03:40', '2,000,000+').waitFor();
  await tab('Mine', '5').waitFor();
  assert.equal(await tab('Mine').locator('[data-sign]').filter({ visible: true }).count(), 1, 'without a time');
  const weight = (time: string) =>
    tab('customers', time)
      .getByText('customers', { exact: true })
      .evaluate(title => getComputedStyle(title).fontWeight);
  assert.notEqual(await weight('14:03:05'), await weight('14:03:40'), 'a pinned result looks different');
});

tabsTest('tabs that do not fit are in a list', async opened => {
  const { page } = opened;
  const many = Array.from({ length: 20 }, (_, i) => tabOf(`t${i}`));
  const list = page.getByRole('button', { name: 'Show All Results' });
  showTabs(opened, many.slice(0, 2), 't0');
  await page.getByRole('tab', { name: 'Tab t1' }).waitFor();
  assert.equal(await list.isVisible(), false);
  showTabs(opened, many, 't0');
  await list.click();
  await page.getByRole('menuitemcheckbox', { name: "Tab t0 · SELECT 't0'", checked: true }).waitFor();
  await page.getByRole('menuitemcheckbox', { name: "Tab t17 · SELECT 't17'" }).click();
  await received('selectTab', 't17');
});

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  tabsTest(`tabs and decisions in ${theme} (picture)`, async opened => {
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

for (const theme of themeNames) {
  webviewTest(
    `in ${theme}, all text around the rows has a contrast of 4.5:1`,
    { bridge: gridBridge },
    async ({ page, host, ...opened }) => {
      await setTheme(page, theme);
      const tabs = [
        tabOf('a', { startedAt: at(5), isPinned: true, state: 'paused' }),
        tabOf('b', { startedAt: at(5), state: 'failed' }),
        tabOf('c', { startedAt: at(5), state: 'running', protection: 'readOnly' }),
      ];
      showTabs({ page, host, ...opened }, tabs, 'a');
      const fields = {
        state: 'paused',
        pausedBy: 'rows',
        rowCount: 3,
        actions: ['resume', 'finish', 'rerun'],
      } as const;
      host.notify('view', { view: resultView(fields) });
      await page.getByRole('button', { name: 'Continue' }).waitFor();
      assert.deepEqual(await faintTexts(page, 'white'), []);
      host.notify('view', { view: resultView({ ...fields, state: 'failed', problem: 'no such table: pets' }) });
      await page.getByText('no such table: pets').first().waitFor();
      assert.deepEqual(await faintTexts(page, 'white'), []);
    },
  );
}

tabsTest('an empty panel offers a query and the sample, until there is a tab', async opened => {
  const { page } = opened;
  showTabs(opened, [], undefined);
  await page.getByRole('button', { name: 'New Query' }).click();
  await received('begin', 'newQuery');
  await page.getByRole('button', { name: 'Try It Locally' }).click();
  await received('begin', 'tryLocally');
  await opened.picture('empty-panel');
  showTabs(opened, three, 'a');
  await page.getByRole('button', { name: 'New Query' }).waitFor({ state: 'hidden' });
});
