import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { showLog } from '../../support/extensionLog.ts';
import { testLimitMs } from '../../support/hangLimits.ts';
import { HeldImports, passOn } from '../../support/heldImports.ts';
import { openImportDialog } from '../../support/importDialog.ts';
import { keepAnswer, keepRequest } from '../../support/lostAnswers.ts';
import { openProjectOf, startServiceWith } from '../../support/ownProject.ts';
import { QuickInput } from '../../support/quickInput.ts';
import type { TestService } from '../../support/testService.ts';
import type { WorkbenchSession } from '../../support/workbench/session.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** Imports and copies that end with their extension host. Each window has a server of its own to kill. */

/** Rows for three calls. */
const rowCount = 30_000;
const codes = Array.from({ length: rowCount }, (_, id) => `${id},c${id}`);
const options = {
  ownProfile: {},
  files: { 'codes.csv': `id,code\n${codes.join('\n')}\n` },
  // Each of these tests opens three windows.
  timeoutMs: 2 * testLimitMs,
};
const tables = `CREATE TABLE codes(id INT, code TEXT);
  CREATE TABLE parcels(id INTEGER PRIMARY KEY, code TEXT, size REAL);
  INSERT INTO parcels
    WITH n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${rowCount}) SELECT id, 'p' || id, id / 2.0 FROM n`;

async function startImport(session: WorkbenchSession): Promise<void> {
  const { root } = await openImportDialog(session, 'codes', 'codes.csv');
  await root.getByRole('option', { name: /Import ~/ }).click();
}

/** Copies the table within its project. The menu of the tree offers that only some time after a reload, and the palette waits for it. */
async function startCopy(session: WorkbenchSession): Promise<void> {
  await session.runCommand('SQL Projects: Copy Table to Project…');
  const { root } = new QuickInput(session.page);
  await root
    .getByRole('option', { name: /parcels/ })
    .first()
    .click();
  await root.getByRole('option', { name: /Shop/ }).first().click();
  await root.getByRole('option', { name: /Copy 30,000 rows….*into 'parcels_copy'/ }).click();
}

/** A message of the list of messages. A message beside the list hides after some seconds. */
async function message(session: WorkbenchSession, text: string) {
  await session.runCommand('Notifications: Show Notifications');
  return session.notifications.filter({ hasText: text });
}

const runOn =
  ({ client, projectId }: TestService) =>
  async (sql: string): Promise<readonly Record<string, unknown>[]> =>
    (await client.execSql(projectId, { sql })).rows;

const codeFigures = 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM codes';
const copyDifference = `SELECT
  (SELECT count(*) FROM parcels) AS n,
  (SELECT count(*) FROM parcels_copy) AS copied,
  (SELECT count(*) FROM (SELECT * FROM parcels EXCEPT SELECT * FROM parcels_copy)) AS missing`;

const importOffer = (rows: string, unknown: string): string =>
  `The import of codes.csv into 'codes' has not ended. ${rows} are imported. ` +
  `It is not known yet whether rows ${unknown} are, too. Resume to find out.`;

workbenchTest(
  'an import and a copy continue after their extension host was killed, without losing or doubling a row',
  options,
  async session => {
    await using service = await startServiceWith(tables);
    const run = runOn(service);
    const imports = await HeldImports.start(service);
    await openProjectOf(session, 'Shop', imports.service);
    /** Has the second of the next calls for a table lose its answer. Resolves when it has arrived. */
    const cut = (table: string, isDone: boolean): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      imports.decide(table, passOn, () => (isDone ? keepAnswer(service.baseUrl, resolve) : keepRequest(resolve)));
      return promise;
    };
    const copyOffer =
      "The copy of 'parcels' of Shop into 'parcels_copy' has not ended. 10,000 rows are copied. " +
      'It is not known yet whether rows 10,001 to 20,000 are, too. Resume to find out.';

    let importCut = cut('codes', true);
    const copyCut = cut('parcels_copy', false);
    await startImport(session);
    await importCut;
    await startCopy(session);
    await copyCut;
    await session.killExtensionHosts();
    assert.deepEqual(await run(codeFigures), [{ n: 20_000, ids: 20_000 }]);
    // The row was written by the call without an answer.
    await run('DELETE FROM codes WHERE id = 15000');
    // The copy has read the first of these rows, but not the second one.
    await run("INSERT INTO parcels_copy VALUES (15000, 'p15000', 7500.0)");
    await run("UPDATE parcels SET code = 'theirs' WHERE id = 25000");
    await session.reload();

    let offer = await message(session, importOffer('10,000 rows', '10,001 to 20,000'));
    // No offer waits for the answer to another.
    await (await message(session, copyOffer)).waitFor();
    importCut = cut('codes', false);
    await offer.getByRole('button', { name: 'Resume' }).click();
    await importCut;
    await session.killExtensionHosts();
    await session.reload();

    offer = await message(session, importOffer('20,000 rows', '20,001 to 30,000'));
    await offer.getByRole('button', { name: 'Resume' }).click();
    await (await message(session, "Imported 30,000 rows into 'codes'.")).waitFor();
    assert.deepEqual(await run(codeFigures), [{ n: rowCount - 1, ids: rowCount - 1 }]);
    await (await message(session, copyOffer)).getByRole('button', { name: 'Resume' }).click();
    await (await message(session, "Copied 29,999 rows into 'parcels_copy'. 1 row was rejected.")).waitFor();
    assert.deepEqual(await run(copyDifference), [{ n: rowCount, copied: rowCount, missing: 0 }]);
  },
);

workbenchTest(
  'an import of a killed window ends by itself, and a copy continues after a reload of its window',
  options,
  async session => {
    await using service = await startServiceWith(tables);
    const run = runOn(service);
    const imports = await HeldImports.start(service);
    await openProjectOf(session, 'Shop', imports.service);
    // The extension host of a killed window still runs.
    const held = imports.hold('codes', { callsBefore: 1 });
    await startImport(session);
    await held.arrived;
    await session.crash();
    held.release();
    const isImported = async (): Promise<boolean> => (await run(codeFigures))[0]?.['n'] === rowCount;
    await waitUntil(isImported, { what: 'the rows are not imported' });
    assert.deepEqual(await run(codeFigures), [{ n: rowCount, ids: rowCount }]);

    await session.openView('SQL Projects');
    await session.treeItem('Shop').first().waitFor();
    const second = imports.hold('parcels_copy', { callsBefore: 1 });
    await startCopy(session);
    await second.arrived;
    await session.reload();
    second.release();
    const offer = await message(session, "The copy of 'parcels' of Shop into 'parcels_copy' has not ended.");
    await offer.getByRole('button', { name: 'Resume' }).click();
    await (await message(session, "Copied 30,000 rows into 'parcels_copy'.")).waitFor();
    assert.deepEqual(await run(copyDifference), [{ n: rowCount, copied: rowCount, missing: 0 }]);

    // A window that cannot look for unfinished imports says so in its log.
    const { userDataDir } = session.server;
    const folder = join(userDataDir, 'User/globalStorage/sql-project-explorer.sql-project-explorer/imports');
    await session.killExtensionHosts();
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await session.reload();
    await session.treeItem('Shop').first().waitFor();
    const lines = await showLog(session);
    await lines
      .filter({ hasText: /unfinished\simports\swere\snot\sfound/ })
      .first()
      .waitFor();
  },
);
