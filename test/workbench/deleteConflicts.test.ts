import { ConflictList } from '../support/conflictList.ts';
import { OtherClient } from '../support/otherClient.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { WindowTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** A second client writes the rows that a window has pending edits of. The save reports the conflict, and the user decides. */

const settings = { 'files.autoSave': 'off' };

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
    await table.waitForText('2 rows to delete');
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
    await table.waitForText('1 row to delete');
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
    await table.waitForText('1 row to update · 1 row to add');
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
