import assert from 'node:assert/strict';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { WindowTable } from '../support/windowTable.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/* Rows far down a table that another client writes to. keyedPages.test.ts and keysetPages.test.ts test the pages alone. */

/** Far pages of an unsorted table begin at row 10,000. All ids are even, so that other rows fit in between. */
const parts = `
  CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT);
  CREATE INDEX parts_name ON parts(name);
  WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 13000)
  INSERT INTO parts SELECT 2 * i, printf('part %05d', 2 * i), 2 * i + 0.25, NULL FROM i`;

/** Adds rows with ids that end at a number. */
const insertSql = (count: number, lastId: number): string =>
  `INSERT INTO parts(id, name) WITH RECURSIVE i(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM i LIMIT ${count})
   SELECT ${lastId} - i, printf('part %05d', ${lastId} - i) FROM i`;

interface View {
  /** The ids of the painted rows that have arrived, by row number. */
  readonly ids: ReadonlyMap<number, number>;
  /** The number of the row with the active cell. */
  readonly activeRow: number;
  /** How many rows are known. */
  readonly rowCount: number;
}

async function viewOf({ frame }: WindowTable): Promise<View> {
  const grid = frame.getByRole('grid');
  const rows = await grid.locator('[role="row"]:has([role="rowheader"])').evaluateAll(elements =>
    elements.map(row => ({
      number: Number(row.querySelector('[role="rowheader"]')?.textContent),
      id: Number(row.querySelector('[role="gridcell"]')?.textContent),
      isActive: row.querySelector('#active-cell') !== null,
    })),
  );
  return {
    ids: new Map(rows.filter(({ id }) => Number.isInteger(id)).map(({ number, id }) => [number, id])),
    activeRow: rows.find(({ isActive }) => isActive)?.number ?? -1,
    rowCount: Number(await grid.getAttribute('aria-rowcount')) - 1,
  };
}

/** Goes to a row of the table and gives the id that it shows. */
async function goToRow(table: WindowTable, row: number): Promise<number> {
  const { session } = table;
  await session.runCommand('SQL Projects: Go to Row of Table…');
  // The palette has a command whose title begins with the same words.
  await new QuickInput(session.page).answer(/^Go to Row of (?!Table)/, String(row));
  const find = async (): Promise<number | undefined> => {
    const { ids, activeRow } = await viewOf(table);
    return activeRow === row ? ids.get(row) : undefined;
  };
  return (await waitUntil(find, { what: `row ${row} does not arrive` }))!;
}

/** Scrolls on from a row until an id is shown, and gives all ids that were shown on the way. */
async function scrollTo(table: WindowTable, from: number, lastId: number): Promise<number[]> {
  const shown = new Map<number, number>();
  for (let next = from; ;) {
    const read = async (): Promise<View | undefined> => {
      const view = await viewOf(table);
      const { ids, activeRow, rowCount } = view;
      for (let row = next; row <= activeRow; row++) if (!ids.has(row)) return undefined;
      const isAtEnd = ids.get(activeRow) === lastId;
      // After the last known row, the key would do nothing.
      return isAtEnd || (activeRow >= next && activeRow < rowCount) ? view : undefined;
    };
    const { ids, activeRow } = (await waitUntil(read, { what: `row ${next} is not shown` }))!;
    for (const [row, id] of ids) {
      assert.equal(shown.get(row) ?? id, id, `row ${row} stays where it is`);
      if (row >= from) shown.set(row, id);
    }
    if (ids.get(activeRow) === lastId) break;
    next = activeRow + 1;
    await table.press('PageDown');
  }
  return [...shown].toSorted(([one], [other]) => one - other).map(([, id]) => id);
}

workbenchTest(
  'rows after the shown ones come once each, in their order, while another client writes rows before and after them',
  {},
  async session => {
    await using service = await startServiceWith(parts);
    const query = async (sql: string): Promise<unknown[]> => (await service.query(sql)).flat();
    await openProjectOf(session, 'Parts', service);
    const table = await WindowTable.browse(session, 'parts');
    await table.waitForText('Unsorted');
    const id = await goToRow(table, 11_400);
    assert.equal(id, 22_800);
    await query('DELETE FROM parts WHERE id <= 1400');
    await query(insertSql(1200, 0));
    await query('DELETE FROM parts WHERE id BETWEEN 25000 AND 25400');
    await query(insertSql(1, 25_501));
    const rowsAfter = await query(`SELECT id FROM parts WHERE id >= ${id} ORDER BY id`);
    assert.deepEqual(await scrollTo(table, 11_400, 26_000), rowsAfter);
    await session.screenshot('browse-far');

    const header = table.frame.getByRole('columnheader', { name: 'name' });
    await header.click();
    await table.waitForText('sorted by name ▴');
    await header.click();
    await table.waitForText('sorted by name ▾');
    const sortedId = await goToRow(table, 11_400);
    assert.deepEqual(await query('SELECT id FROM parts ORDER BY name DESC LIMIT 1 OFFSET 11399'), [sortedId]);
    await query('DELETE FROM parts WHERE id > 24000');
    await query(insertSql(300, 27_000));
    await query('DELETE FROM parts WHERE id BETWEEN -900 AND -800');
    const sortedBehind = await query(
      `SELECT id FROM parts WHERE name <= (SELECT name FROM parts WHERE id = ${sortedId}) ORDER BY name DESC`,
    );
    assert.deepEqual(await scrollTo(table, 11_400, Number(sortedBehind.at(-1))), sortedBehind);
  },
);

workbenchTest(
  'Search All Rows finds a text in any column far down, also in rows that another client has just written',
  {},
  async session => {
    await using service = await startServiceWith(parts);
    const run = service.query;
    await openProjectOf(session, 'Parts', service);
    const table = await WindowTable.browse(session, 'parts');
    const search = async (text: string): Promise<void> => {
      await table.button('Search All Rows').click();
      await table.frame.getByRole('textbox', { name: 'Search All Rows' }).fill(text);
      await table.press('Enter');
      await table.frame.getByRole('group', { name: 'Filters' }).getByText(`Any column contains ${text}`).waitFor();
    };
    await search('PART 25872');
    await table.waitForText(/^Row 1 of 1$/);
    await table.cell('25872').waitFor();
    await search('24444.25');
    await table.cell('part 24444').waitFor();
    await table.waitForText(/^Row 1 of 1$/);

    await run(`INSERT INTO parts VALUES (40001, 'late part', 7, 'came by itself')`);
    await search('by itself');
    await table.cell('late part').waitFor();
    await table.waitForText(/^Row 1 of 1$/);
    await session.screenshot('search-all-rows');
    await run(`INSERT INTO parts VALUES (40003, 'stands by itself', 8, NULL)`);
    await table.button('Refresh').click();
    await table.cell('stands by itself').waitFor();
    await table.waitForText(/^Rows 1–2 of 2$/);
    await run(`UPDATE parts SET note = NULL WHERE id = 40001`);
    await table.button('Refresh').click();
    await table.cell('late part').waitFor({ state: 'detached' });
    await table.waitForText(/^Row 1 of 1$/);
    await table.frame.getByRole('button', { name: /^Clear Filter/ }).click();
    await table.cell('part 00002').waitFor();
  },
);
