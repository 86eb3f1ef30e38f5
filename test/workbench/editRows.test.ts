import assert from 'node:assert/strict';
import { ConflictList } from '../support/conflictList.ts';
import { OtherClient } from '../support/otherClient.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { goToTableRow, WindowTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Rows are edited in a window, while a second client writes the same rows, and others of the table. */

const settings = { 'files.autoSave': 'off' };

workbenchTest(
  'edited keys and keys that rows pass on are saved with the rows as another client left them, or nothing is written and the conflict is shown',
  { settings },
  async session => {
    await using service =
      await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT);
      INSERT INTO pets VALUES (1, 'a', 'Ida'), (2, 'b', 'Bo'), (3, 'c', 'Cleo'), (4, 'd', 'Dot')`);
    const other = new OtherClient(service);
    const conflicts = new ConflictList(session);
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');

    // Another key. The other client's name stays with its row.
    await table.type(2, 0, 'id', '30');
    await other.execute(`UPDATE pets SET name = 'Cora' WHERE id = 3`);
    await other.execute(`INSERT INTO pets VALUES (9, 'i', 'Ina')`);
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['1 a Ida', '2 b Bo', '4 d Dot', '9 i Ina', '30 c Cora']);
    await table.waitForRow(4, '30', 'c', 'Cora');

    // A row takes the key that another one leaves, also with a name that the other client has changed.
    await table.type(0, 0, 'id', '2');
    await table.type(1, 0, 'id', '3');
    await table.waitForText('2 rows to update');
    await other.execute(`UPDATE pets SET name = 'Bob' WHERE id = 2`);
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['2 a Ida', '3 b Bob', '4 d Dot', '9 i Ina', '30 c Cora']);
    await table.waitForRow(0, '2', 'a', 'Ida');
    await table.waitForRow(1, '3', 'b', 'Bob');

    // The other client gives one of the rows another key before both are saved.
    await table.type(0, 0, 'id', '3');
    await table.type(1, 0, 'id', '5');
    await table.waitForText('2 rows to update');
    await other.execute('UPDATE pets SET id = 20 WHERE id = 3');
    await table.press('Control+s');
    await conflicts.waitFor('The row is no longer there. Its edits are discarded.');
    assert.deepEqual(await other.rows(), ['2 a Ida', '4 d Dot', '9 i Ina', '20 b Bob', '30 c Cora']);
    await conflicts.cancel();
    await table.waitForText('1 row has changed in the table since you edited it. Save again to decide on it.');
    await table.waitForText('2 rows to update');
    assert.deepEqual(await other.rows(), ['2 a Ida', '4 d Dot', '9 i Ina', '20 b Bob', '30 c Cora']);
    await table.button('Save Changes').click();
    await conflicts.waitFor('The row is no longer there. Its edits are discarded.');
    await conflicts.choose();
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['3 a Ida', '4 d Dot', '9 i Ina', '20 b Bob', '30 c Cora']);
    await table.waitForRow(0, '3', 'a', 'Ida');
    await table.waitForRow(1, '4', 'd', 'Dot');

    // Values of another unique column. One of them is the other client's now.
    await table.type(0, 1, 'code', 'd');
    await table.type(1, 1, 'code', 'e');
    await table.waitForText('2 rows to update');
    await other.execute(`UPDATE pets SET code = 'z' WHERE id = 4`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'd' · In the table now: 'z' · Yours: 'e'");
    assert.deepEqual(await other.rows(), ['3 a Ida', '4 z Dot', '9 i Ina', '20 b Bob', '30 c Cora']);
    await conflicts.choose('4 · code');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['3 d Ida', '4 e Dot', '9 i Ina', '20 b Bob', '30 c Cora']);
    await table.waitForRow(1, '4', 'e', 'Dot');

    // The other client changes a name that is saved with a key, and one of a row beside it.
    await table.type(0, 1, 'code', 'e');
    await table.type(1, 1, 'code', 'f');
    await table.type(1, 2, 'name', 'Dora');
    await table.type(2, 2, 'name', 'Ines');
    await table.waitForText('3 rows to update');
    await other.execute(`UPDATE pets SET name = name || '!' WHERE id IN (4, 9)`);
    await table.press('Control+s');
    await conflicts.waitFor(
      "Before: 'Dot' · In the table now: 'Dot!' · Yours: 'Dora'",
      "Before: 'Ina' · In the table now: 'Ina!' · Yours: 'Ines'",
    );
    assert.deepEqual(await other.rows(), ['3 d Ida', '4 e Dot!', '9 i Ina!', '20 b Bob', '30 c Cora']);
    await conflicts.cancel();
    await table.waitForText('2 rows have changed in the table since you edited them.');
    assert.deepEqual(await other.rows(), ['3 d Ida', '4 e Dot!', '9 i Ina!', '20 b Bob', '30 c Cora']);
    await table.button('Save Changes').click();
    await conflicts.choose('9 · name');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['3 e Ida', '4 f Dot!', '9 i Ines', '20 b Bob', '30 c Cora']);
  },
);

workbenchTest(
  'duplicated rows get keys that are free when they are saved, and the values that their rows had',
  { settings },
  async session => {
    await using service =
      await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT, photo BLOB, note TEXT DEFAULT 'new');
      INSERT INTO pets VALUES (1, NULL, 'Ida', x'00ff', '007'), (2, NULL, 'Bo', NULL, ''), (3, 'c', 'Cleo', NULL, NULL)`);
    const other = new OtherClient(
      service,
      'SELECT id, quote(code), quote(name), quote(photo), quote(note) FROM pets ORDER BY id',
    );
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');
    const before = [`1 NULL 'Ida' X'00FF' '007'`, `2 NULL 'Bo' NULL ''`, `3 'c' 'Cleo' NULL NULL`];

    // By the keys. A pending value is copied too.
    await table.type(0, 2, 'name', 'Iris');
    await table.select(0, 2, 2);
    await table.press('Control+Shift+d');
    await table.waitForText('1 row to update · 2 rows to add');
    await table.waitForRow(0, 'default', 'NULL', 'Bo', 'NULL', '');
    await table.waitForRow(1, 'default', 'NULL', 'Iris', 'BLOB 2 B 00 FF', '007');
    await table.waitForRow(2, '1', 'NULL', 'Iris', 'BLOB 2 B 00 FF', '007');
    assert.deepEqual(await other.rows(), before);
    // The other client takes the next key, and changes a row that was copied.
    await other.execute(`INSERT INTO pets VALUES (4, NULL, 'Dot', NULL, NULL)`);
    await other.execute(`UPDATE pets SET name = 'Bob', note = 'theirs' WHERE id = 2`);
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), [
      `1 NULL 'Iris' X'00FF' '007'`,
      `2 NULL 'Bob' NULL 'theirs'`,
      `3 'c' 'Cleo' NULL NULL`,
      `4 NULL 'Dot' NULL NULL`,
      `5 NULL 'Iris' X'00FF' '007'`,
      `6 NULL 'Bo' NULL ''`,
    ]);
    await table.waitForRow(5, '6', 'NULL', 'Bo', 'NULL', '');

    // VS Code's command for these keys would show another view.
    assert.ok(await session.treeItem('pets').isVisible());

    // By the menu. The copy has the unique code of its row until it gets another one.
    await table.cellAt(2, 1).click({ button: 'right' });
    await table.frame.getByRole('menuitem', { name: 'Duplicate Rows' }).click();
    await table.waitForText('1 row to add');
    await other.execute(`UPDATE pets SET name = 'Cora' WHERE id = 3`);
    await table.press('Control+s');
    await table.waitForText('1 row was not added: UNIQUE constraint failed: pets.code. Nothing was saved.');
    assert.deepEqual((await other.rows()).slice(2, 3), [`3 'c' 'Cora' NULL NULL`]);
    await table.type(0, 1, 'code', 'd');
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(
      (await other.rows()).filter(row => row.includes(`'C`)),
      [`3 'c' 'Cora' NULL NULL`, `7 'd' 'Cleo' NULL NULL`],
    );
  },
);

workbenchTest(
  'pending edits stay through refresh, sort, filter and scrolling while another client writes, and only edited cells are saved',
  { settings },
  async session => {
    const parts = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
      INSERT INTO pets WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 3000)
        SELECT i, 'pet ' || i, 'town ' || i FROM i`;
    await using service = await startServiceWith(parts);
    const other = new OtherClient(
      service,
      `SELECT * FROM pets WHERE id < 5 OR id > 2999 OR name NOT LIKE 'pet %' OR town NOT LIKE 'town %' ORDER BY id`,
    );
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');
    await table.type(0, 1, 'name', 'Ida');
    await table.type(2, 2, 'town', 'Ulm');
    await table.waitForText('2 rows to update');

    // Refresh. The other client's row comes first, and its values are beside the pending ones.
    await other.execute(`INSERT INTO pets VALUES (0, 'Nora', 'Bonn')`);
    await other.execute(`UPDATE pets SET town = 'Kiel' WHERE id = 1`);
    await other.execute(`UPDATE pets SET name = 'Cem' WHERE id = 3`);
    await table.button('Refresh').click();
    await table.waitForRow(0, '0', 'Nora', 'Bonn');
    await table.waitForRow(1, '1', 'Ida', 'Kiel');
    await table.waitForRow(2, '2', 'pet 2', 'town 2');
    await table.waitForRow(3, '3', 'Cem', 'Ulm');

    // Far away, and back. An edit there is one more.
    await goToTableRow(session, '3001');
    await table.waitForRow(3000, '3000', 'pet 3000', 'town 3000');
    await table.type(3000, 1, 'name', 'Zoe');
    await table.waitForText('3 rows to update');
    await table.press('Control+Home');
    await table.waitForRow(1, '1', 'Ida', 'Kiel');
    await table.waitForRow(3, '3', 'Cem', 'Ulm');

    // Sorted, the last row is the first.
    const header = table.frame.getByRole('columnheader', { name: 'id' });
    await header.click();
    await table.waitForText('sorted by id');
    await header.click();
    await table.waitForRow(0, '3000', 'Zoe', 'town 3000');
    await other.execute(`INSERT INTO pets VALUES (3001, 'Otto', 'Jena')`);
    await table.button('Refresh').click();
    await table.waitForRow(0, '3001', 'Otto', 'Jena');
    await table.waitForRow(1, '3000', 'Zoe', 'town 3000');
    await table.waitForText('3 rows to update');

    // Filtered by a value that the other client has written. The hidden rows stay edited.
    await table.cellAt(0, 1).click();
    await table.press('Alt+ArrowDown');
    await table.frame.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
    await table.frame.getByRole('textbox', { name: 'Value', exact: true }).fill('Cem');
    await table.press('Enter');
    await table.waitForRow(0, '3', 'Cem', 'Ulm');
    await table.waitForText('3 rows to update');
    assert.equal(await table.cell('Zoe').count(), 0);
    assert.deepEqual(await other.rows(), [
      '0 Nora Bonn',
      '1 pet 1 Kiel',
      '2 pet 2 town 2',
      '3 Cem town 3',
      '4 pet 4 town 4',
      '3000 pet 3000 town 3000',
      '3001 Otto Jena',
    ]);

    // The save writes the edited cells, also those of hidden rows, and no others.
    await other.execute(`UPDATE pets SET town = 'Lehe' WHERE id IN (2, 3000)`);
    await table.cellAt(0, 1).click();
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), [
      '0 Nora Bonn',
      '1 Ida Kiel',
      '2 pet 2 Lehe',
      '3 Cem Ulm',
      '4 pet 4 town 4',
      '3000 Zoe Lehe',
      '3001 Otto Jena',
    ]);
    await table.frame
      .getByRole('button', { name: /^Clear Filter|^Remove/ })
      .first()
      .click();
    await table.waitForRow(1, '3000', 'Zoe', 'Lehe');
  },
);

workbenchTest(
  'Tab, Escape and a loss of the focus keep a value, and NULL, an empty text, the default and 007 are distinguished',
  { settings },
  async session => {
    await using service =
      await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, note TEXT DEFAULT '007');
      INSERT INTO pets VALUES (1, NULL, ''), (2, '', NULL), (3, 'NULL', 'c'), (4, 'Dot', 'd'), (5, '7', 'e')`);
    const other = new OtherClient(service, 'SELECT id, quote(name), quote(note) FROM pets ORDER BY id');
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');
    const field = table.frame.getByRole('textbox', { name: 'Edit name', exact: true });
    const open = async (row: number): Promise<void> => {
      await table.cellAt(row, 1).click();
      await table.press('F2');
      await field.waitFor();
    };
    const descriptions = (column: number): Promise<(string | null)[]> =>
      Promise.all([0, 1, 2].map(row => table.cellAt(row, column).getAttribute('aria-description')));
    assert.deepEqual(await descriptions(1), ['no value', '(empty)', null]);

    // Nobody types.
    for (const row of [0, 1]) {
      for (const key of ['Tab', 'Shift+Tab', 'Escape', 'Enter']) {
        await open(row);
        await table.press(key);
        await field.waitFor({ state: 'detached' });
      }
      await open(row);
      await session.treeItem('Views').click();
      await field.waitFor({ state: 'detached' });
      await open(row);
      await table.cellAt(3, 2).click();
      await field.waitFor({ state: 'detached' });
    }
    // Escape gives up what was typed. A loss of the focus takes it.
    await open(3);
    await field.fill('Dora');
    await table.press('Escape');
    await field.waitFor({ state: 'detached' });
    await table.cell('Dot').waitFor();
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
    await open(3);
    await field.fill('Doris');
    await session.treeItem('Views').click();
    await table.cell('Doris').waitFor();
    await table.waitForText('1 row to update');

    // The other client writes the same rows.
    await other.execute(`UPDATE pets SET note = 'theirs' WHERE id IN (4, 5)`);
    await table.type(4, 1, 'name', '007');
    for (const [row, key] of ['Delete', 'Backspace', 'Shift+Delete'].entries()) {
      await table.cellAt(row, 2).click();
      await table.press(key);
    }
    await table.waitForText('5 rows to update');
    await table.waitForRow(2, '3', 'NULL', '007');
    assert.deepEqual(await descriptions(2), ['no value', '(empty)', null]);
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), [
      `1 NULL NULL`,
      `2 '' ''`,
      `3 'NULL' '007'`,
      `4 'Doris' 'theirs'`,
      `5 '007' 'theirs'`,
    ]);
  },
);
