import assert from 'node:assert/strict';
import { alertIn, cellIn, type TablePage, tablePageTest } from '../../../support/browsedTablePage.ts';
import { select } from '../../../support/editedCells.ts';

/** Values that the user chooses outside of the page: the row of a foreign key, and a file. */

const references = [
  'DROP TABLE IF EXISTS shelves',
  'CREATE TABLE shelves(room TEXT, place INT, PRIMARY KEY (room, place))',
  `INSERT INTO shelves VALUES ('A', 1), ('B', 2)`,
  'DROP TABLE parts',
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT, room TEXT, place INT, FOREIGN KEY (room, place) REFERENCES shelves)',
  `INSERT INTO parts VALUES (1, 'bolt', 'A', 1)`,
];

const dropShelves = async ({ execute }: TablePage): Promise<void> => {
  await execute('DROP TABLE parts');
  await execute('DROP TABLE shelves');
};

tablePageTest(
  'the row of a foreign key of two columns sets both, and one undo takes both back',
  async opened => {
    const { page, host, save, query, edits } = opened;
    const questions: unknown[] = [];
    host.prompts.pickReference = (...question) => {
      questions.push(question);
      return Promise.resolve([
        { kind: 'text', text: 'B' },
        { kind: 'integer', text: '2' },
      ]);
    };
    await select(opened, 0, 3);
    await page.keyboard.press('F4');
    await cellIn(page, 'B').waitFor();
    await cellIn(page, '2').waitFor();
    assert.deepEqual(questions, [['shelves', []]]);
    await edits[0]!.undo();
    await cellIn(page, 'A').waitFor();
    await edits[0]!.redo();
    await cellIn(page, 'B').waitFor();
    await save();
    assert.deepEqual(await query('SELECT room, place FROM parts'), [['B', 2]]);
    await dropShelves(opened);
  },
  { setup: references },
);

tablePageTest(
  'the menu offers to choose a row at each column of a foreign key, and at no other',
  async opened => {
    const { page } = opened;
    for (const [column, isOffered] of [
      [1, false],
      [2, true],
      [3, true],
    ] as const) {
      await select(opened, 0, column);
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Set NULL' }).waitFor();
      assert.equal(await page.getByRole('menuitem', { name: 'Choose Row of shelves…' }).count(), isOffered ? 1 : 0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
    await dropShelves(opened);
  },
  { setup: references },
);

tablePageTest('a file is loaded into a cell in every byte', async opened => {
  const { page, host, save, query } = opened;
  const hex = Buffer.from([0, 255, 13, 10, 0x27]).toString('hex');
  host.prompts.pickFile = () => Promise.resolve(hex);
  await select(opened, 0, 1);
  await page.keyboard.press('Control+o');
  await page.getByText('1 row to update').waitFor();
  await save();
  assert.deepEqual(await query('SELECT typeof(name), hex(name) FROM parts WHERE id = 1'), [
    ['blob', hex.toUpperCase()],
  ]);
});

tablePageTest('a file that does not fit is refused, and a cancelled question changes nothing', async opened => {
  const { page, host, document } = opened;
  host.prompts.pickFile = () => Promise.resolve('00ff');
  await select(opened, 0, 0);
  await page.keyboard.press('Control+o');
  await alertIn(page, "'id' takes an integer of 64 bits.").waitFor();
  host.prompts.pickFile = () => Promise.resolve(undefined);
  await select(opened, 0, 1);
  await page.keyboard.press('Control+o');
  await page.keyboard.press('F4');
  await select(opened, 1, 1);
  assert.ok(document.editing.edits.isEmpty);
});
