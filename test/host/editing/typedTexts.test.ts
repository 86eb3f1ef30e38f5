import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEditedTable } from '../../support/editedTable.ts';

/** Texts in open fields: they belong to the draft before they are edits. */

const table = await openEditedTable();
const { rename, names } = table;

const cell = { rowId: '[1]', column: 'name' } as const;
const kinds = ({ document }: Awaited<ReturnType<typeof table.open>>) =>
  document.problems.all.map(({ rowId, column, fault }) => [rowId, column, fault.kind]);

test('the text of an open field marks the tab with the first key, and the next window has it as a problem', async () => {
  const first = await table.open();
  await first.document.hold({ ...cell, text: 'I' });
  assert.equal(first.changeCount(), 1, 'VS Code marks the tab');
  await first.document.hold({ ...cell, text: 'Iri' });
  assert.equal(first.changeCount(), 1);
  assert.ok(first.document.isDirty);
  assert.deepEqual(kinds(first), [], 'an open field is no problem');
  const { draftsFolder } = first;
  const next = await table.open({ draftsFolder });
  assert.ok(next.document.isDirty);
  assert.equal(next.document.editing.texts.of('[1]')[0]?.text, 'Iri');
  assert.deepEqual(kinds(next), [['[1]', 'name', 'notEntered']]);
  await assert.rejects(next.save(), /because of the text 'Iri'\. This text was typed and not taken/);
  await next.document.edit('Revert', () => [], [cell]);
  await rename(next, 1, 'Iris');
  await next.save();
  assert.deepEqual(await names(), ['Iris', 'b']);
});

test('a text that is given up leaves the tab as it was, also after an edit is undone', async () => {
  const opened = await table.open();
  const { document } = opened;
  await document.hold({ ...cell, text: 'x' });
  await document.hold(cell);
  assert.ok(!document.isDirty);
  assert.equal(opened.emptyUndoCount(), 1, 'VS Code takes the mark off');
  await document.hold({ ...cell, text: 'Iris' });
  await rename(opened, 1, 'Iris');
  await document.hold(cell);
  await document.edit('Edit', () => [], [cell]);
  await opened.edits[0]!.undo();
  assert.ok(!document.isDirty);
  assert.equal(opened.emptyUndoCount(), 2);
});

test('a field that is given up leaves the refused text that its cell had', async () => {
  const { document } = await table.open();
  const fault = { kind: 'value', fault: 'notInteger' } as const;
  await document.edit('Edit', () => [], [{ ...cell, text: 'refused', fault }]);
  await document.hold({ ...cell, text: 'typed' });
  assert.equal(document.editing.texts.of('[1]')[0]?.text, 'typed');
  await document.hold(cell);
  assert.equal(document.editing.texts.of('[1]')[0]?.text, 'refused');
  assert.equal(document.problems.all.length, 1);
});

test('a page that goes leaves the text of its field as a problem', async () => {
  const opened = await table.open();
  await opened.document.hold({ ...cell, text: 'Iri' });
  opened.document.editing.texts.markNotEntered();
  assert.deepEqual(kinds(opened), [['[1]', 'name', 'notEntered']]);
  await opened.document.revert();
  assert.ok(!opened.document.isDirty);
});

test('a text that is left when all edits are undone keeps the tab marked', async () => {
  const opened = await table.open();
  await rename(opened, 2, 'edited');
  await opened.document.hold({ ...cell, text: 'left', fault: { kind: 'message', message: 'No answer.' } });
  const before = opened.changeCount();
  await opened.edits[0]!.undo();
  assert.ok(opened.document.isDirty);
  assert.equal(opened.changeCount(), before + 1, 'VS Code marks the tab again');
});
