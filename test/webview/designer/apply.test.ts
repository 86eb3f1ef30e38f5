import assert from 'node:assert/strict';
import { button, designPageTest, fieldWithSuggestions, shownSql, textField } from '../../support/designPage.ts';
import { fieldHolds } from '../../support/fieldHolds.ts';
import type { TestPanel } from '../../support/recordedBrowsingHost.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const pets = 'CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, weight TEXT)';
const rows = "INSERT INTO pets VALUES (1, 'Ida', '3.5'), (2, NULL, '4'), (3, NULL, 'heavy')";
const petsIndex = 'CREATE INDEX pets_name ON pets(name)';

const petsTest = (name: string, body: Parameters<typeof designPageTest>[2]): void =>
  designPageTest(name, { setup: [pets, petsIndex, rows], table: 'pets' }, body);

petsTest('a change that ALTER cannot make keeps rows and indexes', async ({ page, prompts, query, schemaOf }) => {
  await fieldWithSuggestions(page, 'Type of weight').fill('REAL');
  await page.getByText('SQLite cannot make this change in place.').waitFor();
  await button(page, 'Apply…').click();
  await page.getByText('Nothing is changed.').waitFor();
  assert.deepEqual(await query('SELECT id, name, weight, typeof(weight) FROM pets'), [
    [1, 'Ida', 3.5, 'real'],
    [2, null, 4, 'real'],
    [3, null, 'heavy', 'text'],
  ]);
  assert.equal((await schemaOf('pets')).length, 2, 'nothing is left of the rebuild');
  assert.deepEqual(
    prompts.reviews.map(({ isRisky, warnings }) => [
      isRisky,
      warnings.some(text => text.includes('It concerns 2 rows.')),
    ]),
    [[true, true]],
  );
});

petsTest('the tab takes the focus back once, when the review is answered', async ({ page, prompts, panel }) => {
  await textField(page, 'Name of name').fill('called');
  await page.locator('pre', { hasText: 'RENAME COLUMN name TO called' }).waitFor();
  const revealCounts: number[] = [];
  prompts.onReview = () => Promise.resolve(void revealCounts.push(panel.revealCount));
  prompts.onSend = () => revealCounts.push(panel.revealCount);
  await button(page, 'Apply…').click();
  await page.getByText('Nothing is changed.').waitFor();
  assert.deepEqual([...revealCounts, panel.revealCount], [0, 1, 1]);
});

petsTest('a failed rebuild leaves the table, and says what ran', async ({ page, prompts, query, schemaOf }) => {
  const before = await schemaOf('pets');
  await page.getByRole('checkbox', { name: 'Not NULL of name' }).check();
  await page.getByText('rebuild the table').waitFor();
  const count = (await shownSql(page)).length;
  await button(page, 'Apply…').click();
  const notice = page.getByRole('alert').filter({ hasText: /^Statement \d+ of \d+ failed/ });
  await notice.waitFor();
  const [, failed, all] = /^Statement (\d+) of (\d+) failed/.exec(await notice.innerText())!;
  assert.equal(Number(all), count);
  assert.match(await notice.innerText(), /NOT NULL constraint failed/);
  assert.match(await notice.innerText(), /Undone: statements 1 to \d+\. The table is as it was\./);
  assert.match(await notice.innerText(), new RegExp(`Not sent: statements ${Number(failed) + 1} to ${count}\\.`));
  assert.ok(prompts.reviews[0]!.warnings.some(text => /no value for 'name'.*It concerns 2 rows\./.test(text)));
  assert.deepEqual(await schemaOf('pets'), before);
  await query("INSERT INTO pets VALUES (4, 'Bo', '1')");
  assert.deepEqual(await query('SELECT count(*) FROM pets'), [[4]]);
  // The form still has the change, to be corrected and applied again.
  await query("UPDATE pets SET name = '' WHERE name IS NULL");
  await button(page, 'Apply…').click();
  await page.getByText('Nothing is changed.').waitFor();
  await notice.waitFor({ state: 'hidden' });
  assert.match((await schemaOf('pets'))[0]!, /name TEXT NOT NULL/);
});

petsTest(
  'a rebuild that fails and cannot be undone at once says what stays, and Undo Statements continues',
  async ({ page, prompts, query, schemaOf, refuse }) => {
    const before = await schemaOf('pets');
    await page.getByRole('checkbox', { name: 'Not NULL of name' }).check();
    await page.getByText('rebuild the table').waitFor();
    refuse(/^DROP TRIGGER sqlproject_lock_update/);
    await button(page, 'Apply…').click();
    const notice = page.getByRole('alert').filter({ hasText: 'Statement 2 could not be undone.' });
    await notice.filter({ hasText: 'Run, with changes that stay: statements 1 to 2.' }).waitFor();
    assert.equal(await button(page, 'Continue').count(), 0);
    await assert.rejects(query("INSERT INTO pets VALUES (4, 'Bo', '1')"), /being rebuilt/);
    await button(page, 'Undo Statements').click();
    await notice.waitFor({ state: 'hidden' });
    await page.getByText('Not applied', { exact: true }).waitFor();
    assert.deepEqual(
      prompts.undone.map(statements => statements.length),
      [2],
    );
    assert.deepEqual(await schemaOf('pets'), before);
    await query("INSERT INTO pets VALUES (4, 'Bo', '1')");
  },
);

designPageTest(
  'after a failure, the statements that have run can be undone',
  { setup: [pets, rows], table: 'pets' },
  async ({ page, prompts, query }) => {
    await button(page, 'Add Column').click();
    await textField(page, 'Name of column4').fill('color');
    await button(page, 'Add Index').click();
    await page.getByRole('combobox', { name: /^Add Key Column… Index/ }).selectOption('name');
    await page.getByRole('combobox', { name: 'Add Key Column… Index pets_index' }).selectOption('color');
    await page.getByRole('checkbox', { name: 'Unique', exact: true }).check();
    await page.getByText('2 statements change the table in place.').waitFor();
    // Both rows without a name get one and no color, so that no index can distinguish them.
    await query("UPDATE pets SET name = 'Bo' WHERE id > 1");
    await fieldWithSuggestions(page, 'Default of color').fill("'brown'");
    await page.locator('pre', { hasText: "DEFAULT 'brown'" }).waitFor();
    await button(page, 'Apply…').click();
    const notice = page.getByRole('alert').filter({ hasText: 'Statement 2 of 2 failed' });
    await notice.filter({ hasText: 'Run, with changes that stay: statement 1.' }).waitFor();
    assert.deepEqual(await query("SELECT name FROM pragma_table_info('pets')"), [
      ['id'],
      ['name'],
      ['weight'],
      ['color'],
    ]);
    // Only the index is left to do.
    await page.getByText('1 statement changes the table in place.').waitFor();
    await button(page, 'Undo Statements').click();
    await notice.waitFor({ state: 'hidden' });
    await page.getByText('Not applied', { exact: true }).waitFor();
    assert.equal(prompts.undone.length, 1);
    assert.deepEqual(await query("SELECT name FROM pragma_table_info('pets')"), [['id'], ['name'], ['weight']]);
    await page.getByText('2 statements change the table in place.').waitFor();
  },
);

petsTest('a statement without answer runs once, and Continue sends the rest', async ({ page, query, loseAnswer }) => {
  await button(page, 'Add Column').click();
  await textField(page, 'Name of column4').fill('color');
  await button(page, 'Add Column').click();
  await textField(page, 'Name of column5').fill('age');
  await page.getByText('2 statements change the table in place.').waitFor();
  loseAnswer(/ADD COLUMN color/);
  await button(page, 'Apply…').click();
  const notice = page.getByRole('alert').filter({ hasText: 'it is unknown whether it ran' });
  await notice.filter({ hasText: 'Not sent: statement 2.' }).waitFor();
  assert.equal(await button(page, 'Undo Statements').count(), 0);
  await button(page, 'Continue').click();
  await notice.waitFor({ state: 'hidden' });
  await page.getByText('Nothing is changed.').waitFor();
  assert.deepEqual((await query("SELECT name FROM pragma_table_info('pets')")).flat(), [
    'id',
    'name',
    'weight',
    'color',
    'age',
  ]);
});

designPageTest(
  'a table that somebody else has changed is not touched, and the edits can be kept for its new form',
  { setup: [pets, rows], table: 'pets' },
  async ({ page, prompts, query, schemaOf }) => {
    await textField(page, 'Name of weight').fill('kilograms');
    await page.locator('pre', { hasText: 'RENAME COLUMN weight TO kilograms' }).waitFor();
    await query('ALTER TABLE pets DROP COLUMN name');
    const changed = await schemaOf('pets');
    await button(page, 'Apply…').click();
    await page.getByRole('alert').filter({ hasText: "'pets' has changed in the project" }).waitFor();
    assert.deepEqual(await schemaOf('pets'), changed);
    assert.equal(prompts.reviews.length, 0);
    await button(page, 'Keep Changes').click();
    // The draft still has the dropped column, and renames the right one.
    await page
      .locator('pre', { hasText: 'ADD COLUMN name' })
      .or(page.locator('pre', { hasText: 'name TEXT' }))
      .first()
      .waitFor();
    assert.match((await shownSql(page)).join('\n'), /RENAME COLUMN weight TO kilograms/);
    await button(page, 'Revert').click();
    await textField(page, 'Name of name').waitFor({ state: 'detached' });
    await fieldHolds(textField(page, 'Name of weight'), 'weight');
    await page.getByText('Nothing is changed.').waitFor();
    // A change during the review counts too.
    await textField(page, 'Name of weight').fill('kilograms');
    await page.locator('pre', { hasText: 'RENAME COLUMN weight TO kilograms' }).waitFor();
    prompts.onReview = async () => void (await query('ALTER TABLE pets ADD COLUMN late'));
    await button(page, 'Apply…').click();
    await page.getByRole('alert').filter({ hasText: "'pets' has changed in the project" }).waitFor();
    assert.match((await schemaOf('pets'))[0]!, /weight TEXT, late/);
  },
);

petsTest('a read-only project takes no statement and says why', async ({ page, prompts, schemaOf, setProtection }) => {
  await button(page, 'Add Column').click();
  await page.getByText('1 statement changes the table in place.').waitFor();
  setProtection('readOnly');
  await button(page, 'Apply…').click();
  await page.getByRole('alert').filter({ hasText: "'Shop' is read-only." }).waitFor();
  assert.equal(prompts.reviews.length, 0);
  assert.equal((await schemaOf('pets'))[0], pets);
});

petsTest('edits outlive a reload of the page, and their SQL opens in an editor', async ({ page, prompts, panel }) => {
  await textField(page, 'Name of name').fill('called');
  await page.locator('pre', { hasText: 'RENAME COLUMN name TO called' }).waitFor();
  await waitUntil(() => panel.title === '● Design pets', { what: 'the tab does not show the edits' });
  await page.reload();
  await fieldHolds(textField(page, 'Name of called'), 'called');
  await page.locator('pre', { hasText: 'RENAME COLUMN name TO called' }).waitFor();
  await button(page, 'Open as SQL').click();
  await button(page, 'Revert').click();
  await fieldHolds(textField(page, 'Name of name'), 'name');
  assert.deepEqual(prompts.openedSql, ['ALTER TABLE pets RENAME COLUMN name TO called;\n']);
  await waitUntil(() => panel.title === 'Design pets', { what: 'the tab still shows edits' });
});

petsTest('a design follows its table while nothing is edited', async ({ page, query, editor }) => {
  await textField(page, 'Name of weight').waitFor();
  await query('ALTER TABLE pets ADD COLUMN color TEXT');
  await editor.session.follow();
  await textField(page, 'Name of color').waitFor();
});

petsTest(
  'typed text stays while the design follows its table, with a notice',
  async ({ page, query, editor, panel }) => {
    await textField(page, 'Name of weight').waitFor();
    await query('ALTER TABLE pets ADD COLUMN color TEXT');
    const release = holdMessages(panel);
    await editor.session.follow();
    await textField(page, 'Name of name').fill('called');
    release();
    await page.getByRole('alert').filter({ hasText: "'pets' has changed" }).waitFor();
    assert.equal(await textField(page, 'Name of called').inputValue(), 'called');
    await button(page, 'Keep Changes').click();
    await page.locator('pre', { hasText: 'RENAME COLUMN name TO called' }).waitFor();
  },
);

for (const [table, setup] of [
  ['pets', [pets]],
  [undefined, []],
] as const) {
  designPageTest(
    `what is typed while the answer of an applied ${table === undefined ? 'new table' : 'design'} comes stays`,
    { setup, ...(table !== undefined && { table }) },
    async ({ page, prompts, panel }) => {
      if (table === undefined) await textField(page, 'Table name').fill('toys');
      await button(page, 'Add Column').click();
      await page.locator('pre', { hasText: 'column' }).waitFor();
      const releases: (() => void)[] = [];
      prompts.onSend = () => releases.push(holdMessages(panel));
      await button(page, 'Apply…').click();
      await waitUntil(() => prompts.messages.length > 0, { what: 'the end of the statements' });
      const field = page.getByRole('textbox', { name: /^Name of column/ });
      await field.last().fill('price');
      for (const release of releases) release();
      await page.locator('pre', { hasText: /RENAME COLUMN \w+ TO price/ }).waitFor();
      assert.equal((await shownSql(page)).length, 1);
    },
  );
}

/** Holds what the host sends to the page, until the returned function is called. */
function holdMessages({ webview }: TestPanel): () => void {
  const post = webview.postMessage.bind(webview);
  const held: unknown[] = [];
  webview.postMessage = message => Promise.resolve(held.push(message) > 0);
  return () => {
    webview.postMessage = post;
    for (const message of held) void post(message);
  };
}
