import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickPickItem } from 'vscode';
import { openEditedTable } from '../../support/editedTable.ts';

/** A conflict of long values shows where they differ, in the question and at the marked cell. */

const table = await openEditedTable();
const { execute, rename } = table;
const vscode = await import('vscode');
const { problemText } = await import('../../../src/host/editing/problemText.ts');
const { vscodeSavePrompts } = await import('../../../src/host/editing/editPrompts.ts');

const same = 'The same words at the beginning of all. '.repeat(50);

interface Shown {
  readonly before: string;
  readonly now: string;
  readonly yours: string;
}

const prompts = vscodeSavePrompts(() => ({ shows: 'edits', run: () => undefined }));

/** Makes a conflict of these names. Returns the values that the question shows. The marked cell shows the same. */
async function shownConflict(base: string, theirs: string, mine: string): Promise<Shown> {
  await execute(`UPDATE pets SET name = '${base}' WHERE id = 1`);
  const opened = await table.open();
  await rename(opened, 1, mine);
  await execute(`UPDATE pets SET name = '${theirs}' WHERE id = 1`);
  const items: QuickPickItem[] = [];
  Object.assign(vscode.window, {
    showQuickPick: (shown: readonly QuickPickItem[]) => void items.push(...shown),
  });
  table.host.resolve = conflicts => prompts.resolveConflicts('pets', conflicts);
  await assert.rejects(opened.save(), /1 row has changed in the table/);
  const [{ detail = '' }] = items as [QuickPickItem];
  const [problem] = opened.document.problems.all;
  assert.ok(problemText(problem!).endsWith(detail));
  await opened.document.revert();
  const [, before = '', now = '', yours = ''] = /^Before: (.*) · In the table now: (.*) · Yours: (.*)$/s.exec(detail)!;
  return { before, now, yours };
}

test('values that begin alike are shown from shortly before their first difference', async () => {
  const shown = await shownConflict(`${same}old`, `${same}theirs`, `${same}mine and ${same}`);
  assert.equal(shown.before, "'…ing of all. old'");
  assert.equal(shown.now, "'…ing of all. theirs'");
  assert.match(shown.yours, /^'…ing of all\. mine and The same words.*…'$/);
});

test('values that differ at their beginning are shown from there, and short ones as a whole', async () => {
  const shown = await shownConflict('short', `Theirs: ${same}`, `Mine: ${same}`);
  assert.equal(shown.before, "'short'");
  assert.match(shown.now, /^'Theirs: The same words.*…'$/);
  assert.match(shown.yours, /^'Mine: The same words.*…'$/);
});

test('yours is shown where it differs from the value in the table, and that one where it differs from the old one', async () => {
  const shown = await shownConflict(`Old. ${same}one`, `Old. ${same}two`, `New. ${same}one`);
  assert.equal(shown.before, "'…ning of all. one'");
  assert.equal(shown.now, "'…ning of all. two'");
  assert.match(shown.yours, /^'New\. The same words at the beginning.*…'$/);
});

test('no character is cut in half', async () => {
  const faces = '😀'.repeat(100);
  for (const start of ['', 'x']) {
    const shown = await shownConflict(`${start}${faces}1`, `${start}${faces}2`, `${start}${faces}${faces}`);
    for (const value of Object.values(shown) as string[]) assert.ok(value.isWellFormed(), value);
    assert.equal(new Set(Object.values(shown)).size, 3);
  }
});
