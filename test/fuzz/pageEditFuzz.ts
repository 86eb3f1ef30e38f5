import assert from 'node:assert/strict';
import { type TablePage, tablePageTest } from '../support/browsedTablePage.ts';
import { select } from '../support/editedCells.ts';
import { HeldMessages } from '../support/heldMessages.ts';
import { oneOf, type Random, seeded, upTo } from './random.ts';

/**
 * Types the same random keys into two tables. One host answers at once, the other one late and in any order. Both tables end with
 * the same edits, refused texts, active cell and open field.
 */

const keysPerTest = 30;
const rowCount = 6;

const setup = [
  'DROP TABLE parts',
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, number INTEGER, name TEXT NOT NULL)',
  `INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT ${rowCount}) SELECT i * 10, i, 'part ' || i FROM i`,
];

const typed = ['1', '2', '7', 'x', '-'];
const rare = [
  'Insert',
  'Control+d',
  'Control+z',
  'Control+y',
  'Escape',
  'Control+Shift+D',
  'Control+Delete',
  'F2',
  'Delete',
];
const keysForGrid = new Set(['Control+z', 'Control+y', 'Control+Delete']);
const moves = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift+ArrowDown', 'Home', 'End', 'Backspace'];

function randomKey(random: Random): string {
  const kind = random();
  if (kind < 0.4) return oneOf(random, typed);
  if (kind < 0.62) return 'Enter';
  return oneOf(random, kind < 0.78 ? moves : rare);
}

const byName = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** The edits, texts and cells after typing, without the ids that differ each time. */
async function stateOf({ page, document: edited }: TablePage): Promise<unknown> {
  const { edits, texts } = edited.editing;
  const nameOf = (id: string): string => {
    const place = edits.inserted.findIndex(row => row.id === id);
    return place === -1 ? id : `new ${place}`;
  };
  return {
    edits: [...edits.rows]
      .map(row => ({
        id: nameOf(row.id),
        kind: row.kind,
        values: (row.kind === 'insert' ? row.values : row.cells)
          .map(({ column, value }) => ({ column, value }))
          .toSorted(byName),
      }))
      .toSorted(byName),
    texts: texts.all
      .map(({ rowId, column, text, fault }) => ({ row: nameOf(rowId), column, text, fault: fault?.kind }))
      .toSorted(byName),
    shown: await page.evaluate(() => {
      const active = document.getElementById('active-cell');
      const field = document.querySelector<HTMLTextAreaElement>('.cell-editor textarea');
      return {
        row: active?.closest('[role="row"]')?.getAttribute('aria-rowindex'),
        column: active?.getAttribute('aria-colindex'),
        field: field && [field.getAttribute('aria-label'), field.value, field.selectionStart],
        cells: Array.from(document.querySelectorAll('[role="gridcell"]'), cell => [
          cell.closest('[role="row"]')?.getAttribute('aria-rowindex'),
          cell.getAttribute('aria-colindex'),
          cell.textContent,
          cell.getAttribute('data-edit'),
          cell.hasAttribute('data-problem'),
        ]),
      };
    }),
  };
}

export function pageEditTest(seed: number): void {
  const messages = new HeldMessages();
  tablePageTest(
    `typed keys lead to the same edits with a host that answers late and in any order (seed ${seed})`,
    async opened => {
      const { page, discard } = opened;
      const random = seeded(seed);
      const keys: string[] = [];
      const quiet = (): Promise<void> =>
        messages.untilQuiet(() => page.evaluate(() => new Promise(requestAnimationFrame)));
      await select(opened, 1, 1);
      await quiet();
      while (keys.length < keysPerTest) {
        // Without a field, Tab would leave the grid.
        const hasField = (await page.locator('.cell-editor').count()) > 0;
        const key = hasField && random() < 0.2 ? oneOf(random, ['Tab', 'Shift+Tab']) : randomKey(random);
        // The browser decides what these keys change in a field.
        if (hasField && keysForGrid.has(key)) continue;
        keys.push(key);
        await page.keyboard.press(key);
        await quiet();
      }
      const expected = await stateOf(opened);
      await page.keyboard.press('Escape');
      await quiet();
      await discard();
      await quiet();
      await select(opened, 1, 1);
      await quiet();
      messages.isHolding = true;
      for (const key of keys) {
        await page.keyboard.press(key);
        for (let count = upTo(random, 4); count > 0; count--) messages.deliverOne(choices => upTo(random, choices));
      }
      messages.release();
      await quiet();
      assert.deepEqual(await stateOf(opened), expected, `seed ${seed}: ${keys.join(' ')}`);
    },
    { setup, delivery: messages },
  );
}
