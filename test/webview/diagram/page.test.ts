import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { BridgeServer } from '../../../src/protocol/bridgeServer.ts';
import {
  automaticArrangement,
  type DiagramArrangement,
  diagramBridge,
  type DiagramState,
  type DiagramTable,
} from '../../../src/protocol/diagram.ts';
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
  /** Shows tables, and waits for nothing. */
  readonly notify: (tables: readonly DiagramTable[], more: Partial<DiagramState>) => Promise<void>;
  readonly show: (tables: readonly DiagramTable[], table?: string, more?: Partial<DiagramState>) => Promise<void>;
  /** The places of the boxes' titles in the diagram, by the titles. */
  readonly titles: () => Promise<Map<string, string>>;
  readonly remembered: readonly DiagramArrangement[];
  readonly routed: () => Promise<void>;
  readonly runs: readonly Call[];
  readonly saved: readonly Call[];
}

function diagramTest(name: string, body: (diagram: DiagramPage) => Promise<void>): void {
  const runs: Call[] = [];
  const saved: Call[] = [];
  const remembered: DiagramArrangement[] = [];
  const methods = {
    run: (call: Call) => void runs.push(call),
    save: (call: Call) => void saved.push(call),
    remember: ({ arrangement }: { arrangement: DiagramArrangement }) => void remembered.push(arrangement),
  };
  webviewTest(name, { bridge: diagramBridge, methods }, async ({ page, host }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    const canvas = page.getByRole('application');
    const routed = (): Promise<void> => page.locator('canvas.viewport[data-state="routed"]').waitFor();
    await body({
      page,
      canvas,
      status: page.getByRole('status'),
      listed: () => page.getByRole('list', { name: 'Tables and Keys' }).locator('li').allTextContents(),
      notify: (tables, more) => Promise.resolve(notify(host, tables, undefined, more)),
      show: async (tables, table, more) => {
        notify(host, tables, table, more);
        await routed();
      },
      titles: async () => {
        const count = saved.length;
        await page.getByRole('button', { name: 'Export Diagram' }).click();
        await page.getByRole('menuitem', { name: 'SVG Picture…' }).click();
        while (saved.length === count) await page.evaluate(() => new Promise(requestAnimationFrame));
        const texts = await page.evaluate(source => {
          const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
          return [...parsed.querySelectorAll('text[font-weight]')].map(text => [
            text.textContent,
            `${text.getAttribute('x')} ${text.getAttribute('y')}`,
          ]);
        }, saved.at(-1)!['content']!);
        return new Map(texts as [string, string][]);
      },
      remembered,
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
  more: Partial<DiagramState> = {},
): void {
  host.notify('state', {
    title: `Diagram of ${table ?? 'Shop'}`,
    place: 'Shop (example.com)',
    subject: { profileId: 'shop', project: 'Shop', ...(table !== undefined && { table }) },
    tables,
    earlierTables: undefined,
    arrangement: automaticArrangement,
    problem: undefined,
    ...more,
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

/** Chooses the table of the diagram, and gives a place within its box on the screen. */
async function chooseTable({ page, canvas }: DiagramPage): Promise<{ x: number; y: number }> {
  await canvas.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+F10');
  const menu = await page.getByRole('menu').boundingBox();
  await page.keyboard.press('Escape');
  return { x: menu!.x + 30, y: menu!.y - 10 };
}

diagramTest('a box that is dragged or moved by keys stays there, and the others stay where they are', async diagram => {
  const { page, routed, remembered } = diagram;
  await diagram.show(shopTables, 'invoices');
  const before = await diagram.titles();
  const { x, y } = await chooseTable(diagram);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 40, y + 50, { steps: 4 });
  await page.mouse.move(x - 60, y + 300, { steps: 4 });
  await page.mouse.up();
  await routed();
  const [left, top] = before.get('invoices')!.split(' ').map(Number);
  const dragged = await diagram.titles();
  assert.equal(dragged.get('invoices'), `${left! - 60} ${top! + 300}`);
  assert.equal(dragged.get('orders'), before.get('orders'));
  assert.deepEqual(
    remembered
      .at(-1)
      ?.places.map(({ table }) => table)
      .toSorted(),
    ['invoices', 'orders'],
  );
  await page.getByRole('application').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowDown');
  await routed();
  assert.equal((await diagram.titles()).get('invoices'), `${left! - 80} ${top! + 320}`);
  // More tables do not move the boxes.
  await page.getByLabel('Keys away').selectOption('2');
  await page.getByText('order_items, 4 columns').waitFor({ state: 'attached' });
  await routed();
  assert.equal((await diagram.titles()).get('orders'), before.get('orders'));
  await page.getByRole('button', { name: 'Reset Arrangement' }).click();
  await routed();
  assert.deepEqual(remembered.at(-1), { ...automaticArrangement, distance: '2' });
  await page.getByLabel('Keys away').selectOption('1');
  await page.getByText('order_items, 4 columns').waitFor({ state: 'detached' });
  await routed();
  assert.deepEqual(await diagram.titles(), before);
});

diagramTest('keys go to the chosen table when the schema changes, and a reset during a move stays', async diagram => {
  const { page, status, remembered, routed, runs } = diagram;
  const tables = manyTables(200);
  const chosen = tables[7]!;
  await diagram.show(tables);
  await page.getByRole('combobox', { name: 'Find Table' }).fill(chosen.name);
  await page.keyboard.press('Enter');
  await status.getByText(`${chosen.name}, `).waitFor();
  await page.keyboard.press('Escape');
  const column = { name: 'added', type: 'TEXT', isPrimary: false, isNotNull: false };
  const changed = tables.map(table => (table === chosen ? { ...table, columns: [...table.columns, column] } : table));
  await diagram.notify(changed, { earlierTables: tables });
  await status.getByText(/Changed: added/).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowRight');
  await status.getByText(`${chosen.name} is moved.`).waitFor();
  assert.deepEqual(runs, [{ command: 'browseTable', table: chosen.name }]);
  await routed();
  await page.getByRole('button', { name: 'Reset Arrangement' }).click();
  await page.getByRole('application').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await routed();
  assert.deepEqual(remembered.at(-1), automaticArrangement);
});

diagramTest('a click drags nothing', async diagram => {
  const { page, remembered } = diagram;
  await diagram.show(shopTables, 'invoices');
  const { x, y } = await chooseTable(diagram);
  await page.mouse.click(x + 1, y);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 2, y + 2);
  await page.mouse.up();
  await page.keyboard.press(' ');
  assert.deepEqual(remembered, [{ ...automaticArrangement, collapsed: ['invoices'] }]);
});

diagramTest('tables are collapsed and hidden, and a search shows a hidden one again', async diagram => {
  const { page, status, canvas, remembered, routed } = diagram;
  await diagram.show(shopTables, 'invoices');
  await chooseTable(diagram);
  await page.keyboard.press(' ');
  await status.getByText('invoices is collapsed.').waitFor();
  await routed();
  // The table of the diagram stays.
  await page.keyboard.press('Delete');
  await page.keyboard.press('Shift+F10');
  assert.equal(await page.getByRole('menuitemcheckbox', { name: 'Collapse' }).getAttribute('aria-checked'), 'true');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await status.getByText('orders, 4 columns').waitFor();
  await page.keyboard.press('Delete');
  await status.getByText('orders is hidden. A search shows it again.').waitFor();
  await page.keyboard.press('Escape');
  await status.getByText('1 table · 0 foreign keys · 1 hidden').waitFor();
  assert.deepEqual(remembered.at(-1), { ...automaticArrangement, collapsed: ['invoices'], hidden: ['orders'] });
  await page.getByRole('combobox', { name: 'Find Table' }).fill('orders');
  await page.keyboard.press('Enter');
  await status.getByText('orders, 4 columns').waitFor();
  assert.deepEqual(remembered.at(-1)?.hidden, []);
  assert.ok(await canvas.isVisible());
});

diagramTest('a diagram opens as it was arranged', async diagram => {
  const arrangement = {
    ...automaticArrangement,
    distance: '2',
    added: ['settings'],
    hidden: ['orders'],
    places: [{ table: 'invoices', x: 500, y: 700 }],
  };
  await diagram.show(shopTables, 'invoices', { arrangement });
  assert.equal(await diagram.page.getByLabel('Keys away').inputValue(), '2');
  const titles = await diagram.titles();
  assert.equal(titles.get('invoices'), '510 720');
  assert.ok(titles.has('settings') && titles.has('order_items') && !titles.has('orders'));
});

diagramTest('tables, columns and keys that the last change of the schema changed are marked', async diagram => {
  const { status } = diagram;
  const [first, ...others] = shopTables;
  const type = { type: 'TEXT', isPrimary: false, isNotNull: false };
  const earlierTables = [
    { ...first!, columns: first!.columns.slice(0, -1) },
    ...others.filter(({ name }) => name !== 'settings'),
    { name: 'visits', columns: [{ name: 'day', ...type }], keys: [] },
  ];
  await diagram.show(shopTables, undefined, { earlierTables });
  await status.getByText('New: settings · Changed: customers · Removed: visits').waitFor();
  const listed = await diagram.listed();
  const added = first!.columns.at(-1)!.name;
  assert.ok(listed.includes('settings, 2 columns · New'));
  assert.ok(listed.some(text => text.startsWith(`customers, 4 columns · Changed: ${added} ·`)));
  const titles = await diagram.titles();
  assert.ok(titles.has('settings (new)') && titles.has('customers (changed)'));
  assert.ok(titles.has(added), 'the new column is bold');
  await diagram.show(shopTables, undefined);
  await status.getByText(/^7 tables · 7 foreign keys$/).waitFor();
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
