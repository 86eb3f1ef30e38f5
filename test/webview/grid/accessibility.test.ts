import assert from 'node:assert/strict';
import { gridTest, numbers } from '../../support/gridPage.ts';
import { pauseClock } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { activeCell } from '../../support/pageParts.ts';

gridTest('attributes tell the size of the grid, the place of cells, and the active cell', numbers(5000), async grid => {
  const { page } = grid;
  const attributes = ['aria-rowcount', 'aria-colcount', 'aria-multiselectable', 'aria-activedescendant'];
  const values = await Promise.all(attributes.map(name => grid.grid.getAttribute(name)));
  assert.deepEqual(values, ['5001', '13', 'true', 'active-cell']);
  assert.match((await grid.grid.getAttribute('aria-description')) ?? '', /Press Space to show the row as a record/);
  await grid.grid.focus();
  await page.keyboard.press('ArrowDown');
  await grid.cell(1, 0).and(activeCell(page)).waitFor();
  // The active cell keeps its element when it is scrolled out of view.
  await grid.grid.evaluate(element => element.scrollTo(500, 100_000));
  await grid.cell(4550, 6).waitFor();
  assert.equal(await activeCell(page).count(), 1);
  await page.keyboard.press('ArrowDown');
  await grid.cell(2, 0).and(activeCell(page)).waitFor();
});

gridTest('Tab leaves the grid and comes back, even with an open record', numbers(50), async grid => {
  const { page } = grid;
  await grid.grid.focus();
  await page.keyboard.press('Tab');
  assert.equal(await grid.grid.evaluate(element => element.contains(document.activeElement)), false);
  await grid.grid.focus();
  await page.keyboard.press('Space');
  // The record and its four buttons.
  for (let stop = 0; stop < 5; stop++) await page.keyboard.press('Shift+Tab');
  await grid.grid.and(page.locator(':focus')).waitFor();
});

gridTest('the number of rows is announced at intervals while rows arrive', numbers(5000), async grid => {
  await pauseClock(grid.page);
  const live = grid.page.locator('[aria-live="polite"]').filter({ hasText: 'rows' });
  for (const rowCount of [1000, 2000, 3000]) grid.show({ state: 'running', rowCount, shownRows: rowCount });
  await grid.grid.and(grid.page.locator('[aria-rowcount="3001"]')).waitFor();
  assert.equal(await live.count(), 0);
  await grid.page.clock.runFor(5000);
  await live.filter({ hasText: '3,000 rows' }).waitFor({ state: 'attached' });
  grid.show({ state: 'done', rowCount: 5000, shownRows: 5000 });
  await live.waitFor({ state: 'detached' });
});

gridTest('nine rows are in view in the default panel of a window of 1440 × 900', numbers(1000), async grid => {
  const { page } = grid;
  await setTheme(page, 'light');
  await page.setViewportSize({ width: 1082, height: 258 });
  // The grid measures its font when it opens.
  grid.show({ runId: 'b' });
  const tab = {
    title: 'orders',
    statement: '',
    project: 'Shop',
    values: [],
    state: 'done',
    protection: 'open',
  } as const;
  const more = { color: undefined, rowCount: 1000, isPinned: false, isPlan: false, isRenamed: false, startedAt: 0 };
  grid.opened.host.notify('tabs', { tabs: [{ runId: 'b', ...tab, ...more }], active: 'b' });
  await page.getByRole('tab').waitFor();
  await grid.cell(8, 0).waitFor();
  const bottom = await grid.grid.evaluate(
    root => root.getBoundingClientRect().top + root.clientTop + root.clientHeight,
  );
  const { y = 0, height = 0 } = (await grid.cell(8, 0).boundingBox()) ?? {};
  assert.ok(y > 0 && y + height <= bottom, `the ninth row ends at ${y + height}, the grid at ${bottom}`);
  assert.ok(bottom < 258, 'the status line is below it');
});

gridTest('the grid and a record work in a small panel at 200 %', numbers(50), async grid => {
  const { page } = grid;
  await setTheme(page, 'dark');
  await page.setViewportSize({ width: 450, height: 200 });
  await grid.cell(1, 1).click();
  await grid.opened.picture('grid-zoomed');
  const box = await grid.grid.boundingBox();
  assert.ok(box && box.height >= 80, 'some rows are in view');
  await page.keyboard.press('Space');
  const record = page.getByRole('complementary', { name: 'Record' });
  await record.waitFor();
  assert.equal((await record.boundingBox())?.width, 450);
  await grid.opened.picture('record-zoomed');
  await page.keyboard.press('Escape');
  await grid.grid.and(page.locator(':focus')).waitFor();
});

gridTest('every button is in view in the narrowest view that VS Code allows', numbers(50), async grid => {
  const { page } = grid;
  const width = 170;
  await page.setViewportSize({ width, height: 500 });
  await grid.cell(0, 0).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
  await page.getByRole('button', { name: /^Clear Filter/ }).waitFor();
  // The filter shows before its rows.
  await grid.grid.and(page.locator('[aria-rowcount="2"]')).waitFor();
  await grid.grid.focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in All Rows' }).waitFor();
  const actions = ['resume', 'finish', 'goToStatement', 'rerun', 'export', 'pin', 'openInEditor'] as const;
  grid.show({ state: 'paused', pausedBy: 'rows', actions });
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  // The menu buttons of columns scroll with their columns.
  const controls = page.locator(':is(button, input):not([role="columnheader"] *)');
  const outOfSight = (): Promise<string[]> =>
    controls.evaluateAll((elements, viewWidth) => {
      const faults = elements.filter(element => {
        const { left, right, width: wide } = element.getBoundingClientRect();
        return wide > 0 && element.checkVisibility() && (left < 0 || wide < 16 || right > viewWidth);
      });
      return faults.map(element => element.outerHTML.slice(0, 80));
    }, width);
  // Tools that do not fit move into the menu when the page is painted next.
  let seen: string[] = [];
  await waitUntil(async () => (seen = await outOfSight()).length === 0, {
    what: () => `out of sight are ${seen.join(' ')}`,
  });
  // The menu has the tools that do not fit.
  await page.getByRole('button', { name: 'More Actions…' }).click();
  for (const name of ['Rerun', 'Export…', 'Pin', 'Open to the Side', 'Go to Statement']) {
    await page.getByRole('menuitem', { name }).waitFor();
  }
});

gridTest('the menu has the tools without room, also right after a change of the result', numbers(50), async grid => {
  const { page } = grid;
  await page.setViewportSize({ width: 170, height: 500 });
  const actions = ['rerun', 'export', 'pin', 'openInEditor'] as const;
  grid.show({ actions });
  await page.getByRole('button', { name: 'Open to the Side' }).waitFor({ state: 'hidden' });
  const more = page.getByRole('button', { name: 'More Actions…' });
  await more.evaluate((button: HTMLElement) => addEventListener('message', () => button.click(), { once: true }));
  grid.show({ actions });
  for (const name of ['Rerun', 'Open to the Side']) await page.getByRole('menuitem', { name }).waitFor();
});

gridTest('the selection and the active cell show in forced colors', numbers(50), async grid => {
  const { page } = grid;
  await page.emulateMedia({ forcedColors: 'active' });
  await grid.cell(1, 1).click();
  await grid.cell(3, 2).click({ modifiers: ['Shift'] });
  await grid.opened.picture('grid-forced-colors');
  const color = (row: number) => grid.cell(row, 1).evaluate(cell => getComputedStyle(cell).backgroundColor);
  await page.waitForFunction(() => document.querySelectorAll('[role="gridcell"][aria-selected="true"]').length === 6);
  assert.notEqual(await color(2), await color(5));
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight';
    return getComputedStyle(probe).backgroundColor;
  });
  assert.equal(await color(2), highlight);
  const outline = await activeCell(page).evaluate(cell => getComputedStyle(cell).outlineStyle);
  assert.equal(outline, 'solid');
});

gridTest('neither arriving rows nor hiding the view moves the rows in view', numbers(5000), async grid => {
  const { page } = grid;
  grid.show({ state: 'running', rowCount: 1000, shownRows: 1000 });
  await grid.grid.and(page.locator('[aria-rowcount="1001"]')).waitFor();
  await grid.grid.evaluate(element => element.scrollTo(200, 9_610));
  await grid.cell(440, 4).waitFor();
  const place = await grid.cell(440, 4).boundingBox();
  for (const rowCount of [1001, 1500, 5000]) grid.show({ rowCount, shownRows: rowCount });
  await grid.grid.and(page.locator('[aria-rowcount="5001"]')).waitFor();
  await grid.nextFrame();
  assert.equal((await grid.cell(440, 4).boundingBox())?.y, place?.y);
  await page.evaluate(() => document.querySelector('main')?.setAttribute('hidden', ''));
  await grid.cell(440, 4).waitFor({ state: 'hidden' });
  grid.show({ state: 'done' });
  await page.evaluate(() => document.querySelector('main')?.removeAttribute('hidden'));
  await grid.cell(440, 4).waitFor();
  assert.deepEqual(await grid.cell(440, 4).boundingBox(), place);
});
