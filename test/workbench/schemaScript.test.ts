import assert from 'node:assert/strict';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** A shop like the sample, with the columns of customers in another order. */
const otherShop = `
  CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT);
  DROP VIEW order_totals;
  ALTER TABLE customers RENAME COLUMN note TO text;
  ALTER TABLE customers ADD COLUMN note TEXT;
  UPDATE customers SET note = text;
  ALTER TABLE customers DROP COLUMN text`;

workbenchTest('a script makes schemas equal once the user runs it, and keeps the rows', {}, async session => {
  await using service = await startServiceWith(otherShop);
  const run = service.query;
  const rows = `SELECT (SELECT json_group_array(json_array(id, email, note)) FROM customers), (SELECT count(*) FROM orders),
    (SELECT count(*) FROM order_lines), (SELECT count(*) FROM reviews)`;
  const before = await run(rows);
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'Pets', 'Write Migration Script…');
  await session.page.getByRole('code').getByText("-- This script gives 'Pets' the schema of 'Sample Shop'.").waitFor();
  await session.screenshot('migration-script');
  // Nothing has run yet.
  assert.equal((await run(`SELECT 1 FROM sqlite_schema WHERE name = 'order_totals'`)).length, 0);

  await session.waitForEditorFocus();
  await session.runCommand('SQL Projects: Run All Statements');
  const question = session.page.getByRole('dialog').filter({ hasText: /Run \d+ statements in Pets/ });
  await question.getByRole('button', { name: /^Run \d+ Statements$/ }).click();
  await session.notifications.filter({ hasText: /statements: \d+ succeeded · / }).waitFor();
  // The script leaves it to the user to drop what only this project has.
  assert.deepEqual(await run(rows), before);
  assert.equal((await run('SELECT count(*) FROM order_totals')).length, 1);
  await run('DROP TABLE pets');
  await chooseFromMenu(session, 'Pets', 'Compare Schemas…');
  await session.notifications.filter({ hasText: "The schemas of 'Pets' and 'Sample Shop' are equal." }).waitFor();
});
