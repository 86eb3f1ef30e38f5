import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { BridgeServer } from '../../../src/protocol/bridgeServer.ts';
import { diagramBridge, type DiagramTable } from '../../../src/protocol/diagram.ts';
import { assertAccessible } from '../../support/axe.ts';
import { manyTables, shopTables } from '../../support/diagramTables.ts';
import { webviewTest } from '../../support/webviewPage.ts';

type Call = Readonly<Record<string, string>>;

interface DiagramPage {
  readonly page: Page;
  readonly canvas: Locator;
  readonly status: Locator;
  /** Each item of the list for screen readers. */
  readonly listed: () => Promise<string[]>;
  readonly show: (tables: readonly DiagramTable[], table?: string) => Promise<void>;
  readonly routed: () => Promise<void>;
  readonly runs: readonly Call[];
  readonly saved: readonly Call[];
}

function diagramTest(name: string, body: (diagram: DiagramPage) => Promise<void>): void {
  const runs: Call[] = [];
  const saved: Call[] = [];
  const methods = { run: (call: Call) => void runs.push(call), save: (call: Call) => void saved.push(call) };
  webviewTest(name, { bridge: diagramBridge, methods }, async ({ page, host }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    const canvas = page.getByRole('application');
    const routed = (): Promise<void> => page.locator('canvas.viewport[data-state="routed"]').waitFor();
    await body({
      page,
      canvas,
      status: page.getByRole('status'),
      listed: () => page.getByRole('list', { name: 'Tables and Keys' }).locator('li').allTextContents(),
      show: async (tables, table) => {
        notify(host, tables, table);
        await routed();
      },
      routed,
      runs,
      saved,
    });
  });
}

function notify(
  host: BridgeServer<typeof diagramBridge.events>,
  tables: readonly DiagramTable[],
  table: string | undefined,
): void {
  host.notify('state', {
    title: `Diagram of ${table ?? 'Shop'}`,
    place: 'Shop (example.com)',
    subject: { profileId: 'shop', project: 'Shop', ...(table !== undefined && { table }) },
    tables,
    problem: undefined,
  });
}

diagramTest('a table is shown with its neighbours, and farther ones when the user wants them', async diagram => {
  const { page, listed, routed } = diagram;
  await diagram.show(shopTables, 'invoices');
  assert.deepEqual(await listed(), [
    'orders, 4 columns · referred to by invoices',
    'invoices, 3 columns · refers to orders',
    'invoices (shop, order_number) refers to orders (shop, number): at most one row for one',
  ]);
  await page.getByLabel('Keys away').selectOption('2');
  await page.getByText('order_items, 4 columns').waitFor({ state: 'attached' });
  await routed();
  assert.equal((await listed()).length, 8);
  await page.getByLabel('Keys away').selectOption('All');
  await page.getByText('countries does not exist').first().waitFor({ state: 'attached' });
  assert.ok(
    (await listed()).includes(
      'addresses (country) refers to countries (code) (missing): any number of rows for one or none',
    ),
  );
  assert.ok((await listed()).every(text => !text.includes('settings')));
});

diagramTest('arrow keys follow keys, Enter opens a table, and Shift+F10 its menu', async diagram => {
  const { page, canvas, status, runs } = diagram;
  await diagram.show(shopTables, 'orders');
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(
    await status.textContent(),
    'orders, 4 columns · refers to customers · referred to by order_items, invoices',
  );
  await page.keyboard.press('ArrowRight');
  await status.getByText('customers, 4 columns').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Design Table' }).click();
  assert.deepEqual(runs, [
    { command: 'browseTable', table: 'customers' },
    { command: 'designTable', table: 'customers' },
  ]);
  assert.ok(await canvas.evaluate(element => element === document.activeElement));
  await page.keyboard.press('Escape');
  await status.getByText('4 tables · 4 foreign keys').waitFor();
});

diagramTest('a search flies to a table, and the next search to the next one', async diagram => {
  const { page, status, canvas } = diagram;
  await diagram.show(manyTables(120));
  assert.ok(await page.locator('canvas.minimap').isVisible());
  await page.keyboard.press('Control+f');
  await page.keyboard.type('hr_ev');
  await page.keyboard.press('Enter');
  await status.getByText('hr_event, ').waitFor();
  await page.keyboard.press('Enter');
  await status.getByText('hr_event_log, ').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  assert.ok(await canvas.evaluate(element => element === document.activeElement));
  assert.deepEqual(diagram.runs.at(-1), { command: 'browseTable', table: 'hr_event_log' });
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nothing');
  await page.keyboard.press('Enter');
  await status.getByText("No table matches 'nothing'.").waitFor();
});

diagramTest('a search shows a table that is no neighbour', async diagram => {
  const { page, status, listed } = diagram;
  await diagram.show(shopTables, 'invoices');
  await page.getByRole('combobox', { name: 'Find Table' }).fill('settings');
  await page.keyboard.press('Enter');
  await status.getByText('settings, 2 columns').waitFor();
  assert.ok((await listed()).includes('settings, 2 columns'));
});

diagramTest('the diagram follows a change of the schema', async diagram => {
  const { page, status } = diagram;
  await diagram.show(shopTables);
  await status.getByText('7 tables · 7 foreign keys').waitFor();
  await diagram.show(shopTables.filter(({ name }) => name !== 'invoices'));
  await status.getByText('6 tables · 6 foreign keys').waitFor();
  await diagram.show(shopTables, 'gone');
  await page.getByText("The table 'gone' no longer exists.").waitFor();
});

diagramTest('the diagram is exported as pictures and texts', async diagram => {
  const { page, saved } = diagram;
  const evil = { name: '<script>"&', columns: [], keys: [] };
  await diagram.show([...shopTables, evil]);
  for (const name of ['SVG Picture…', 'PNG Picture…', 'Mermaid Text…', 'DBML Text…']) {
    await page.getByRole('button', { name: 'Export Diagram' }).click();
    const count = saved.length;
    await page.getByRole('menuitem', { name }).click();
    while (saved.length === count) await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const [svg, png, mermaid, dbml] = saved.map(({ content }) => content!);
  const texts = await page.evaluate(source => {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    return [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent);
  }, svg!);
  for (const text of ['customers', 'referred_by', 'countries (missing)', '<script>"&'])
    assert.ok(texts.includes(text), text);
  assert.equal(Buffer.from(png!, 'base64').subarray(1, 4).toString(), 'PNG');
  assert.match(mermaid!, /^erDiagram\n {2}"customers" \{\n {4}INTEGER id PK "NOT NULL"\n/);
  assert.match(mermaid!, /\n {2}"invoices" \|o--\|\| "orders" : "shop, order_number"\n/);
  assert.match(mermaid!, /\n {2}"customers" \}o--o\| "customers" : "referred_by"\n/);
  assert.match(dbml!, /Table "orders" \{\n {2}"shop" "INTEGER" \[not null\]\n/);
  assert.match(dbml!, /\n {2}indexes \{\n {4}\("shop", "number"\) \[pk\]\n {2}\}\n/);
  assert.match(dbml!, /\nRef: "order_items"\.\("shop", "order_number"\) > "orders"\.\("shop", "number"\)\n/);
});

diagramTest('the page is accessible', async diagram => {
  await diagram.show(shopTables, 'orders');
  await assertAccessible(diagram.page, 'the diagram of a table');
});
