import assert from 'node:assert/strict';
import { alertIn, cellIn, type TablePage, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, editorOf, pasteText, select, type, waitUntilEditable } from '../../../support/editedCells.ts';

/** Values that are set in many cells at once, by typing and by pasting. */

async function selectRows(opened: TablePage, column: number, count: number): Promise<void> {
  await select(opened, 0, column);
  for (let row = 1; row < count; row++) await opened.page.keyboard.press('Shift+ArrowDown');
}

tablePageTest('Ctrl+Enter sets the typed value in all selected cells, and one undo takes it back', async opened => {
  const { page, save, query, document, edits } = opened;
  await selectRows(opened, 1, 3);
  await page.keyboard.type('same');
  await page.keyboard.press('Control+Enter');
  await editorOf(opened).waitFor({ state: 'detached' });
  await page.getByText('3 rows to update').waitFor();
  assert.equal(edits.length, 1);
  await edits[0]!.undo();
  assert.ok(document.editing.edits.isEmpty);
  await edits[0]!.redo();
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id < 5 ORDER BY id'), [
    ['same'],
    ['same'],
    ['same'],
    ['part 4'],
  ]);
});

tablePageTest(
  'Ctrl+Enter in an unchanged field copies its value to all selected cells, but never turns NULL into an empty text',
  async opened => {
    const { page, save, query, document } = opened;
    await selectRows(opened, 1, 2);
    await cellIn(page, 'NULL').first().waitFor();
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row to update').waitFor();
    await save();
    assert.deepEqual(await query('SELECT name FROM parts WHERE id < 3'), [['part 2'], ['part 2']]);
    assert.ok(document.editing.edits.isEmpty);
    await selectRows(opened, 1, 3);
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    await page.keyboard.press('Control+Enter');
    await editorOf(opened).waitFor({ state: 'detached' });
    assert.ok(document.editing.edits.isEmpty);
  },
  { setup: ['UPDATE parts SET name = NULL WHERE id IN (1, 3)'] },
);

tablePageTest('one copied cell is pasted in all selected cells, and one undo takes it back', async opened => {
  const { page, save, query, edits } = opened;
  await selectRows(opened, 1, 3);
  await pasteText(page, '007');
  await page.getByText('3 rows to update').waitFor();
  assert.equal(edits.length, 1);
  await save();
  assert.deepEqual(await query('SELECT DISTINCT name, typeof(name) FROM parts WHERE id <= 3'), [['007', 'text']]);
});

tablePageTest(
  'NULL and empty texts of a copied block stay what they are, but a text that cannot be NULL is empty',
  async opened => {
    const { page, save, query } = opened;
    await select(opened, 0, 1);
    await pasteText(page, '\t""\t""\t\n""\t\t\t\n');
    await page.getByText('2 rows to update').waitFor();
    await save();
    const typesSql =
      'SELECT typeof(name), typeof(number), typeof(anything), quote(needed) FROM parts WHERE id < 3 ORDER BY id';
    assert.deepEqual(await query(typesSql), [
      ['null', 'text', 'text', "''"],
      ['text', 'null', 'null', "''"],
    ]);
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT, number INTEGER, anything, needed TEXT NOT NULL)',
      `INSERT INTO parts VALUES (1, 'a', 1, 1, 'x'), (2, 'b', 2, 2, 'y')`,
    ],
  },
);

tablePageTest(
  'a block is pasted at once, and its rows past the end are added if the user wants; each takes one undo',
  async opened => {
    const { page, host, save, query, edits } = opened;
    const missingCounts: number[] = [];
    host.prompts.confirmNewRows = async count => {
      missingCounts.push(count);
      // The rows that fit are pasted before the question.
      await cellIn(page, 'second').waitFor();
      return true;
    };
    await select(opened, 1, 1);
    await pasteText(page, 'second\t2\nthird\t3\nfourth\tx\n');
    await page.getByText('1 row to update · 2 rows to add').waitFor();
    assert.deepEqual(missingCounts, [2]);
    assert.equal(edits.length, 2);
    // A refused value stays in its new row.
    await alertIn(page, "'number' takes an integer").waitFor();
    await page.getByText('1 problem', { exact: true }).waitFor();
    await edits[1]!.undo();
    await page.getByText('1 row to update', { exact: true }).waitFor();
    await page.getByText('1 problem', { exact: true }).waitFor({ state: 'hidden' });
    await alertIn(page, "'number' takes an integer").waitFor({ state: 'detached' });
    await edits[1]!.redo();
    await type(opened, 0, 2, '4', 'number');
    await page.getByText('1 problem', { exact: true }).waitFor({ state: 'hidden' });
    await save();
    assert.deepEqual(await query('SELECT * FROM parts ORDER BY id'), [
      [1, 'a', 1],
      [2, 'second', 2],
      [3, 'third', 3],
      [4, 'fourth', 4],
    ]);
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT, number INTEGER)',
      `INSERT INTO parts VALUES (1, 'a', 1), (2, 'b', 2)`,
    ],
  },
);

tablePageTest(
  'in a column of any type, a BLOB stays a BLOB, and a text that looks like a BLOB stays a text',
  async opened => {
    const { page, save, query } = opened;
    await waitUntilEditable(opened);
    for (const [column, name] of [
      [1, 'name'],
      [2, 'anything'],
      [3, 'bytes'],
    ] as const) {
      await cellAt(opened, 0, column).click();
      await page.keyboard.press('F2');
      const field = editorOf(opened, name);
      await field.waitFor();
      assert.equal(await field.inputValue(), "x'00ff10'");
      await field.fill("x'00ff11'");
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
      await cellAt(opened, 1, column).click();
      await page.keyboard.press('F2');
      await field.waitFor();
      assert.equal(await field.inputValue(), 'abcd');
      await field.fill("x'00'");
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    }
    await page.getByText('2 rows to update').waitFor();
    await save();
    assert.deepEqual(await query('SELECT hex(name), hex(anything), hex(bytes), typeof(name) FROM parts WHERE id = 1'), [
      ['00FF11', '00FF11', '00FF11', 'blob'],
    ]);
    assert.deepEqual(await query('SELECT typeof(name), name, anything, bytes FROM parts WHERE id = 2'), [
      ['text', "x'00'", "x'00'", "x'00'"],
    ]);
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT, anything, bytes BLOB)',
      `INSERT INTO parts VALUES (1, x'00ff10', x'00ff10', x'00ff10'), (2, 'abcd', 'abcd', 'abcd')`,
    ],
  },
);
