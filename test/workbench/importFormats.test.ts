import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HeldImports } from '../support/heldImports.ts';
import { openImportDialog } from '../support/importDialog.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import type { QuickInput } from '../support/quickInput.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Imports while a second client writes the same rows. */

const jsonRows = (first: number): string[] => [
  `{"id":${first},"code":"007","big":9223372036854775807,"note":null,"free":"007"}`,
  `{"id":${first + 1},"code":"1e5","big":-9007199254740993,"note":"","free":"ü€😀"}`,
  `{"id":${first + 2},"code":"mine"}`,
];
const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
const csvRows = `41,007,9223372036854775807,,007\n42,1e5,-9007199254740993,"",ü€😀\n43,mine,,,\n`;
const formatFiles = {
  'items.json': `[\n${jsonRows(11).join(',\n')}\n]\n`,
  'items.ndjson': `${jsonRows(21).join('\n')}\n`,
  'items.csv': utf16(`id,code,big,note,free\n${csvRows}`),
};

/** The first column of the file's table is another one's. */
const databaseRows = `CREATE TABLE accounts(owner TEXT);
  CREATE TABLE items(id INTEGER PRIMARY KEY, code TEXT, big INTEGER, note TEXT, free);
  INSERT INTO items VALUES (31, '007', 9223372036854775807, NULL, '007'), (32, '1e5', -9007199254740993, '', 'ü€😀'),
    (33, 'mine', NULL, NULL, NULL)`;

const option = ({ root }: QuickInput, name: RegExp) => root.getByRole('option', { name }).first();

async function chooseSourceTable(input: QuickInput): Promise<void> {
  await option(input, /Table of the File: accounts/).click();
  await option(input, /^[^:]*\bitems$/).click();
  await option(input, /Table of the File: items/).waitFor();
}

async function chooseNullText(input: QuickInput): Promise<void> {
  await option(input, /Encoding: UTF-16 LE/).waitFor();
  await option(input, /NULL Text: none/).click();
  await option(input, /^[^:]*\bempty$/).click();
  await option(input, /NULL Text: empty/).waitFor();
}

interface ImportedFile {
  readonly name: string;
  readonly format: string;
  /** The id of its first row. */
  readonly first: number;
  readonly choose?: (input: QuickInput) => Promise<void>;
}

const importedFiles: readonly ImportedFile[] = [
  { name: 'items.json', format: 'JSON', first: 11 },
  { name: 'items.ndjson', format: 'NDJSON', first: 21 },
  { name: 'items.db', format: 'SQLite', first: 31, choose: chooseSourceTable },
  { name: 'items.csv', format: 'CSV', first: 41, choose: chooseNullText },
];

workbenchTest(
  'files of JSON, NDJSON, SQLite and UTF-16 keep their values exactly, and leave a row alone that another client adds during the import',
  { files: formatFiles },
  async session => {
    await using service = await startServiceWith(
      'CREATE TABLE items(id INTEGER PRIMARY KEY, code TEXT, big INTEGER, note TEXT, free)',
    );
    const run = service.query;
    using database = new DatabaseSync(join(session.folder, 'items.db'));
    database.exec(databaseRows);
    await openProjectOf(session, 'Shop', service);
    for (const { name, format, first, choose } of importedFiles) {
      const input = await openImportDialog(session, 'items', name);
      await option(input, new RegExp(`Format: ${format}`)).waitFor();
      await choose?.(input);
      const results = await session.webviewFrame('SQL Results');
      await results.getByRole('tab', { name: `Preview of ${name}` }).waitFor();
      await results.getByRole('gridcell', { name: '9223372036854775807' }).waitFor();
      await run(`INSERT INTO items(id, code) VALUES (${first + 2}, 'theirs')`);
      await option(input, /Import 3 Rows/).click();
      const message = "Imported 2 rows into 'items'. 1 row was rejected.";
      await session.notifications.filter({ hasText: message }).waitFor();
      const rows = await run(
        `SELECT id, quote(code) || ' ' || quote(big) || ' ' || quote(note) || ' ' || quote(free) AS text
         FROM items WHERE id >= ${first} ORDER BY id`,
      );
      assert.deepEqual(rows, [
        [first, `'007' 9223372036854775807 NULL '007'`],
        [first + 1, `'1e5' -9007199254740993 '' 'ü€😀'`],
        [first + 2, `'theirs' NULL NULL NULL`],
      ]);
      await session.runCommand('Notifications: Clear All Notifications');
    }
  },
);

/** More rows than two calls take. */
const stockCount = 25_000;
const stockRows = Array.from({ length: stockCount }, (_, nth) => `c${nth},${nth},m${nth}`);
const stockFiles = { 'stock.csv': `code,qty,mail\n${stockRows.join('\n')}\n` };
const stock = `CREATE TABLE stock(id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, qty INT, mail TEXT UNIQUE, note TEXT);
  INSERT INTO stock(code, qty, note) VALUES ('c5', -1, 'old'), ('c6', -1, 'old'), ('c15000', -1, 'old'), ('c15001', -1, 'old')`;

workbenchTest(
  'Insert or Update writes the rows of the file over those that another client adds, changes or deletes during the import',
  { files: stockFiles },
  async session => {
    await using service = await startServiceWith(stock);
    const run = service.query;
    const imports = await HeldImports.start(service);
    await openProjectOf(session, 'Shop', imports.service);
    const input = await openImportDialog(session, 'stock', 'stock.csv');
    await option(input, /Rows That Exist/).click();
    await option(input, /Insert or Update/).click();
    await option(input, /Key: none/).click();
    await input.root.getByRole('checkbox', { name: 'code' }).first().click();
    await input.root.getByRole('button', { name: 'OK' }).click();
    await option(input, /Key: code/).waitFor();
    const second = imports.hold('stock', { callsBefore: 1 });
    await option(input, /Import ~/).click();
    await second.arrived;
    // The first call has written c5 and c6. The second one, with c15000 and those after it, waits.
    await run("UPDATE stock SET qty = 777, note = 'theirs' WHERE code IN ('c5', 'c15000')");
    await run("DELETE FROM stock WHERE code IN ('c6', 'c15001')");
    await run("INSERT INTO stock(code, qty, mail, note) VALUES ('c15002', 777, 'their mail', 'theirs')");
    await run("INSERT INTO stock(code, qty, mail, note) VALUES ('d', 777, 'm15003', 'theirs')");
    second.release();
    const done = session.notifications.filter({ hasText: "Imported 24,999 rows into 'stock'. 1 row was rejected." });
    await done.getByRole('button', { name: 'Show Rejected Rows' }).click();
    await session.page.getByText('UNIQUE constraint failed: stock.mail').first().waitFor();
    const rows = await run(
      `SELECT code, qty, mail, note FROM stock WHERE code IN ('c5', 'c6', 'd') OR code BETWEEN 'c15000' AND 'c15003' ORDER BY code`,
    );
    assert.deepEqual(rows, [
      ['c15000', 15_000, 'm15000', 'theirs'],
      ['c15001', 15_001, 'm15001', null],
      ['c15002', 15_002, 'm15002', 'theirs'],
      ['c5', 777, 'm5', 'theirs'],
      ['d', 777, 'm15003', 'theirs'],
    ]);
    const sql = `SELECT count(*), sum(code = 'c' || qty AND mail = 'm' || qty) FROM stock`;
    // Without c6, c15003 and the changed c5, but with d and c5.
    assert.deepEqual(await run(sql), [[stockCount - 1, stockCount - 3]]);
  },
);

/** Rows for four calls. */
const codeCount = 40_000;
const codeRows = Array.from({ length: codeCount }, (_, id) => `${id},c${id}`);

workbenchTest(
  'a cancelled import keeps the rows that were sent and says their number, and Resume writes only the others',
  { files: { 'codes.csv': `id,code\n${codeRows.join('\n')}\n` } },
  async session => {
    await using service = await startServiceWith('CREATE TABLE codes(id INT, code TEXT)');
    const imports = await HeldImports.start(service);
    const figures = async (): Promise<unknown> =>
      (await service.query(`SELECT count(*), count(DISTINCT id), sum(code = 'theirs') FROM codes`)).flat();
    await openProjectOf(session, 'Shop', imports.service);
    const input = await openImportDialog(session, 'codes', 'codes.csv');
    const third = imports.hold('codes', { callsBefore: 2 });
    await option(input, /Import ~/).click();
    await third.arrived;
    const progress = session.notifications.filter({ hasText: "Importing into 'codes'" });
    await progress.getByRole('button', { name: 'Cancel' }).click();
    // The extension knows of Cancel when it answers to what comes after it.
    await session.expand('codes');
    await session.treeItem(/^code\b.*TEXT/).waitFor();
    third.release();
    const cancelled = "The import was cancelled. Imported 30,000 rows into 'codes'.";
    await session.notifications.filter({ hasText: cancelled }).waitFor();
    assert.deepEqual(await figures(), [30_000, 30_000, 0]);

    await service.query('DELETE FROM codes WHERE id = 5');
    await service.query(`UPDATE codes SET code = 'theirs' WHERE id = 6`);
    await session.runCommand('Notifications: Show Notifications');
    const offer = session.notifications.filter({ hasText: cancelled });
    await offer.getByRole('button', { name: 'Resume' }).click();
    const done = session.notifications.filter({ hasText: "Imported 40,000 rows into 'codes'." });
    await done.getByRole('button', { name: 'Browse Table' }).waitFor();
    assert.deepEqual(await figures(), [codeCount - 1, codeCount - 1, 1]);
  },
);
