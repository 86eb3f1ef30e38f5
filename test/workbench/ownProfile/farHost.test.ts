import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { OtherClient } from '../../support/otherClient.ts';
import { openProjectOf, startServiceWith } from '../../support/ownProject.ts';
import { editBar } from '../../support/pageParts.ts';
import { WindowTable } from '../../support/windowTable.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** A table is edited in a window whose host is far away, as with SSH or in a Codespace. */

const oneWayMs = 125;
const betweenKeysMs = 110;

/** Delays all messages between the windows of a page and their host, once `begin` is called. Call it before the window is loaded. */
async function delayMessages(page: Page): Promise<{ begin(): void }> {
  let delayMs = 0;
  await page.routeWebSocket(/.*/, socket => {
    const server = socket.connectToServer();
    socket.onMessage(message => void setTimeout(() => server.send(message), delayMs));
    server.onMessage(message => void setTimeout(() => socket.send(message), delayMs));
  });
  return {
    begin: () => {
      delayMs = oneWayMs;
    },
  };
}

workbenchTest(
  'no key is lost with a host 250 ms away, and the text of an open field survives a killed window',
  { settings: { 'files.autoSave': 'off' }, ownProfile: {} },
  async session => {
    await using service = await startServiceWith(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO pets VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')`);
    const other = new OtherClient(service);
    const host = await delayMessages(session.page);
    await session.open();
    await openProjectOf(session, 'Pets', service);
    const table = await WindowTable.browse(session, 'pets');
    host.begin();
    await table.cellAt(0, 1).click();
    const { keyboard } = session.page;
    for (const value of ['101', '102', '103', '104']) {
      await keyboard.type(value, { delay: betweenKeysMs });
      await keyboard.press('Enter', { delay: betweenKeysMs });
    }
    await keyboard.press('Control+s');
    await table.waitForNoEdits();
    assert.deepEqual(await other.rows(), ['1 101', '2 102', '3 103', '4 104', '5 e']);

    await table.cellAt(4, 1).click();
    await keyboard.type('half', { delay: betweenKeysMs });
    await table.dirtyTab.waitFor();
    await session.crash();
    const next = await WindowTable.browseAgain(session, 'Pets', 'pets');
    // The host had the first letters, however long their messages took.
    await next
      .cellAt(4, 1)
      .getByText(/^ha?l?f?$/)
      .waitFor();
    await editBar(next.frame).getByText('1 problem', { exact: true }).waitFor();
    assert.deepEqual(await other.rows(), ['1 101', '2 102', '3 103', '4 104', '5 e']);
  },
);
