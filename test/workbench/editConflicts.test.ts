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
    await table.waitForText('2 rows to update');
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
    await table.waitForText('2 rows to update');
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
    await table.waitForText('3 rows to update');
    await other.execute(`UPDATE pets SET name = iif(id = 1, NULL, 'Bibi') WHERE id < 3`);
    await table.press('Control+s');
    await conflicts.waitFor("Before: 'Bea' · In the table now: 'Bibi' · Yours: NULL");
    assert.deepEqual(await other.rows(), ['1 null Ulm', '2 Bibi Berlin', '4 Dot Berlin']);
    await conflicts.choose('2 · name');
    await table.waitForNoEdits();
    await other.waitForRows('1 null Ulm', '2 null Berlin', '4 null Berlin');
  },
);
