import assert from 'node:assert/strict';
import { ConflictList } from '../support/conflictList.ts';
import { OtherClient } from '../support/otherClient.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { WindowTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';
import { problemCells } from '../support/pageParts.ts';

/** A second client writes the rows that a window has pending edits of. The save reports the conflict, and the user decides. */

const settings = { 'files.autoSave': 'off' };

workbenchTest(
  'a cell, a pasted block, a filled column and many cells at once are not saved over another client’s rows without a choice',
  { settings },
  async session => {
    await using service = await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
      INSERT INTO pets VALUES (1, 'Ida', 'Ulm'), (2, 'Bo', 'Bonn'), (3, 'Cleo', 'Jena'), (4, 'Dot', 'Kiel')`);
    const other = new OtherClient(service);
    const conflicts = new ConflictList(session);
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');

    // A cell. Without a choice nothing is written, and the cell is marked.
    await table.type(0, 1, 'name', 'Iris');
    await other.execute(`UPDATE pets SET name = 'Inga' WHERE id = 1`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'Ida' · In the table now: 'Inga' · Yours: 'Iris'");
    await conflicts.cancel();
    await table.waitForText('1 row has changed in the table since you edited it. Save again to decide on it.');
    await problemCells(table.frame).first().waitFor();
    assert.deepEqual(await other.rows(), ['1 Inga Ulm', '2 Bo Bonn', '3 Cleo Jena', '4 Dot Kiel']);
    await table.button('Save Changes').click();
    await conflicts.waitFor("Before: 'Ida' · In the table now: 'Inga' · Yours: 'Iris'");
    await conflicts.choose();
    await table.waitForNoEdits();
    await table.cell('Inga').waitFor();

    // A pasted block. The cell of the conflict stays the other client's, and the rest is saved.
    await table.select(1, 1);
    await table.paste('Bea\tBerlin\nCem\tCelle');
    const preview = session.page.getByRole('dialog').filter({ hasText: 'Paste the copied block? Its size is 2 × 2.' });
    await preview.getByRole('button', { name: 'Paste', exact: true }).click();
    await table.waitForText('2 rows updated');
    await other.execute(`UPDATE pets SET town = 'Jork' WHERE id = 3`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'Jena' · In the table now: 'Jork' · Yours: 'Celle'");
    assert.deepEqual(await other.rows(), ['1 Inga Ulm', '2 Bo Bonn', '3 Cleo Jork', '4 Dot Kiel']);
    await conflicts.choose();
    await table.waitForNoEdits();
    await other.waitForRows('1 Inga Ulm', '2 Bea Berlin', '3 Cem Jork', '4 Dot Kiel');
    await table.cell('Jork').waitFor();

    // Fill down. The row that the other client has deleted loses its edits.
    await table.select(1, 2, 3);
    await table.press('Control+d');
    await table.waitForText('2 rows updated');
    await other.execute('DELETE FROM pets WHERE id = 3');
    await table.press('Control+s');
    await conflicts.waitFor('The row is no longer there. Its edits are discarded.');
    assert.deepEqual(await other.rows(), ['1 Inga Ulm', '2 Bea Berlin', '4 Dot Kiel']);
    await conflicts.choose();
    await table.waitForNoEdits();
    await other.waitForRows('1 Inga Ulm', '2 Bea Berlin', '4 Dot Berlin');
    await table.cell('Cem').waitFor({ state: 'detached' });

    // Many cells at once. The other client has stored the value in one of them already, which is not a conflict.
    await table.select(0, 1, 3);
    await table.press('Delete');
    await table.waitForText('3 rows updated');
    await other.execute(`UPDATE pets SET name = iif(id = 1, NULL, 'Bibi') WHERE id < 3`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'Bea' · In the table now: 'Bibi' · Yours: NULL");
    assert.deepEqual(await other.rows(), ['1 null Ulm', '2 Bibi Berlin', '4 Dot Berlin']);
    await conflicts.choose('2 · name');
    await table.waitForNoEdits();
    await other.waitForRows('1 null Ulm', '2 null Berlin', '4 null Berlin');
  },
);

workbenchTest(
  'a deletion, a new row and another key are not saved over another client’s rows, and the message is what the table has',
  { settings },
  async session => {
    await using service =
      await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      INSERT INTO pets VALUES (1, 'a', 'Ida'), (2, 'b', 'Bo'), (3, 'c', 'Cleo'), (4, 'd', 'Dot'), (5, 'e', 'Eve')`);
    const other = new OtherClient(service);
    const conflicts = new ConflictList(session);
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');

    // Deletions. One row has changed and stays, the other one is gone already.
    await table.select(0, 2, 2);
    await table.press('Control+Delete');
    await table.waitForText('2 rows deleted');
    await other.execute(`UPDATE pets SET name = 'Inga' WHERE id = 1`);
    await other.execute('DELETE FROM pets WHERE id = 2');
    await table.press('Control+s');
    await conflicts.waitFor(
      "Before: 'Ida' · In the table now: 'Inga' · Yours: row deleted",
      'The row is no longer there. Its edits are discarded.',
    );
    await conflicts.choose();
    await table.waitForNoEdits();
    await other.waitForRows('1 a Inga', '3 c Cleo', '4 d Dot', '5 e Eve');
    await table.cell('Inga').waitFor();
    await table.cell('Bo').waitFor({ state: 'detached' });

    // The user wants the next changed row deleted all the same.
    await table.select(1, 2);
    await table.press('Control+Delete');
    await table.waitForText('1 row deleted');
    await other.execute(`UPDATE pets SET name = 'Cora' WHERE id = 3`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'Cleo' · In the table now: 'Cora' · Yours: row deleted");
    await conflicts.choose('3 · name');
    await table.waitForNoEdits();
    await other.waitForRows('1 a Inga', '4 d Dot', '5 e Eve');
    await table.cell('Cleo').waitFor({ state: 'detached' });

    // A new row whose unique key the other client has taken, beside a changed cell: the message says what was saved.
    await table.type(1, 2, 'name', 'Dora');
    await table.press('Insert');
    await table.waitForText('1 row updated · 1 row added');
    await table.type(0, 1, 'code', 'f');
    await other.execute(`INSERT INTO pets VALUES (6, 'f', 'Fay')`);
    await table.press('Control+s');
    await table.waitForText(
      '1 row was not added: UNIQUE constraint failed: pets.code. Saved before it: 1 row updated.',
    );
    await other.waitForRows('1 a Inga', '4 d Dora', '5 e Eve', '6 f Fay');
    await table.waitForText('1 problem');
    await table.type(0, 1, 'code', 'g');
    await table.press('Control+s');
    await table.waitForNoEdits();
    await other.waitForRows('1 a Inga', '4 d Dora', '5 e Eve', '6 f Fay', '7 g null');
    await table.cell('g').waitFor();

    // Another key, which the other client has taken.
    await table.type(2, 0, 'id', '50');
    await other.execute(`INSERT INTO pets VALUES (50, 'x', 'Xena')`);
    await table.press('Control+s');
    await table.waitForText('1 row was not updated: UNIQUE constraint failed: pets.id. Nothing was saved.');
    await other.waitForRows('1 a Inga', '4 d Dora', '5 e Eve', '6 f Fay', '7 g null', '50 x Xena');
    await table.cell('Xena').waitFor();
    await table.type(2, 0, 'id', '51');
    // The row of a new key is another one now.
    await other.execute(`UPDATE pets SET id = 52 WHERE id = 5`);
    await table.press('Control+s');
    await conflicts.waitFor('The row is no longer there. Its edits are discarded.');
    await conflicts.choose();
    await table.waitForNoEdits();
    await other.waitForRows('1 a Inga', '4 d Dora', '6 f Fay', '7 g null', '50 x Xena', '52 e Eve');
  },
);
