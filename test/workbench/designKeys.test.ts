import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/* Keys, checks and indexes of a table that other clients use at the same time. designTable.test.ts has the tabs and questions. */

const pets = `
  CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO owners VALUES (1, 'Ann'), (2, 'Bob');
  CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL, owner INTEGER, note TEXT);
  CREATE INDEX pets_kind ON pets(kind);
  CREATE INDEX pets_weight ON pets(weight);
  INSERT INTO pets VALUES (1, 'Ida', 'cat', 3.5, 1, 'shy'), (2, 'Bo', 'dog', 20, 2, NULL);
  CREATE TABLE visits(pet INTEGER REFERENCES pets ON DELETE CASCADE, day TEXT);
  INSERT INTO visits VALUES (1, '2024-01-02'), (2, '2024-01-03')`;

const schemaSql =
  "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('pets', 'visits') AND sql IS NOT NULL ORDER BY type DESC, name";
const leftoverSql = "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlproject%'";

async function openDesign(session: WorkbenchSession, table: string): Promise<FrameLocator> {
  await chooseFromMenu(session, table, 'Design Table');
  return session.webviewFrame(`Design ${table}`);
}

const button = (form: FrameLocator, name: string): Locator => form.getByRole('button', { name, exact: true });

const textbox = (form: FrameLocator, name: string): Locator => form.getByRole('textbox', { name, exact: true });

/** Waits until the form shows a text in the SQL that it would send. */
const showsSql = (form: FrameLocator, text: string | RegExp): Promise<void> =>
  form.getByRole('region', { name: 'SQL to Send' }).getByText(text).first().waitFor();

const reviewOf = (session: WorkbenchSession, table: string): Locator =>
  session.page.getByRole('dialog').filter({ hasText: new RegExp(`Apply \\d+ statements to '${table}'`) });

/** Inserts pets until it is stopped, which gives the ids of those that the service has accepted. */
function startInserting(query: (sql: string) => Promise<unknown>) {
  const stopping = new AbortController();
  const accepted: number[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const insert = async (id: number): Promise<void> => {
    try {
      await query(`INSERT INTO pets(id, kind, weight, owner) VALUES (${id}, 'bird', 0.1, 1)`);
      accepted.push(id);
      begin();
    } catch (thrown) {
      assert.match(String(thrown), /is being rebuilt|no such table/);
    }
  };
  const inserting = (async () => {
    for (let id = 1000; !stopping.signal.aborted; id++) await insert(id);
    return accepted;
  })();
  const stop = (): Promise<number[]> => {
    stopping.abort();
    return inserting;
  };
  return { begun, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

workbenchTest(
  'a table gets the keys, check and indexes of its form, and keeps the rows that others insert until its rebuild ends',
  {},
  async session => {
    await using service = await startServiceWith(pets);
    const { query } = service;
    await openProjectOf(session, 'Shop', service);
    const form = await openDesign(session, 'pets');
    await textbox(form, 'Name of name').fill('called');
    await showsSql(form, 'ALTER TABLE pets RENAME COLUMN name TO called');
    await button(form, 'Actions of note').click();
    await form.getByRole('menuitem', { name: /^Delete Column/ }).press('Enter');
    await showsSql(form, 'ALTER TABLE pets DROP COLUMN note');
    await button(form, 'Remove Index pets_kind').click();
    await showsSql(form, 'DROP INDEX pets_kind');
    await button(form, 'Add Index').click();
    await form.getByRole('group', { name: 'Index pets_index' }).getByLabel('Index name').fill('pets_owner');
    await form.getByRole('combobox', { name: 'Add Key Column… Index pets_owner' }).selectOption('owner');
    await showsSql(form, 'CREATE INDEX pets_owner ON pets (owner)');
    await form.getByText('4 statements change the table in place.').waitFor();

    await button(form, 'Add Check').click();
    await textbox(form, 'Expression').fill('weight > 0');
    await showsSql(form, 'CHECK (weight > 0)');
    await button(form, 'Add Unique Key').click();
    for (const column of ['called', 'owner']) {
      await form.getByRole('combobox', { name: 'Add Key Column… Unique key 1' }).selectOption(column);
    }
    await showsSql(form, 'UNIQUE (called, owner)');
    await showsSql(form, 'If two rows have the same key (called, owner), the rebuild stops');
    await button(form, 'Add Foreign Key').click();
    const foreignKey = form.getByRole('group', { name: 'Foreign key 1' });
    await foreignKey.getByRole('combobox', { name: 'References table' }).selectOption('owners');
    await foreignKey.getByRole('combobox', { name: 'Add Key Column… Foreign key 1' }).selectOption('owner');
    await showsSql(form, 'FOREIGN KEY (owner) REFERENCES owners');
    await session.screenshot('designer-keys');

    await query(`INSERT INTO pets VALUES (3, 'Kim', 'dog', 12, 1, 'old')`);
    await button(form, 'Apply…').click();
    const review = reviewOf(session, 'pets');
    await review.getByText("The table 'visits' refers to this one and is rebuilt with it.").first().waitFor();
    await query(`INSERT INTO pets VALUES (4, 'Max', 'cat', 4, 2, NULL)`);
    await query(`INSERT INTO visits VALUES (4, '2024-01-04')`);
    await using inserting = startInserting(query);
    await inserting.begun;
    await review.getByRole('button', { name: /^Apply \d+ Statements$/ }).click();
    await form.getByText('Nothing is changed.').waitFor();
    const accepted = await inserting.stop();

    assert.deepEqual((await query(schemaSql)).flat(), [
      'CREATE TABLE "pets" (\n  id INTEGER PRIMARY KEY,\n  called TEXT,\n  kind TEXT,\n  weight REAL,\n  owner INTEGER,\n  UNIQUE (called, owner),\n  CHECK (weight > 0),\n  FOREIGN KEY (owner) REFERENCES owners\n)',
      'CREATE TABLE "visits"(pet INTEGER REFERENCES "pets" ON DELETE CASCADE, day TEXT)',
      'CREATE INDEX pets_owner ON "pets" (owner)',
      'CREATE INDEX pets_weight ON "pets"(weight)',
    ]);
    assert.deepEqual(await query(leftoverSql), []);
    assert.deepEqual(await query('SELECT * FROM pets WHERE id < 1000 ORDER BY id'), [
      [1, 'Ida', 'cat', 3.5, 1],
      [2, 'Bo', 'dog', 20, 2],
      [3, 'Kim', 'dog', 12, 1],
      [4, 'Max', 'cat', 4, 2],
    ]);
    assert.deepEqual((await query('SELECT id FROM pets WHERE id >= 1000 ORDER BY id')).flat(), accepted);
    assert.deepEqual((await query('SELECT pet FROM visits ORDER BY pet')).flat(), [1, 2, 4]);
    await assert.rejects(query("INSERT INTO pets(called, owner) VALUES ('Ida', 1)"), /UNIQUE constraint failed/);
    await assert.rejects(query('INSERT INTO pets(weight) VALUES (0)'), /CHECK constraint failed: weight > 0/);
    await assert.rejects(query('INSERT INTO pets(owner) VALUES (9)'), /FOREIGN KEY constraint failed/);
  },
);
