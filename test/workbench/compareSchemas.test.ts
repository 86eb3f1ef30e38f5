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

workbenchTest(
  'schemas are compared in one editor, and a message says how many definitions differ',
  {},
  async session => {
    await using service = await startServiceWith(otherShop);
    await openProjectOf(session, 'Pets', service);
    await chooseFromMenu(session, 'Pets', 'Compare Schemas…');
    const found = session.notifications.filter({
      hasText: "3 tables and views differ between 'Pets' and 'Sample Shop'.",
    });
    await found.getByRole('button', { name: 'Script for Pets' }).waitFor();
    await session.editorTab('Schemas: Pets ↔ Sample Shop').waitFor();
    const code = session.page.getByRole('code');
    await code.getByText('CREATE TABLE customers').nth(1).waitFor();
    await code.getByText('CREATE VIEW order_totals').waitFor();
    await code.getByText('CREATE TABLE pets').waitFor();
    await session.screenshot('compare-schemas');
  },
);
