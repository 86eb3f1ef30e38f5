import assert from 'node:assert/strict';
import { ConflictList } from '../support/conflictList.ts';
import { OtherClient } from '../support/otherClient.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { WindowTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Rows are edited in a window, while a second client writes the same rows, and others of the table. */

const settings = { 'files.autoSave': 'off' };

workbenchTest(
  'edited and swapped keys are saved with the rows as another client left them, or nothing is written and the conflict is shown',
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

    // Swapped primary keys, also with a name that the other client changes meanwhile.
    await table.type(0, 0, 'id', '2');
    await table.type(1, 0, 'id', '1');
    await table.waitForText('2 rows updated');
    await other.execute(`UPDATE pets SET name = 'Bob' WHERE id = 2`);
    await table.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['1 b Bob', '2 a Ida', '4 d Dot', '9 i Ina', '30 c Cora']);
    await table.waitForRow(0, '1', 'b', 'Bob');
    await table.waitForRow(1, '2', 'a', 'Ida');

    // The other client gives one of the rows another key before the swap is saved.
    await table.type(0, 0, 'id', '2');
    await table.type(1, 0, 'id', '1');
    await table.waitForText('2 rows updated');
    await other.execute('UPDATE pets SET id = 20 WHERE id = 2');
    await table.press('Control+s');
    await conflicts.waitFor('The row is no longer there. Its edits are dropped.');
    assert.deepEqual(await other.rows(), ['1 b Bob', '4 d Dot', '9 i Ina', '20 a Ida', '30 c Cora']);
    await conflicts.cancel();
    await table.waitForText('1 row has changed in the table since you edited it. Save again to decide on it.');
    await table.waitForText('2 rows updated');
    assert.deepEqual(await other.rows(), ['1 b Bob', '4 d Dot', '9 i Ina', '20 a Ida', '30 c Cora']);
    await table.button('Save Changes').click();
    await conflicts.waitFor('The row is no longer there. Its edits are dropped.');
    await conflicts.choose();
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['2 b Bob', '4 d Dot', '9 i Ina', '20 a Ida', '30 c Cora']);
    await table.waitForRow(0, '2', 'b', 'Bob');
    await table.waitForRow(1, '4', 'd', 'Dot');

    // Swapped values of another unique column. One of them is the other client's by now.
    await table.type(0, 1, 'code', 'd');
    await table.type(1, 1, 'code', 'b');
    await table.waitForText('2 rows updated');
    await other.execute(`UPDATE pets SET code = 'z' WHERE id = 4`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'd' · In the table now: 'z' · Yours: 'b'");
    assert.deepEqual(await other.rows(), ['2 b Bob', '4 z Dot', '9 i Ina', '20 a Ida', '30 c Cora']);
    await conflicts.choose('4 · code');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['2 d Bob', '4 b Dot', '9 i Ina', '20 a Ida', '30 c Cora']);
    await table.waitForRow(1, '4', 'b', 'Dot');

    // The other client changes a name that is saved with the swap, and one of a row beside it.
    await table.type(0, 1, 'code', 'b');
    await table.type(1, 1, 'code', 'd');
    await table.type(1, 2, 'name', 'Dora');
    await table.type(2, 2, 'name', 'Ines');
    await table.waitForText('3 rows updated');
    await other.execute(`UPDATE pets SET name = name || '!' WHERE id IN (4, 9)`);
    await table.press('Control+s');
    await conflicts.waitFor(
      "Before: 'Dot' · In the table now: 'Dot!' · Yours: 'Dora'",
      "Before: 'Ina' · In the table now: 'Ina!' · Yours: 'Ines'",
    );
    assert.deepEqual(await other.rows(), ['2 d Bob', '4 b Dot!', '9 i Ina!', '20 a Ida', '30 c Cora']);
    await conflicts.cancel();
    await table.waitForText('2 rows have changed in the table since you edited them.');
    assert.deepEqual(await other.rows(), ['2 d Bob', '4 b Dot!', '9 i Ina!', '20 a Ida', '30 c Cora']);
    await table.button('Save Changes').click();
    await conflicts.choose('9 · name');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['2 b Bob', '4 d Dot!', '9 i Ines', '20 a Ida', '30 c Cora']);
  },
);
