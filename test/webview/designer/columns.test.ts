import assert from 'node:assert/strict';
import { button, designPageTest, fieldWithSuggestions, shownSql, textField } from '../../support/designPage.ts';
import { fieldHolds, showsFault } from '../../support/fieldHolds.ts';

designPageTest(
  'a new table is created as its form says, and the statement follows while the user types',
  { setup: ['CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT)'] },
  async ({ page, prompts, schemaOf, panel, refreshed }) => {
    const focused = page.locator(':focus');
    await fieldHolds(textField(page, 'Table name'), 'new_table');
    await page.getByText('1 statement creates the table.').waitFor();
    // The proposed name is selected.
    await textField(page, 'Table name').and(focused).waitFor();
    await page.keyboard.type('pets');
    await page.locator('pre', { hasText: 'CREATE TABLE pets (' }).waitFor();
    await textField(page, 'Name of id').press('Control+Enter');
    await textField(page, 'Name of column2').and(focused).waitFor();
    await page.keyboard.type('name');
    await page.keyboard.press('Tab');
    await fieldWithSuggestions(page, 'Type of name').and(focused).fill('TEXT');
    await page.getByRole('checkbox', { name: 'Not NULL of name' }).check();
    await fieldWithSuggestions(page, 'Default of name').fill("'nobody'");
    await button(page, 'Add Column').click();
    await textField(page, 'Name of column3').fill('owner');
    await fieldWithSuggestions(page, 'Type of owner').fill('INTEGER');
    await button(page, 'Details of owner').click();
    await page.getByRole('combobox', { name: 'References table' }).selectOption('owners');
    await page.getByRole('combobox', { name: 'On delete' }).selectOption('CASCADE');
    await page.getByRole('checkbox', { name: 'STRICT' }).check();
    await button(page, 'Add Index').click();
    await page.getByRole('textbox', { name: 'Index name' }).and(focused).fill('pets_owner');
    await page.getByRole('combobox', { name: 'Add Key Column… Index pets_owner' }).selectOption('owner');
    await page.getByText('2 statements create the table.').waitFor();
    assert.deepEqual(await shownSql(page), [
      "CREATE TABLE pets (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL DEFAULT 'nobody',\n  owner INTEGER REFERENCES owners ON DELETE CASCADE\n) STRICT",
      'CREATE INDEX pets_owner ON pets (owner)',
    ]);
    assert.equal(panel.title, '● New Table');
    await button(page, 'Apply…').click();
    await page.getByRole('heading', { name: 'Design pets' }).waitFor();
    await page.getByText('Nothing is changed.').waitFor();
    assert.deepEqual(
      prompts.reviews.map(({ titles }) => titles),
      [["Create the table 'pets'", "Create the index 'pets_owner'"]],
    );
    assert.deepEqual(prompts.messages, ["Applied 2 statements to 'pets'."]);
    assert.equal((await schemaOf('pets')).length, 2);
    assert.equal(panel.title, 'Design pets');
    assert.deepEqual(refreshed, ['pets']);
  },
);

const people = `CREATE TABLE people(
  id INTEGER PRIMARY KEY, first TEXT, last TEXT, age INTEGER CHECK (age > 0),
  CHECK (first <> last)
)`;

const peopleTest = (name: string, body: Parameters<typeof designPageTest>[2]): void =>
  designPageTest(name, { setup: [people, "INSERT INTO people VALUES (1, 'Ida', 'Berg', 30)"], table: 'people' }, body);

peopleTest('keys move and delete a column, the menu adds one, and the focus follows', async ({ page }) => {
  const focused = page.locator(':focus');
  const names = () =>
    page
      .getByRole('textbox', { name: /^Name of / })
      .evaluateAll(inputs => inputs.map(input => (input as HTMLInputElement).value));
  await textField(page, 'Name of age').press('Alt+ArrowUp');
  await textField(page, 'Name of age').and(focused).waitFor();
  assert.deepEqual(await names(), ['id', 'first', 'age', 'last']);
  await textField(page, 'Name of age').press('Alt+ArrowDown');
  assert.deepEqual(await names(), ['id', 'first', 'last', 'age']);
  await textField(page, 'Name of age').press('Control+Shift+K');
  await textField(page, 'Name of last').and(focused).waitFor();
  assert.deepEqual(await names(), ['id', 'first', 'last']);
  await page.getByText("Drop the column 'age' with its values").waitFor();
  await button(page, 'Actions of first').click();
  await page.getByRole('menuitem', { name: /^Add Column Below/ }).press('Enter');
  await textField(page, 'Name of column4').and(focused).waitFor();
  assert.deepEqual(await names(), ['id', 'first', 'column4', 'last']);
});

peopleTest('a column is renamed in place, and in expressions', async ({ page, query, schemaOf }) => {
  await textField(page, 'Name of first').fill('given');
  await page.locator('pre', { hasText: 'RENAME COLUMN first TO given' }).waitFor();
  await textField(page, 'Name of given').press('Tab');
  await fieldHolds(textField(page, 'Expression'), 'given <> last');
  await button(page, 'Apply…').click();
  await page.getByText('Nothing is changed.').waitFor();
  assert.deepEqual(await query('SELECT given FROM people'), [['Ida']]);
  assert.match((await schemaOf('people'))[0]!, /CHECK \(given <> last\)/);
});

peopleTest('faults are shown at their fields, and a click on a problem goes there', async ({ page }) => {
  await textField(page, 'Name of last').fill('FIRST');
  await showsFault(textField(page, 'Name of FIRST'), "Another column is named 'FIRST'.");
  assert.deepEqual(await shownSql(page), []);
  await textField(page, 'Name of FIRST').fill('last');
  const defaultValue = fieldWithSuggestions(page, 'Default of last');
  await defaultValue.fill("'not closed");
  await showsFault(defaultValue, 'SQLite cannot read this value.');
  await defaultValue.fill('1 + 1');
  await showsFault(defaultValue, 'Put the expression in parentheses: (1 + 1)');
  await defaultValue.fill('(1 + 1)');
  await page.getByText('Put the expression').first().waitFor({ state: 'hidden' });
  await defaultValue.and(page.locator(':not([aria-invalid])')).waitFor();
  await fieldWithSuggestions(page, 'Type of last').fill('TEXT, x INTEGER');
  await showsFault(fieldWithSuggestions(page, 'Type of last'), 'SQLite cannot read this type.');
  await fieldWithSuggestions(page, 'Type of last').fill('TEXT');
  await textField(page, 'Expression').fill('first <> last) OR (1');
  await showsFault(textField(page, 'Expression'), 'SQLite cannot read this expression.');
  await textField(page, 'Expression').fill('first <> last');
  await button(page, 'Add Unique Key').click();
  const keyColumn = page.getByRole('combobox', { name: 'Add Key Column… Unique key 1' });
  await showsFault(keyColumn, 'Choose at least one column.');
  await button(page, 'Choose at least one column.').click();
  await keyColumn.and(page.locator(':focus')).waitFor();
  await button(page, 'Remove Unique key 1').click();
  await page.getByRole('checkbox', { name: 'WITHOUT ROWID' }).check();
  await page.getByRole('checkbox', { name: 'Primary key of id' }).uncheck();
  await page.getByText('A table WITHOUT ROWID needs a primary key.').waitFor();
  await page.getByText('The statements follow when the problems are solved.').waitFor();
  assert.equal(await page.getByText('Nothing is changed.').count(), 0);
  assert.equal(await button(page, 'Apply…').getAttribute('aria-disabled'), 'true');
});
