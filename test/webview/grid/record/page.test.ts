import assert from 'node:assert/strict';
import { asRecord } from '../../../../src/base/decode.ts';
import type { TaggedValue } from '../../../../src/protocol/shownValues.ts';
import { type GridContent, type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { activeCell } from '../../../support/pageParts.ts';
import { redPng } from '../../../support/redPng.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const text = (value: string): TaggedValue => ({ kind: 'text', text: value });
const base64 = (bytes: string): TaggedValue => text(Buffer.from(bytes, 'latin1').toString('base64'));

const fields: readonly (readonly [name: string, type: string, value: TaggedValue])[] = [
  ['id', 'INTEGER', { kind: 'integer', text: '9223372036854775807' }],
  ['missing', 'TEXT', { kind: 'null' }],
  ['empty', 'TEXT', text('')],
  ['note', 'TEXT', text('first line\nsecond line')],
  ['settings', 'TEXT', text('{"theme":"dark","sizes":[1,2,{"deep":{"deeper":true}}],"id":9007199254740993}')],
  ['bytes', 'LONGBLOB', base64('SQLite\0\u00ff')],
  ['picture', 'BLOB', text(redPng())],
  ['long', 'TEXT', text('y'.repeat(5000))],
];
const content: GridContent = {
  columns: fields.map(([name, type]) => ({ name, type })),
  rowCount: 50,
  valueAt: (row, column) =>
    column === 0 ? { kind: 'integer', text: String(row + 1) } : (fields[column]?.[2] ?? { kind: 'null' }),
};

const record = (grid: GridPage) => grid.page.getByRole('complementary', { name: 'Record' });
const field = (grid: GridPage, name: string) =>
  record(grid)
    .locator('dl > div')
    .filter({ has: grid.page.getByRole('term').getByText(name, { exact: true }) });
const valueOf = (grid: GridPage, name: string): Promise<string> =>
  field(grid, name).getByRole('definition').innerText();

gridTest('Space shows the row as a record with types, whole values and NULL', content, async grid => {
  const { page } = grid;
  await grid.cell(2, 0).click();
  await page.keyboard.press('Space');
  await record(grid).getByText('Row 3').waitFor();
  assert.equal(await field(grid, 'id').innerText(), 'id\nINTEGER\n3');
  assert.equal(await valueOf(grid, 'missing'), 'NULL');
  assert.equal(await valueOf(grid, 'empty'), '(empty)');
  assert.equal(await valueOf(grid, 'note'), 'first line\nsecond line');
  await field(grid, 'long').getByText('y'.repeat(5000)).waitFor();
  await field(grid, 'long').getByText('5,000 characters', { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await record(grid).getByText('Row 4').waitFor();
  assert.match(await field(grid, 'id').innerText(), /4$/);
  await page.keyboard.press('ArrowUp');
  await record(grid).getByText('Row 3').waitFor();
  await page.keyboard.press('Escape');
  await record(grid).waitFor({ state: 'hidden' });
  await grid.grid.and(page.locator(':focus')).waitFor();
});

gridTest('JSON shows as a tree that unfolds by keys and keeps every digit, or as text', content, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  const settings = field(grid, 'settings');
  await settings.getByText('9007199254740993').waitFor();
  await settings.getByText('"dark"').waitFor();
  assert.equal(await settings.getByText('deeper').count(), 0, 'what is folded has no elements');
  await settings.locator('summary').last().focus();
  await grid.page.keyboard.press('Enter');
  await settings.locator('summary').filter({ hasText: 'deep' }).last().focus();
  await grid.page.keyboard.press('Enter');
  await settings.getByText('deeper').waitFor();
  await settings.getByRole('button', { name: 'Text' }).click();
  await settings.getByText('{"theme":"dark",').waitFor();
});

gridTest('a BLOB shows as bytes with its size, and as an image if it is one', content, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  const bytes = field(grid, 'bytes');
  await bytes.getByText('0000  53 51 4c 69 74 65 00 ff').waitFor();
  await bytes.getByText('8 bytes', { exact: true }).waitFor();
  const picture = field(grid, 'picture');
  const image = picture.getByRole('img', { name: 'Image of 3 × 2 pixels' });
  await image.waitFor();
  const pixel = await image.evaluate(canvas =>
    Array.from((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, 1, 1).data ?? []),
  );
  assert.deepEqual(pixel, [255, 0, 0, 255]);
  await picture.getByRole('button', { name: 'Hex' }).click();
  await picture.getByText('89 50 4e 47').waitFor();
});

gridTest('the record follows the active cell, and clicks do not close it', content, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await grid.cell(7, 0).click();
  await record(grid).getByText('Row 8').waitFor();
  await grid.page.keyboard.press('ArrowDown');
  await record(grid).getByText('Row 9').waitFor();
  await grid.page.keyboard.press('Space');
  await record(grid).waitFor({ state: 'hidden' });
});

gridTest('the record says when no row passes the filters, and follows rows that pass again', content, async grid => {
  await grid.cell(7, 0).click();
  await grid.page.keyboard.press('Space');
  await record(grid).getByText('Row 8').waitFor();
  grid.arrange({ sort: [], filters: [{ kind: 'equals', column: 0, text: 'none' }] });
  await record(grid).getByText('No Row').waitFor();
  assert.equal(await record(grid).getByText('Loading').count(), 0);
  assert.equal(await field(grid, 'id').count(), 0);
  grid.arrange({ sort: [], filters: [{ kind: 'equals', column: 0, text: '9' }] });
  await record(grid).getByText('Row 1').waitFor();
  await field(grid, 'id').getByText('9', { exact: true }).waitFor();
});

gridTest('Enter and a double click show the row as a record, too', content, async grid => {
  const { page } = grid;
  await grid.cell(3, 0).dblclick();
  await record(grid).getByText('Row 4').waitFor();
  await page.keyboard.press('Escape');
  await record(grid).waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await record(grid).getByText('Row 5').waitFor();
});

const huge = { ...numbers(10), columns: [{ name: 'huge', type: 'TEXT' }], valueAt: () => text('z'.repeat(2_500_000)) };
const small: GridContent = {
  columns: [
    { name: 'letter', type: 'TEXT' },
    { name: 'blob', type: 'BLOB' },
  ],
  rowCount: 1,
  valueAt: (_row, column) => (column === 0 ? text('y') : base64('S')),
};
gridTest('the size of one character and of one byte is in the singular', small, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await field(grid, 'letter').getByText('1 character', { exact: true }).waitFor();
  await field(grid, 'blob').getByText('1 byte', { exact: true }).waitFor();
});

gridTest('a huge cell is fetched on request, and only its first million characters', huge, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await record(grid).getByRole('button', { name: 'Load All 2,500,000 Characters' }).click();
  await record(grid).getByText('The first 1,000,000 of 2,500,000 characters.').waitFor();
  const shown = await record(grid).getByText('z'.repeat(1000)).textContent();
  assert.equal(shown?.length, 1_000_000);
  const maxLengths = grid.callsOf('cell').map(({ params }) => asRecord(params)?.['maxLength']);
  assert.deepEqual(maxLengths, [1_333_336]);
});

const padded = Buffer.concat([Buffer.from(redPng(), 'base64'), Buffer.alloc(3_000_000)]);
const largeImage: GridContent = {
  ...numbers(1),
  columns: [{ name: 'picture', type: 'BLOB' }],
  valueAt: () => text(padded.toString('base64')),
};
gridTest('a large BLOB shows by its beginning, and only an image is fetched whole', largeImage, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await record(grid).getByRole('button', { name: 'Load All' }).click();
  const picture = field(grid, 'picture');
  await picture.getByRole('img', { name: 'Image of 3 × 2 pixels' }).waitFor();
  await picture.getByText(`${padded.length.toLocaleString('en')} bytes`, { exact: true }).waitFor();
  assert.equal(grid.callsOf('cell').length, 2);
  await picture.getByRole('button', { name: 'Hex' }).click();
  await picture.getByText(/^The first 65,536 of/).waitFor();
  assert.equal(grid.callsOf('cell').length, 2);
});

gridTest('keys keep working in the record after its button went away', { ...huge, rowCount: 3 }, async grid => {
  const { page } = grid;
  await grid.cell(0, 0).click();
  await page.keyboard.press('Space');
  await record(grid).getByRole('button', { name: 'Load All' }).focus();
  await page.keyboard.press('Enter');
  await record(grid).getByText('The first 1,000,000').waitFor();
  for (const row of ['Row 2', 'Row 3']) {
    await page.keyboard.press('ArrowDown');
    await record(grid).getByText(row).waitFor();
    await record(grid).getByRole('button', { name: 'Load All' }).focus();
  }
  await page.keyboard.press('ArrowUp');
  await record(grid).getByText('Row 2').waitFor();
  await page.keyboard.press('Escape');
  await grid.grid.and(page.locator(':focus')).waitFor();
});

let refuses = true;
const fragile: GridContent = {
  ...huge,
  valueAt: () => text('z'.repeat(2000)),
  answers: {
    cell: () => {
      if (refuses) throw new Error('The file is gone.');
      return text('whole again');
    },
  },
};
gridTest('a cell that cannot be fetched shows the reason and can be retried', fragile, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await grid.page.getByRole('alert').filter({ hasText: 'The file is gone.' }).waitFor();
  refuses = false;
  await record(grid).getByRole('button', { name: 'Retry' }).click();
  await record(grid).getByText('whole again').waitFor();
});

const marks: GridContent = {
  ...numbers(1),
  columns: [
    { name: 'turned', type: 'TEXT' },
    { name: 'stacked', type: 'TEXT' },
    { name: 'after', type: 'TEXT' },
  ],
  valueAt: (_row, column) =>
    text([`a${'\u202e'.repeat(150_000)}`, `e${'\u0301'.repeat(150_000)}`, 'here'][column] ?? ''),
};
gridTest('a text of invisible characters ends where it would stop the page, and says so', marks, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await field(grid, 'turned').getByText('The first 10,001 of 150,001 characters.').waitFor();
  assert.equal(await field(grid, 'turned').getByText('⟨U+202E⟩', { exact: true }).count(), 10_000);
  await field(grid, 'stacked').getByText('150,001 characters', { exact: true }).waitFor();
  await field(grid, 'after').getByText('here').waitFor();
});

const manyFields: GridContent = {
  ...numbers(1),
  columns: Array.from({ length: 300 }, (_, column) => ({ name: `c${column}`, type: 'TEXT' })),
  valueAt: (_row, column) => text(`${column} ${'w'.repeat(5000)}`),
};
gridTest('a record fetches its first long values unasked, and others on request', manyFields, async grid => {
  await grid.cell(0, 0).click();
  await grid.page.keyboard.press('Space');
  await field(grid, 'c99').getByText('w'.repeat(5000)).waitFor();
  await field(grid, 'c299').getByRole('button', { name: 'Load All 5,004 Characters' }).click();
  await field(grid, 'c299').getByText('w'.repeat(5000)).waitFor();
  assert.equal(grid.callsOf('cell').length, 101);
});

const wideRecord: GridContent = {
  ...numbers(50),
  columns: Array.from({ length: 60 }, (_, column) => ({ name: `c${column}`, type: 'INTEGER' })),
};
gridTest("the record opens at the cell's field, and keeps the field in view", wideRecord, async grid => {
  const { page } = grid;
  const showsActive = (name: string) =>
    page.waitForFunction(expected => {
      const head = document.querySelector('dt[aria-current="true"]');
      const body = document.querySelector('aside [tabindex="0"]')!.getBoundingClientRect();
      const { top = -1, bottom = -1 } = head?.parentElement?.getBoundingClientRect() ?? {};
      const isInView = top >= body.top - 1 && bottom <= body.bottom + 1;
      return isInView && head?.firstElementChild?.textContent === expected;
    }, name);
  await grid.grid.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await record(grid).getByText('Row 1').waitFor();
  await showsActive('c59');
  await page.keyboard.press('ArrowDown');
  await record(grid).getByText('Row 2').waitFor();
  await showsActive('c59');
  await grid.grid.focus();
  await page.keyboard.press('Home');
  await showsActive('c0');
});

gridTest('the record copies a value, or the row as JSON', content, async grid => {
  const { page } = grid;
  const copied = () => asRecord(grid.callsOf('copy').at(-1)?.params);
  await grid.cell(2, 3).click();
  await page.keyboard.press('Space');
  await record(grid).getByRole('button', { name: 'Copy Row as JSON' }).click();
  await grid.waitForCalls('copy', 1);
  assert.equal(copied()?.['format'], 'ndjson');
  assert.deepEqual(copied()?.['ranges'], [{ firstRow: 2, endRow: 3, columns: [0, 1, 2, 3, 4, 5, 6, 7] }]);
  await record(grid).getByRole('button', { name: 'Copy Value of settings' }).click();
  await grid.waitForCalls('copy', 2);
  assert.equal(copied()?.['format'], 'tsv');
  assert.deepEqual(copied()?.['ranges'], [{ firstRow: 2, endRow: 3, columns: [4] }]);
  // By keys, the value of the active cell.
  await record(grid).locator('[tabindex="0"]').focus();
  await page.keyboard.press('Control+c');
  await grid.waitForCalls('copy', 3);
  assert.deepEqual(copied()?.['ranges'], [{ firstRow: 2, endRow: 3, columns: [3] }]);
});

gridTest('keys and a drag of its edge resize the record, and it keeps its width', content, async grid => {
  const { page } = grid;
  const width = async () => (await record(grid).boundingBox())?.width ?? 0;
  await grid.cell(0, 0).click();
  await page.keyboard.press('Space');
  await record(grid).waitFor();
  const before = await width();
  await page.keyboard.press('+');
  assert.ok(Math.abs((await width()) - before - 24) <= 1);
  await page.keyboard.press('-');
  const box = await record(grid).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 100, { steps: 3 });
  await page.mouse.up();
  const wider = await width();
  assert.ok(Math.abs(wider - before - 60) <= 2);
  await page.reload();
  await grid.cell(0, 0).click();
  await page.keyboard.press('Space');
  await record(grid).waitFor();
  assert.ok(Math.abs((await width()) - wider) <= 1);
});

gridTest(
  'names and values are side by side, and lines of bytes fit, however narrow the record',
  content,
  async grid => {
    await grid.page.setViewportSize({ width: 600, height: 400 });
    await grid.cell(0, 0).click();
    await grid.page.keyboard.press('Space');
    const bytes = field(grid, 'bytes').getByText('0000  53 51 4c 69');
    await bytes.waitFor();
    // The bytes find their width after the first paint, which may move the fields.
    const isBesideName = async (): Promise<boolean> => {
      const name = await field(grid, 'note').getByRole('term').boundingBox();
      const value = await field(grid, 'note').getByRole('definition').boundingBox();
      return !!name && !!value && name.x + name.width <= value.x && Math.abs(name.y - value.y) < 4;
    };
    await waitUntil(isBesideName, { what: 'the value is not beside its name' });
    for (const [width, shown] of [
      [600, '0000  53 51 4c 69  SQLi\n0004  74 65 00 ff  te..'],
      [1440, '0000  53 51 4c 69 74 65 00 ff                          SQLite..'],
      [1000, '0000  53 51 4c 69 74 65 00 ff  SQLite..'],
    ] as const) {
      await grid.page.setViewportSize({ width, height: 400 });
      let seen = '';
      await waitUntil(async () => (seen = (await bytes.textContent()) ?? '') === shown, {
        what: () => `at ${width} pixels, the bytes are ${seen}`,
      });
      assert.equal(await bytes.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    }
  },
);

const farColumns: GridContent = { ...wideRecord, columns: wideRecord.columns.slice(0, 12) };
gridTest('the grid scrolls so that the active cell stays in view beside the record', farColumns, async grid => {
  const { page } = grid;
  const active = activeCell(page, 9);
  const isInView = async (): Promise<boolean> => {
    const view = await grid.grid.boundingBox();
    const cell = await active.boundingBox();
    return view !== null && cell !== null && cell.x >= view.x && cell.x + cell.width <= view.x + view.width;
  };
  await grid.cell(5, 7).click();
  await page.keyboard.press('Space');
  await record(grid).getByText('Row 6').waitFor();
  await waitUntil(isInView, { what: 'the record hides the active cell' });
  for (let count = 0; count < 4; count++) await page.keyboard.press('+');
  await waitUntil(isInView, { what: 'the wider record hides the active cell' });
});
