import assert from 'node:assert/strict';
import { type TablePage, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, editorOf, pasteText, select, waitUntilEditable } from '../../../support/editedCells.ts';
import { HeldMessages } from '../../../support/heldMessages.ts';
import { problemCells } from '../../../support/pageParts.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

/** Editing while the messages between the page and its host are held back, and rows that move under an open field. */

function slowTest(name: string, body: (opened: TablePage, messages: HeldMessages) => Promise<void>, setup?: string[]) {
  const messages = new HeldMessages();
  tablePageTest(name, opened => body(opened, messages), { delivery: messages, ...(setup && { setup }) });
}

const editedNames = ({ document }: TablePage): string[] =>
  [...document.editing.edits.rows].map(row => JSON.stringify(row.kind === 'insert' ? row.values : [row.id, row.cells]));

slowTest('values typed one after another are all taken while the host does not answer', async (opened, messages) => {
  const { page, save, query } = opened;
  await select(opened, 0, 1);
  messages.isHolding = true;
  for (const name of ['101', '102', '103', '104']) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  // The page shows them before the host has heard of them.
  await cellAt(opened, 3, 1).getByText('104').waitFor();
  assert.deepEqual(editedNames(opened), []);
  messages.release();
  await page.getByText('4 rows to update').waitFor();
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id < 6 ORDER BY id'), [
    ['101'],
    ['102'],
    ['103'],
    ['104'],
    ['part 5'],
  ]);
});

slowTest('what is typed after Insert is for the new row, and Escape for the last text', async (opened, messages) => {
  const { page } = opened;
  await select(opened, 2, 1);
  messages.isHolding = true;
  await page.keyboard.type('third');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Insert');
  await page.keyboard.type('nev');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('w');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  messages.release();
  await page.getByText('1 row to update · 1 row to add').waitFor();
  await cellAt(opened, 0, 1).getByText('new').waitFor();
  await waitUntil(() => opened.document.editing.texts.isEmpty, { what: 'the refused text is still there' });
  await problemCells(page).waitFor({ state: 'detached' });
  await cellAt(opened, 3, 1).getByText('third').waitFor();
  await cellAt(opened, 1, 0).getByText('1', { exact: true }).waitFor();
});

slowTest('Tab goes on from the cell before, in a field and between fields', async (opened, messages) => {
  const { page } = opened;
  await select(opened, 2, 1);
  messages.isHolding = true;
  await page.keyboard.press('Insert');
  await page.keyboard.type('new');
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab']) await page.keyboard.press(key);
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  messages.release();
  await page.getByText('1 row to update · 1 row to add').waitFor();
  await cellAt(opened, 0, 1).getByText('new').waitFor();
  await cellAt(opened, 1, 1).getByText('first').waitFor();
  await page.getByText('Row 3 · name').waitFor();
});

slowTest('Ctrl+Z takes back the value that was typed just before', async (opened, messages) => {
  const { page, document } = opened;
  await select(opened, 0, 1);
  messages.isHolding = true;
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  await page.keyboard.type('b');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+z');
  messages.release();
  await page.getByText('1 row to update').waitFor();
  await cellAt(opened, 1, 1).getByText('part 2').waitFor();
  assert.equal(document.editing.edits.get('[1]')?.kind, 'update');
});

slowTest('an edit finds its row when the rows are sorted before the host hears of it', async (opened, messages) => {
  const { page, save, query } = opened;
  await select(opened, 1, 1);
  messages.isHolding = true;
  await page.keyboard.type('second');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+d');
  messages.isHolding = false;
  // Another order of rows comes first.
  await opened.editor.navigation.show({
    columns: ['id'],
    arrangement: { sort: [{ column: 0, descending: true }], filters: [] },
    place: { row: 0 },
  });
  messages.release();
  await page.getByText('1 row to update').waitFor();
  await save();
  assert.deepEqual(await query("SELECT id FROM parts WHERE name = 'second'"), [[2]]);
});

slowTest('a paste right after Insert and F2 goes into the field of the new row', async (opened, messages) => {
  const { page, document } = opened;
  await select(opened, 2, 1);
  messages.isHolding = true;
  await page.keyboard.press('Insert');
  await page.keyboard.press('F2');
  await pasteText(page, 'pasted');
  await page.keyboard.press('Enter');
  messages.release();
  await page.getByText('1 row to add').waitFor();
  await cellAt(opened, 0, 1).getByText('pasted').waitFor();
  await waitUntil(() => document.editing.texts.isEmpty, { what: 'the text is not taken' });
  assert.equal(document.editing.edits.counts.updated, 0);
});

tablePageTest('what is typed into a new row while it is saved is an edit of the saved row', async opened => {
  const { page, document, save, query } = opened;
  await select(opened, 0, 1);
  await page.keyboard.press('Insert');
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  await cellAt(opened, 0, 1).getByText('first').waitFor();
  await waitUntil(() => document.calls.isIdle && document.editing.texts.isEmpty, { what: 'the value is not taken' });
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const keepSave = document.keepSave.bind(document);
  // A slow disk keeps the save from its first statement.
  document.keepSave = async steps => {
    begun.resolve();
    await gate.promise;
    return keepSave(steps);
  };
  const saved = save();
  await begun.promise;
  await select(opened, 0, 1);
  await page.keyboard.type('second');
  await page.keyboard.press('Enter');
  await waitUntil(() => !document.calls.isIdle, { what: 'the value has not come' });
  gate.resolve();
  await saved;
  await page.getByText('1 row to update').waitFor();
  await save();
  assert.deepEqual(await query("SELECT name FROM parts WHERE name IN ('first', 'second')"), [['second']]);
});

tablePageTest('an open field goes with its row when rows come above it', async opened => {
  const { page, document, save, query } = opened;
  await select(opened, 1, 1);
  await page.keyboard.type('sec');
  await document.edit('Add Row', () => document.editing.addRow());
  await page.getByText('Row 3 · name').waitFor();
  const [field, cell] = await Promise.all([editorOf(opened).boundingBox(), cellAt(opened, 2, 1).boundingBox()]);
  assert.ok(Math.abs(field!.y - cell!.y) < 3, 'the field is over its row');
  await page.keyboard.type('ond');
  await page.keyboard.press('Enter');
  await cellAt(opened, 2, 1).getByText('second').waitFor();
  await page.getByText('1 row to update · 1 row to add').waitFor();
  await document.revert();
  await waitUntilEditable(opened);
  await save();
  assert.deepEqual(await query('SELECT count(*) FROM parts'), [[5000]]);
});

for (const [text, column, name] of [
  ['typed', 1, 'name'],
  ['x7', 0, 'id'],
] as const) {
  tablePageTest(`a field whose row a filter hides ends, and '${text}' stays with its row`, async opened => {
    const { page, editor, document } = opened;
    await select(opened, 1, column);
    await page.keyboard.type(text);
    await editor.navigation.show({
      columns: ['id'],
      arrangement: { sort: [], filters: [{ kind: 'equals', column: 0, text: '7' }] },
      place: { row: 0 },
    });
    await editorOf(opened, name).waitFor({ state: 'detached' });
    const { edits, texts } = document.editing;
    const isKept = (): boolean =>
      column === 0 ? texts.of('[2]')[0]?.fault !== undefined : edits.get('[2]')?.kind === 'update';
    await waitUntil(isKept, { what: 'the text is not kept' });
    assert.equal(edits.get('[7]'), undefined);
  });
}

tablePageTest('what is typed in the field of a row that another client deletes goes nowhere else', async opened => {
  const { page, editor, document, execute } = opened;
  await select(opened, 1, 1);
  await page.keyboard.type('sec');
  await execute('DELETE FROM parts WHERE id = 2');
  await editor.refreshRows();
  await editorOf(opened).waitFor({ state: 'detached' });
  await page.keyboard.type('ond');
  await page.keyboard.press('Enter');
  const { edits, texts } = document.editing;
  await waitUntil(() => texts.of('[2]')[0]?.fault !== undefined, { what: 'the text is not kept' });
  assert.equal(texts.of('[2]')[0]?.text, 'sec');
  assert.ok(edits.isEmpty);
  assert.equal(await editorOf(opened).count(), 0);
});
