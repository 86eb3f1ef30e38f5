/** Reading a cell of a large row takes no longer than finding its end: the rows thread has other rows to show. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CellReader } from '../../../../src/model/results/thread/cellReader.ts';
import { RowsFile } from '../../../../src/model/results/thread/rowsFile.ts';
import { assertWithin, cpuMs } from '../../../support/cpuTime.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const megabytes32 = 2 ** 25;

/** Twice what it takes. */
const maxMs = 600;

for (const [what, unit] of [
  ['plain text', 'x'],
  ['escapes', String.raw`\u00e9\n\"`],
] as const) {
  test(`a cell with 32 MB of ${what} is shown in a fraction of a second`, async context => {
    const folder = temporaryFolder();
    const row = `{"a":"${unit.repeat(megabytes32 / unit.length)}","b":3}`;
    const file = join(folder, 'rows');
    writeFileSync(file, row);
    const place = { offset: 0, length: row.length, skippedRows: 0, rowCount: 1 };
    const columns = ['a', 'b'].map(name => ({ name, type: 'TEXT' }));
    const rowsFile = new RowsFile(file, new SharedArrayBuffer(1024));
    context.after(() => rowsFile.close());
    await assertWithin(maxMs, () => {
      const reader = new CellReader(rowsFile);
      return cpuMs(() => {
        const [shown] = reader.rows(place, columns);
        assert.ok(shown?.[0]?.kind === 'text' && shown[0].text.length === 1000);
        assert.deepEqual(shown[1], { kind: 'integer', text: '3' });
        assert.equal(reader.cell(place, columns, 0, 2000).length, shown[0].length);
      });
    });
  });
}

test('a row that a damaged file does not have is empty, and shows no values of another row', context => {
  const folder = temporaryFolder();
  const file = join(folder, 'rows');
  const rows = '{"a":"first"}';
  writeFileSync(file, rows);
  const rowsFile = new RowsFile(file, new SharedArrayBuffer(1024));
  context.after(() => rowsFile.close());
  const reader = new CellReader(rowsFile);
  const columns = [{ name: 'a', type: 'TEXT' }];
  const cellAfter = (skippedRows: number) =>
    reader.cell({ offset: 0, length: rows.length, skippedRows, rowCount: 1 }, columns, 0, 100);
  assert.deepEqual(cellAfter(0), { kind: 'text', text: 'first' });
  assert.deepEqual(cellAfter(1), { kind: 'null' });
});
