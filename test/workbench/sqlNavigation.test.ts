import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { QuickInput } from '../support/quickInput.ts';
import { waitForRunLens } from '../support/sampleProject.ts';
import { editorLines, highlightedNames, linkedPlaces } from '../support/workbench/editorParts.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const lines = [
  '-- @project Sample Shop',
  'WITH big AS (',
  "  SELECT c.id, c.name FROM customers AS c WHERE c.city = 'Porto'",
  ')',
  'SELECT big.name FROM big;',
  '',
];
const files = { 'shop.sql': lines.join('\n') };

/** A line of the editor, by all of its text. */
const line = ({ page }: WorkbenchSession, text: string): Locator =>
  editorLines(page).filter({ hasText: new RegExp(`^${RegExp.escape(text).replaceAll(/\\x20| /g, '\\s')}$`) });

async function open(session: WorkbenchSession): Promise<void> {
  await session.openFile('shop.sql');
  await waitForRunLens(session);
}

/** Puts the cursor at a line and column, as Go to Line does. */
async function goTo(session: WorkbenchSession, lineNumber: number, column: number): Promise<void> {
  await session.page.keyboard.press('Control+G');
  await new QuickInput(session.page).field.fill(`:${lineNumber}:${column}`);
  await session.page.keyboard.press('Enter');
  await session.waitForCursor(lineNumber, column);
  await session.waitForEditorFocus();
}

workbenchTest('an alias and a common table are highlighted and found in their statement', { files }, async session => {
  const { page } = session;
  await open(session);
  await goTo(session, 3, lines[2]!.indexOf('c WHERE') + 1);
  // The alias is declared once and used three times.
  const highlights = highlightedNames(page);
  await highlights.nth(3).waitFor();
  assert.equal(await highlights.count(), 4);
  for (const kind of ['light', 'hcDark'] as const) {
    await session.setTheme(kind);
    await highlights.nth(3).waitFor();
    await session.screenshot(`sql-highlights-${kind}`);
  }
  await goTo(session, 5, lines[4]!.indexOf('big;') + 2);
  await page.keyboard.press('Shift+F12');
  await page.getByText('References (3)').waitFor();
  await page.keyboard.press('Escape');
});

workbenchTest('statements fold, and the selection grows by name and by expression', { files }, async session => {
  const { page } = session;
  await open(session);
  await session.runCommand('Fold All');
  await line(session, lines[2]!).waitFor({ state: 'detached' });
  await session.runCommand('Unfold All');
  await line(session, lines[2]!).waitFor();
  await goTo(session, 3, lines[2]!.indexOf('name') + 2);
  await page.keyboard.press('Shift+Alt+ArrowRight');
  await page.getByText('(4 selected)').waitFor();
  await page.keyboard.press('Shift+Alt+ArrowRight');
  await page.getByText('(6 selected)').waitFor();
});

workbenchTest('a table is found by its name and opens as its definition', { files }, async session => {
  const { page } = session;
  await open(session);
  await page.keyboard.press('Control+T');
  const input = new QuickInput(page);
  await input.field.fill('#order_lines');
  // The rows are replaced while they arrive, so a click may meet none.
  await input.activeRow.filter({ hasText: 'order_lines' }).waitFor();
  await page.keyboard.press('Enter');
  await session.editorTab('order_lines.sql').waitFor();
});

workbenchTest(
  'an alias changes in all its places while it is typed, and a semicolon lays out its statement',
  { files, settings: { 'editor.linkedEditing': true, 'editor.formatOnType': true } },
  async session => {
    const { page } = session;
    await open(session);
    await goTo(session, 3, lines[2]!.indexOf('c WHERE') + 2);
    // Typing changes all places only once the editor knows them.
    await linkedPlaces(page).first().waitFor();
    await page.keyboard.type('x');
    await line(session, lines[2]!.replaceAll('c.', 'cx.').replace('AS c ', 'AS cx ')).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('select id from orders where id=1');
    await page.keyboard.press('Escape');
    await page.keyboard.type(';');
    await line(session, 'SELECT id FROM orders WHERE id = 1;').waitFor();
  },
);
