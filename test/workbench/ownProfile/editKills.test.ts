import assert from 'node:assert/strict';
import { testLimitMs } from '../../support/hangLimits.ts';
import { keepAnswer } from '../../support/lostAnswers.ts';
import { openProjectOf, startServiceWith } from '../../support/ownProject.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import type { Answer } from '../../support/scriptedServer.ts';
import type { TestService } from '../../support/testService.ts';
import { WindowTable } from '../../support/windowTable.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** Windows whose extension host or page is killed while a table has pending edits. Each has a server of its own to kill. */

const options = {
  ownProfile: { settings: { 'files.autoSave': 'off' } },
  // Each of these tests opens three windows.
  timeoutMs: 2 * testLimitMs,
};
const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
  INSERT INTO pets(name) VALUES ('Ida'), ('Bo'), ('Cleo'), ('Dot')`;

const rowsIn = async ({ query }: TestService): Promise<unknown[]> =>
  (await query(`SELECT id || ' ' || name FROM pets ORDER BY id`)).flat();

workbenchTest(
  'pending edits survive a killed extension host, a killed window and an undo in between',
  options,
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const { keyboard } = session.page;
    let table = await WindowTable.browse(session, 'pets');
    await table.type(0, 1, 'name', 'Iris');
    await table.press('Insert');
    await table.waitForText('1 row to update · 1 row to add');
    await table.type(0, 1, 'name', 'New');
    await table.type(2, 1, 'name', 'Bella');
    await session.killExtensionHosts();
    await session.reload();

    table = await WindowTable.shown(session, 'pets');
    await table.waitForText('2 rows to update · 1 row to add');
    await table.dirtyTab.waitFor();
    for (const name of ['New', 'Iris', 'Bella']) await table.cell(name).waitFor();
    // VS Code does not know of the restored edits. Undo takes back later ones only, and Redo makes them again.
    await table.type(3, 1, 'name', 'Cora');
    await keyboard.press('Control+z');
    await table.cell('Cleo').waitFor();
    await table.waitForText('2 rows to update · 1 row to add');
    await table.dirtyTab.waitFor();
    await keyboard.press('Control+Shift+z');
    await table.cell('Cora').waitFor();
    await keyboard.press('Control+z');
    await table.cell('Cleo').waitFor();
    // Its draft is on the disk when the next edit is.
    await table.type(4, 1, 'name', 'Dora');
    await session.killExtensionHosts();
    await session.crash();

    table = await WindowTable.browseAgain(session, 'Pets', 'pets');
    await table.waitForText('3 rows to update · 1 row to add');
    await table.dirtyTab.waitFor();
    for (const name of ['New', 'Iris', 'Bella', 'Cleo', 'Dora']) await table.cell(name).waitFor();
    assert.deepEqual(await rowsIn(service), ['1 Ida', '2 Bo', '3 Cleo', '4 Dot']);
  },
);

workbenchTest(
  'pending edits move to the next window of one that was killed, and saved ones are not pending in the one after it',
  options,
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    let table = await WindowTable.browse(session, 'pets');
    await table.type(0, 1, 'name', 'Iris');
    await table.type(1, 1, 'name', 'Bella');
    await session.page.keyboard.press('Control+z');
    await table.cell('Bo').waitFor();
    // The extension host of the killed window still runs, and gives the edits to the next one.
    await session.crash();
    table = await WindowTable.browseAgain(session, 'Pets', 'pets');
    await table.waitForText('1 row to update');
    await table.dirtyTab.waitFor();
    for (const name of ['Iris', 'Bo']) await table.cell(name).waitFor();
    assert.deepEqual(await rowsIn(service), ['1 Ida', '2 Bo', '3 Cleo', '4 Dot']);
    await table.cellAt(0, 1).click();
    await table.press('Control+s');
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot']);
    // VS Code may have a backup of the edits still, or restore the mark of the tab alone.
    await session.crash();
    table = await WindowTable.browseAgain(session, 'Pets', 'pets');
    await table.cell('Iris').waitFor();
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'a save whose window is killed has an unknown outcome, Check Outcome shows it, and nothing is saved twice',
  options,
  async session => {
    await using service = await startServiceWith(pets);
    /** The fates of the next writes, in order. */
    const answers: Answer[] = [];
    let arrived = Promise.withResolvers<void>();
    const proxy = await startRefusingProxy(service.baseUrl, request =>
      request.headers['x-idempotency-key'] === undefined ? undefined : answers.shift(),
    );
    const neverAnswer: Answer = () => arrived.resolve();
    const answerNobody = keepAnswer(service.baseUrl, () => arrived.resolve());
    const saveAndKill = async (table: WindowTable, ...next: readonly Answer[]): Promise<void> => {
      answers.push(...next);
      arrived = Promise.withResolvers<void>();
      await table.press('Control+s');
      await arrived.promise;
      await session.killExtensionHosts();
      answers.length = 0;
    };
    const unknown = 'The last save was interrupted. It is unknown whether the changes were saved.';
    const message = (text: string) => session.notifications.filter({ hasText: text });
    await openProjectOf(session, 'Pets', { ...service, baseUrl: proxy.baseUrl });
    let table = await WindowTable.browse(session, 'pets');

    // The first of two statements was done.
    await table.type(0, 1, 'name', 'Iris');
    await table.press('Insert');
    await table.waitForText('1 row to update · 1 row to add');
    await table.type(0, 1, 'name', 'New');
    await saveAndKill(table, answerNobody);
    await session.reload();
    table = await WindowTable.shown(session, 'pets');
    await table.waitForText(unknown);
    await table.dirtyTab.waitFor();
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot']);
    await table.button('Check Outcome').click();
    await message('The last save had been done: 1 row updated. The other changes are pending.').waitFor();
    await table.waitForText('1 row to add');
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot']);

    // The second one, too, but the window was killed with its extension host.
    await saveAndKill(table, answerNobody);
    await session.crash();
    table = await WindowTable.browseAgain(session, 'Pets', 'pets');
    await table.waitForText(unknown);
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot', '5 New']);
    // A save continues with the statement that was sent, and the service does it once.
    await table.cellAt(0, 1).click();
    await table.press('Control+s');
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot', '5 New']);

    // The statement did not reach the service.
    await table.type(1, 1, 'name', 'Bella');
    await saveAndKill(table, neverAnswer);
    await session.reload();
    table = await WindowTable.shown(session, 'pets');
    await table.waitForText(unknown);
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bo', '3 Cleo', '4 Dot', '5 New']);
    await table.button('Check Outcome').click();
    await message('The last save is done: 1 row updated.').waitFor();
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
    assert.deepEqual(await rowsIn(service), ['1 Iris', '2 Bella', '3 Cleo', '4 Dot', '5 New']);
  },
);
