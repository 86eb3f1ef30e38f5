import assert from 'node:assert/strict';
import { asProjectError } from '../../../src/base/errors.ts';
import {
  alertIn,
  buttonIn,
  cellIn,
  chooseTool,
  type TablePage,
  tablePageTest,
} from '../../support/browsedTablePage.ts';
import type { SeenRequest } from '../../support/refusingProxy.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { reply, stall } from '../../support/scriptedServer.ts';
import { keyPicture } from '../../support/pageParts.ts';

/** A table's page in a browser, with the extension's own code and a real service behind it. */

async function goToLastRow({ page }: TablePage): Promise<void> {
  await buttonIn(page, 'Count Rows').click();
  await page.getByText(/of 5,000$/).waitFor();
  await cellIn(page, 'part 1').click();
  await page.keyboard.press('Control+End');
  await page.getByText(/^Rows [\d,]+–5,000 of 5,000$/).waitFor();
}

async function goToFirstRow({ page }: TablePage): Promise<void> {
  await page.keyboard.press('Control+Home');
  await cellIn(page, 'part 1').waitFor();
}

async function goToRow({ page, host }: TablePage, row: number): Promise<void> {
  host.row = row;
  await chooseTool(page, 'Go to Row…');
}

tablePageTest('pages arrive as the user scrolls, and the next one is prefetched', async opened => {
  const { page } = opened;
  await page.getByText(/^Rows 1–\d+ of 1,000\+$/).waitFor();
  await cellIn(page, 'part 1').click();
  await page.keyboard.press('Control+End');
  await page.getByText(/^Rows 9\d\d–1,\d+ of 1,500\+$/).waitFor();
  await cellIn(page, 'part 1000').waitFor();
});

tablePageTest('the grid takes the focus when its table opens', async ({ page }) => {
  await cellIn(page, 'part 1').waitFor();
  await page.getByRole('grid').and(page.locator(':focus')).waitFor();
});

tablePageTest('Go to Row shows any row, and past the end the last one', async opened => {
  const { page, host } = opened;
  await cellIn(page, 'part 1').waitFor();
  await goToRow(opened, 3999);
  await cellIn(page, 'part 4000').waitFor();
  await page.getByText(/of 4,\d00\+/).waitFor();
  await goToRow(opened, 8999);
  await page.getByText(/^Rows [\d,]+–5,000 of 5,000$/).waitFor();
  assert.deepEqual(host.missingRows, [{ row: 8999, rowCount: 5000, hasEnd: true }]);
});

tablePageTest(
  'Go to Row past the last known row says that the end is unknown if the service does not count',
  async opened => {
    const { page, host } = opened;
    await cellIn(page, 'part 1').waitFor();
    await goToRow(opened, 8999);
    await page.getByText(/of 1,500\+/).waitFor();
    assert.equal(host.missingRows[0]?.hasEnd, false);
  },
  {
    intercept: ({ body }) => (body.includes('count(*)') ? reply({ message: 'That takes too long.' }, 504) : undefined),
  },
);

tablePageTest('Export Rows counts the rows before it asks', async ({ page, host }) => {
  await page.getByText(/of 1,000\+/).waitFor();
  await buttonIn(page, 'Export…').click();
  await page.getByText(/of 5,000$/).waitFor();
  assert.deepEqual(host.exports, [{ rowCount: 5000, columns: [0, 1] }]);
});

tablePageTest('Open as SQL opens the statement with the values of the filters', async ({ page, host }) => {
  await cellIn(page, 'part 1').click();
  await chooseTool(page, 'Open as SQL');
  await page.getByRole('columnheader', { name: 'name' }).click();
  await page.getByText(/^sorted by (?:name|primary key)/).waitFor();
  await page.getByRole('gridcell').nth(1).click();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('4999');
  await page.keyboard.press('Enter');
  await page.getByText(/^Row 1 of 1$/).waitFor();
  await chooseTool(page, 'Open as SQL');
  await waitUntil(() => host.statements.length === 2, { what: 'no statement is opened' });
  assert.deepEqual(
    host.statements.map(({ sql, params }) => [sql.split('\n').at(-1), params]),
    [
      ['SELECT * FROM parts', []],
      ['ORDER BY name, id', ['4999']],
    ],
  );
});

tablePageTest('a failed page says why, and Retry fetches it', async opened => {
  const { page, answerLaterPages } = opened;
  await cellIn(page, 'part 1').waitFor();
  answerLaterPages(reply({ message: 'The disk is on fire' }, 500));
  await goToLastRow(opened);
  await alertIn(page, 'The service failed with status 500: The disk is on fire. Try again later.').waitFor();
  await opened.picture('browse-fault');
  answerLaterPages();
  await buttonIn(page, 'Retry').click();
  await cellIn(page, 'part 5000').waitFor();
  await alertIn(page, 'The disk is on fire').waitFor({ state: 'detached' });
  await goToFirstRow(opened);
});

tablePageTest('a Retry-After wait shows the remaining time and can be ended', async opened => {
  const { page, answerLaterPages } = opened;
  await cellIn(page, 'part 1').waitFor();
  answerLaterPages(reply({ message: 'Too many.' }, 429, { 'retry-after': '25' }));
  await goToLastRow(opened);
  await page.getByText(/^The service is busy\. The rows are fetched again in \d+ s\.$/).waitFor();
  await opened.picture('browse-wait');
  await buttonIn(page, 'Stop').click();
  await alertIn(page, 'The service is busy. Try again in 25 s.').waitFor();
  answerLaterPages();
  await buttonIn(page, 'Retry').click();
  await cellIn(page, 'part 5000').waitFor();
});

tablePageTest('rows arrive by themselves after a Retry-After wait', async opened => {
  const { page, answerLaterPages } = opened;
  await cellIn(page, 'part 1').waitFor();
  answerLaterPages((response, request) => {
    reply({ message: 'Too many.' }, 429, { 'retry-after': '3' })(response, request);
    answerLaterPages();
  });
  await Promise.all([page.getByText(/^The service is busy/).waitFor(), goToLastRow(opened)]);
  await cellIn(page, 'part 5000').waitFor();
  await page.getByText(/^The service is busy/).waitFor({ state: 'hidden' });
});

tablePageTest('a page that does not arrive can be stopped and fetched again', async opened => {
  const { page, answerLaterPages } = opened;
  await cellIn(page, 'part 1').waitFor();
  answerLaterPages(stall);
  await goToLastRow(opened);
  await buttonIn(page, 'Stop').waitFor();
  await opened.picture('browse-stall');
  await buttonIn(page, 'Stop').click();
  await page.getByText('5,000 rows · Cancelled after').first().waitFor();
  await opened.picture('browse-stopped');
  answerLaterPages();
  await buttonIn(page, 'Retry').click();
  await cellIn(page, 'part 5000').waitFor();
  await buttonIn(page, 'Retry').waitFor({ state: 'detached' });
  await goToFirstRow(opened);
});

tablePageTest('a dropped table keeps its loaded rows and says what happened', async opened => {
  const { page, host, execute } = opened;
  await goToLastRow(opened);
  await cellIn(page, 'part 5000').waitFor();
  await goToFirstRow(opened);
  await execute('DROP TABLE parts');
  await goToRow(opened, 2499);
  await alertIn(page, /may have been dropped or renamed\. Refresh the tree/).waitFor();
  await opened.picture('browse-dropped');
  await cellIn(page, 'part 1').waitFor();
  await buttonIn(page, 'Refresh').click();
  await waitUntil(async () => host.faults.length > 0, { what: 'the host is told no fault' });
  assert.equal(asProjectError(host.faults[0])?.code, 'table_not_found');
  await cellIn(page, 'part 1').waitFor();
});

let isKeyRevoked = false;
tablePageTest(
  'a revoked API key can be replaced where rows are missing',
  async opened => {
    const { page, host } = opened;
    await page.getByText(/^Rows 1–\d+ of 1,000\+$/).waitFor();
    await cellIn(page, 'part 1').click();
    isKeyRevoked = true;
    await page.keyboard.press('Control+End');
    await alertIn(page, 'The service rejected the API key.').waitFor();
    await opened.picture('browse-revoked');
    host.onRemedy = remedy => (isKeyRevoked = remedy !== 'setKey');
    await buttonIn(page, 'Set API Key').click();
    await alertIn(page, 'The service rejected the API key.').waitFor({ state: 'detached' });
    await page.getByText(/of 1,500\+/).waitFor();
  },
  {
    intercept: () =>
      isKeyRevoked ? reply({ ok: false, code: 'unauthenticated', message: 'No such key.' }, 401) : undefined,
  },
);

tablePageTest('changed columns are reported and shown after a refresh', async opened => {
  const { page, execute } = opened;
  await cellIn(page, 'part 1').click();
  await execute(`ALTER TABLE parts ADD COLUMN colour TEXT DEFAULT 'red'`);
  await goToRow(opened, 2499);
  await alertIn(page, 'The columns of the table have changed. Refresh to see them.').waitFor();
  await opened.picture('browse-other-columns');
  await cellIn(page, 'part 1').waitFor();
  await buttonIn(page, 'Refresh').click();
  await page.getByRole('columnheader', { name: 'colour' }).waitFor();
  await cellIn(page, 'red').first().waitFor();
  await alertIn(page, 'The columns of the table have changed').waitFor({ state: 'detached' });
});

tablePageTest(
  'a service that gives fewer rows than requested is read to the last row',
  async opened => {
    await goToLastRow(opened);
    await cellIn(opened.page, 'part 5000').waitFor();
    await goToFirstRow(opened);
  },
  { intercept: ({ path }) => ({ path: path.replace(/limit=\d+/, 'limit=70') }) },
);

tablePageTest(
  'a service without endpoints for tables is browsed by SQL',
  async opened => {
    const { page } = opened;
    await page.getByText(/^sorted by (?:name|primary key)/).waitFor();
    await goToLastRow(opened);
    await cellIn(page, 'part 5000').waitFor();
    await opened.picture('browse-without-endpoints');
    await page.getByRole('columnheader', { name: 'name' }).click();
    await cellIn(page, 'part 10').waitFor();
  },
  { intercept: ({ path }) => (path.includes('/tables') ? reply({ message: 'No such route.' }, 404) : undefined) },
);

const sortedDescending = { arrangement: { sort: [{ column: 1, descending: true }], filters: [] } };

tablePageTest(
  'a restored table is sorted as it was before the reload',
  async ({ page }) => {
    await page.getByText(/^sorted by (?:name|primary key)/).waitFor();
    await cellIn(page, 'part 999').waitFor();
  },
  { firstState: sortedDescending },
);

let isSilent = true;
tablePageTest(
  'stopping a restored table that does not arrive shows its rows in the order of the service',
  async opened => {
    const { page } = opened;
    await buttonIn(page, 'Stop').waitFor();
    await page.getByText('Unsorted').waitFor({ state: 'hidden' });
    await opened.picture('browse-restored-stall');
    await buttonIn(page, 'Stop').click();
    isSilent = false;
    await cellIn(page, 'part 1').waitFor();
    await page.getByText('sorted by').waitFor({ state: 'hidden' });
    await page.getByText('Unsorted').waitFor();
  },
  {
    intercept: ({ path }: SeenRequest) => (isSilent && path.endsWith('/sql') ? stall : undefined),
    firstState: sortedDescending,
  },
);

tablePageTest(
  'the rows of other tables that refer to a row are counted, and shown by a key and the menu',
  async ({ page, followed, host, execute }) => {
    await cellIn(page, 'part 2').click();
    await page.keyboard.press('Control+Shift+Enter');
    const expected = { table: { name: 'boxes', kind: 'table' }, values: [{ column: 'part', text: '2' }] };
    const isShown = async (): Promise<boolean> => followed.length > 0;
    await waitUntil(isShown, { what: 'no table is opened' });
    assert.deepEqual(followed, [expected]);
    assert.deepEqual(
      host.referencing.map(({ rows, count }) => [rows.table.name, rows.values[0]?.text, count]),
      [
        ['boxes', '2', 2n],
        ['tags', '2', 0n],
      ],
    );
    await cellIn(page, 'part 1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show Referencing Rows…' }).click();
    await waitUntil(async () => followed.length > 1, { what: 'no table is opened' });
    assert.equal(followed[1]?.values[0]?.text, '1');
    // The next tests make other tables `parts`, to which these could not refer.
    for (const table of ['boxes', 'tags']) await execute(`DROP TABLE ${table}`);
  },
  {
    setup: [
      'DROP TABLE IF EXISTS boxes',
      'DROP TABLE IF EXISTS tags',
      'CREATE TABLE boxes(id INTEGER PRIMARY KEY, part INTEGER REFERENCES parts(id) ON DELETE CASCADE)',
      'CREATE TABLE tags(part INTEGER REFERENCES parts ON DELETE CASCADE, name TEXT)',
      'INSERT INTO boxes(part) VALUES (1), (2), (2), (NULL)',
    ],
  },
);

const makers = [
  'DROP TABLE IF EXISTS makers',
  'CREATE TABLE makers(code TEXT PRIMARY KEY, country TEXT)',
  "INSERT INTO makers VALUES ('acme', 'Norway')",
  'ALTER TABLE parts ADD COLUMN maker TEXT REFERENCES makers',
  "UPDATE parts SET maker = 'acme' WHERE id = 1",
];
tablePageTest(
  'a foreign key in a row that has not arrived is followed when the row is there',
  async opened => {
    const { page, followed, answerLaterPages } = opened;
    await keyPicture(page.getByRole('columnheader', { name: 'maker' }), 'foreignKey').waitFor();
    answerLaterPages((response, request) => {
      reply({ message: 'Too many.' }, 429, { 'retry-after': '3' })(response, request);
      answerLaterPages();
    });
    await goToLastRow(opened);
    await page.keyboard.press('Control+Enter');
    const isFollowed = async (): Promise<boolean> => followed.length > 0;
    await waitUntil(isFollowed, { what: 'no table is opened' });
    assert.deepEqual(followed[0]?.values, [{ column: 'code', text: 'acme' }]);
  },
  { setup: [...makers, "UPDATE parts SET maker = 'acme'"] },
);

tablePageTest(
  'a foreign key leads to the row that it refers to, by its link, a key and the menu',
  async ({ page, followed }) => {
    const { keyboard } = page;
    await keyPicture(page.getByRole('columnheader', { name: 'id' }), 'primaryKey').waitFor();
    await keyPicture(page.getByRole('columnheader', { name: 'maker' }), 'foreignKey').waitFor();
    const expected = { table: { name: 'makers', kind: 'table' }, values: [{ column: 'code', text: 'acme' }] };
    const isFollowed = async (times: number): Promise<void> => {
      await waitUntil(async () => followed.length >= times, { what: 'no row is followed' });
      assert.deepEqual(
        followed,
        Array.from({ length: times }, () => expected),
      );
    };
    await cellIn(page, 'acme').hover();
    await cellIn(page, 'acme').getByTitle('Go to Row in makers').click();
    await page.locator('[role="grid"]:focus').waitFor();
    await isFollowed(1);
    await keyboard.press('Control+Enter');
    await isFollowed(2);
    await cellIn(page, 'acme').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Go to Row in makers' }).click();
    await isFollowed(3);
    // NULL refers to nothing.
    await keyboard.press('ArrowDown');
    await keyboard.press('Control+Enter');
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Filter by This Value' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: /^Go to Row in/ }).count(), 0);
    assert.equal(followed.length, 3);
  },
  { setup: makers },
);
