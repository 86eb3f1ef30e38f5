import assert from 'node:assert/strict';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const parcels = `CREATE TABLE parcels(id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL, size REAL, twice AS (size * 2));
  CREATE UNIQUE INDEX parcels_code ON parcels(code);
  CREATE TRIGGER parcels_log AFTER INSERT ON parcels BEGIN SELECT 1; END;
  INSERT INTO parcels(id, code, size) VALUES (7, '007', -0.0), (9223372036854775000, '1e5', 1e400);
  DELETE FROM parcels WHERE id = 1`;

workbenchTest('a table is copied to another project with its rows and indexes', {}, async session => {
  await using source = await startServiceWith(parcels);
  await using target = await startServiceWith('CREATE TABLE other(a)');
  const projects = [
    { name: 'Shop', baseUrl: source.baseUrl, projectId: source.projectId },
    { name: 'Target', baseUrl: target.baseUrl, projectId: target.projectId, protection: 'confirmWrites' },
  ];
  await session.setFolderSettings({ 'sqlProjects.projects': projects });
  await session.openView('SQL Projects');
  for (const [name, { apiKey }] of Object.entries({ Target: target, Shop: source })) {
    await session.expand(name);
    await session.treeItem(/No API key is set for this project/).click();
    await new QuickInput(session.page).enterKey(apiKey);
    await session.treeItem('Tables').first().waitFor();
  }
  await chooseFromMenu(session, 'parcels', 'Copy Table to Project…');
  const input = new QuickInput(session.page);
  await input.root.getByRole('option', { name: /Target/ }).click();
  await input.root.getByRole('option', { name: /Copy 2 rows….*into 'parcels'/ }).waitFor();
  await input.root.getByRole('option', { name: /Indexes.*parcels_code/ }).waitFor();
  await input.root.getByRole('option', { name: /Triggers.*parcels_log/ }).click();
  await input.root.getByRole('option', { name: /Triggers.*parcels_log/ }).waitFor();
  await session.screenshot('copy-dialog');
  await input.root.getByRole('option', { name: /Copy 2 rows/ }).click();
  const dialog = session.page.getByRole('dialog', { name: /Copy 2 rows into 'parcels' in Target/ });
  await dialog.getByRole('button', { name: 'Copy 2 Rows', exact: true }).click();
  await session.notifications.filter({ hasText: "Copied 2 rows into 'parcels'." }).waitFor();
  const sql = 'SELECT CAST(id AS TEXT) AS id, code, quote(size) AS size, quote(twice) AS twice FROM parcels ORDER BY 1';
  const rows = await target.query(sql);
  assert.equal(rows.length, 2);
  assert.deepEqual(rows, await source.query(sql));
  const objects = await target.query(`SELECT name FROM sqlite_schema WHERE tbl_name = 'parcels' ORDER BY name`);
  assert.deepEqual(objects.flat(), ['parcels', 'parcels_code', 'parcels_log']);
});

workbenchTest(
  'generated rows are previewed and added, and their keys continue those of the table',
  {},
  async session => {
    await using service = await startServiceWith(
      `CREATE TABLE members(id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, age INT NOT NULL CHECK (age BETWEEN 18 AND 20), plan TEXT, town TEXT);
     CREATE TABLE towns(name TEXT);
     INSERT INTO towns VALUES ('Bern'), ('Basel');
     INSERT INTO members VALUES (5, 'present@example.com', 18, NULL, NULL)`,
    );
    await openProjectOf(session, 'Shop', service);
    await chooseFromMenu(session, 'members', 'Generate Rows…');
    const input = new QuickInput(session.page);
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('tab', { name: /Preview of members/ }).waitFor();
    await results
      .getByRole('gridcell', { name: /@example\./ })
      .first()
      .waitFor();
    await input.root.getByRole('option', { name: /Number of Rows: 100/ }).click();
    await input.root.getByRole('option', { name: /(?:^| )1,000$/ }).click();
    await input.root.getByRole('option', { name: /Seed: \d+.*the same seed gives the same rows/ }).waitFor();
    await input.root.getByRole('option', { name: 'plan: automatic' }).click();
    await input.root.getByRole('option', { name: /one of a list…$/ }).click();
    await input.answer('The values, separated by commas', 'free, paid');
    await input.root.getByRole('option', { name: /plan: one of a list \(2\)/ }).waitFor();
    await input.root.getByRole('option', { name: 'town: automatic' }).click();
    await input.root.getByRole('option', { name: /from another table…$/ }).click();
    await input.root.getByRole('option', { name: 'towns' }).click();
    await input.root.getByRole('option', { name: 'name' }).click();
    await input.root.getByRole('option', { name: /town: towns\.name \(2\)/ }).waitFor();
    await results.getByRole('gridcell', { name: 'Bern' }).first().waitFor();
    await session.screenshot('generate-dialog');
    await input.root.getByRole('option', { name: /Generate 1,000 rows/ }).click();
    await session.notifications.filter({ hasText: "Added 1,000 generated rows to 'members'." }).waitFor();
    const sql = `SELECT count(*), count(DISTINCT age), max(id), group_concat(DISTINCT plan ORDER BY plan),
      group_concat(DISTINCT town ORDER BY town) FROM members`;
    assert.deepEqual(await service.query(sql), [[1001, 3, 1005, 'free,paid', 'Basel,Bern']]);
  },
);
