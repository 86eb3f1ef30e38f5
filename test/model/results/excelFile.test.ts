import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import readWorkbook, { type Sheet } from 'read-excel-file/node';
import { excelFile } from '../../../src/model/results/excelFile/excelFile.ts';
import { ByteWriter } from '../../../src/model/results/thread/formats/byteWriter.ts';
import { RowCells } from '../../../src/model/results/thread/formats/rowCells.ts';
import { sheets } from '../../../src/model/results/thread/formats/sheets.ts';
import { createWalker } from '../../../src/model/results/thread/rowsFile.ts';
import type { TextRequest } from '../../../src/model/results/rowQueries.ts';
import { allCells, notAborted, openRows, type RowsUnderTest } from '../../support/queriedRows.ts';

type Options = Partial<TextRequest> & { readonly sheetName?: string; readonly lines?: readonly string[] };

async function bytesOf(
  rows: RowsUnderTest,
  { sheetName = 'Orders', lines, ...options }: Options = {},
): Promise<{ readonly bytes: Buffer; readonly cutTexts: number }> {
  let counted = -1;
  const usual = { format: 'xlsx', headers: true, guardFormulas: false, table: 't' } as const;
  const ranges = [allCells(rows, rows.columns.length)];
  const file = excelFile(rows.queries.text({ ...usual, ranges, ...options }, notAborted), {
    sheetName,
    lastSheet: cutTexts => {
      counted = cutTexts;
      return lines && { name: 'SQL', lines };
    },
  });
  return { bytes: Buffer.concat(await Array.fromAsync(file)), cutTexts: counted };
}

const read = async (bytes: Buffer): Promise<Sheet[]> => readWorkbook(bytes, { trim: false });

const sample = (context: TestContext): Promise<RowsUnderTest> =>
  openRows(context, ['id', 'text', { name: 'blob', type: 'BLOB' }]);

test('each cell of an Excel file is read back as it was', async context => {
  const rows = await sample(context);
  await rows.add(
    { id: 1, text: 'plain', blob: 'AP8=' },
    { id: -2.5, text: ' spaces & <tags> "quotes" ü 😀 ', blob: null },
    { id: 9_007_199_254_740_993n, text: '=1+1', blob: null },
    { id: null, text: 'two\nlines', blob: null },
    { id: true, text: '2024-02-29', blob: null },
    { id: 1e300, text: '2024-02-29 13:45:30', blob: null },
    { id: 0, text: '2023-02-29', blob: null },
  );
  const { bytes, cutTexts } = await bytesOf(rows);
  const [sheet, ...others] = await read(bytes);
  assert.equal(sheet?.sheet, 'Orders');
  assert.deepEqual(others, []);
  assert.equal(cutTexts, 0);
  assert.deepEqual(sheet.data, [
    ['id', 'text', 'blob'],
    [1, 'plain', '0x00FF'],
    [-2.5, ' spaces & <tags> "quotes" ü 😀 ', null],
    ['9007199254740993', '=1+1', null],
    [null, 'two\nlines', null],
    [true, new Date('2024-02-29T00:00:00Z'), null],
    [1e300, new Date('2024-02-29T13:45:30Z'), null],
    [0, '2023-02-29', null],
  ]);
});

test('characters that XML or Excel reads in another way come back', async context => {
  const rows = await openRows(context, ['text']);
  const texts = ['\0 \u0007 \u001f', 'a\r\nb\tc', '_x0041_', '\ud800 alone', '\uffff', ']]>', '&amp;', '_', 'x_x00_'];
  await rows.add(...texts.map(text => ({ text })));
  const [sheet] = await read((await bytesOf(rows)).bytes);
  assert.deepEqual(
    sheet!.data.slice(1).map(([text]) => text),
    texts,
  );
});

test('rows beyond the limit of a sheet are in another one with the same header', async () => {
  const { walker, slots } = createWalker([0], [{ name: 'n', type: '' }]);
  const row = Buffer.from('{"n":7}""""');
  walker.read(row, 0, 7);
  const cells = new RowCells([{ name: 'n', type: '' }], slots, walker, true);
  const format = sheets({ headers: true, guardFormulas: false, table: 't', oneCell: false, width: 1 });
  const writer = new ByteWriter();
  const pieces: Uint8Array[] = [];
  format.header?.(writer, cells);
  for (let nth = 0; nth < 1_048_576 + 5; nth++) {
    format.row(writer, cells);
    if (writer.length > 1 << 20) pieces.push(writer.take());
  }
  format.end?.(writer);
  pieces.push(writer.take());
  const [first, second, end] = Buffer.concat(pieces).toString('latin1').split('\0');
  assert.equal(first!.match(/<row /g)?.length, 1_048_576);
  assert.equal(second!.match(/<row /g)?.length, 1 + 6);
  assert.equal(end, '{"cutTexts":0}');
  const few = [`${second!}\0${second!.slice(0, 1000)}`, `${second!.slice(1000)}\0${end}`].map(text =>
    Buffer.from(text),
  );
  const file = excelFile(Readable.from(few), {
    sheetName: 'Orders',
    lastSheet: () => ({ name: 'SQL', lines: ['SELECT 1', 'FROM t'] }),
  });
  const found = await readWorkbook(Buffer.concat(await Array.fromAsync(file)), { trim: false });
  assert.deepEqual(
    found.map(({ sheet, data }) => [sheet, data.length, data[0]]),
    [
      ['Orders', 7, ['n']],
      ['Orders (2)', 7, ['n']],
      ['SQL', 2, ['SELECT 1']],
    ],
  );
});

test('long texts are cut and counted, and a result without rows has its header', async context => {
  const rows = await openRows(context, ['text']);
  await rows.add({ text: 'x'.repeat(32_767) }, { text: 'y'.repeat(40_000) });
  const { bytes, cutTexts } = await bytesOf(rows, { sheetName: "a/b:[c]*'?" });
  const [sheet] = await read(bytes);
  assert.equal(cutTexts, 1);
  assert.equal(sheet!.sheet, 'a b  c');
  assert.deepEqual(
    sheet!.data.slice(1).map(([text]) => String(text).length),
    [32_767, 32_767],
  );
  const none = await openRows(context, ['a', 'b']);
  assert.deepEqual((await read((await bytesOf(none, { sheetName: 'History' })).bytes))[0], {
    sheet: 'Rows',
    data: [['a', 'b']],
  });
});

test('an export that is stopped ends the work, and one with too many columns says so', async context => {
  const wide = await openRows(
    context,
    Array.from({ length: 16_385 }, (_, nth) => `c${nth}`),
  );
  await wide.add({ c0: 1 });
  await assert.rejects(bytesOf(wide), { code: 'too_many_columns' });
  const rows = await openRows(context, ['id']);
  await rows.add(...Array.from({ length: 5000 }, (_, id) => ({ id })));
  const controller = new AbortController();
  controller.abort();
  const request = { format: 'xlsx', headers: true, guardFormulas: false, table: 't' } as const;
  const pieces = rows.queries.text({ ...request, ranges: [allCells(rows, 1)] }, { signal: controller.signal });
  const file = excelFile(pieces, { sheetName: '', lastSheet: () => undefined });
  await assert.rejects(Array.fromAsync(file), { name: 'AbortError' });
});
