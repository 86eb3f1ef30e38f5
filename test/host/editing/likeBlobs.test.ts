import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** The service sends a BLOB as base64 text, whatever the type of its column. */

const service = await startTestService();

const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown }).code;

test('a row without a key is edited where a column without a type has a BLOB, or a BLOB column a text', async () => {
  await using table = await SavedTable.open(service, 'loose', [
    'CREATE TABLE loose (n INTEGER, a, b BLOB, c TEXT)',
    `INSERT INTO loose VALUES (1, x'00ff', 'plain text', x''), (2, 'AP8=', 'AP8=', ''), (3, x'', x'616263', 'abcd')`,
  ]);
  await table.set([0, 'n', int(10)], [1, 'n', int(20)], [2, 'n', int(30)]);
  await table.save();
  assert.deepEqual(await table.values('SELECT n, quote(a), quote(b), quote(c) FROM loose ORDER BY n'), [
    [10, `X'00FF'`, `'plain text'`, `X''`],
    [20, `'AP8='`, `'AP8='`, `''`],
    [30, `X''`, `X'616263'`, `'abcd'`],
  ]);
  await table.delete(0);
  await table.save();
  assert.deepEqual(await table.values('SELECT n FROM loose ORDER BY n'), [[20], [30]]);
});

test('a row is edited by a key without a type that is a BLOB', async () => {
  await using table = await SavedTable.open(service, 'keyed', [
    'CREATE TABLE keyed (k NOT NULL UNIQUE, n)',
    `INSERT INTO keyed VALUES (x'00ff', 1), ('name', 2)`,
  ]);
  await table.set([1, 'n', int(10)], [0, 'n', text('two')]);
  await table.save();
  assert.deepEqual(await table.values('SELECT n FROM keyed ORDER BY typeof(k)'), [[10], ['two']]);
});

test('neither of two rows that look the same is edited by mistake, and the message says why', async () => {
  await using table = await SavedTable.open(service, 'alike', [
    'CREATE TABLE alike (n INTEGER, a)',
    `INSERT INTO alike VALUES (1, x'00ff'), (1, 'AP8='), (2, x'00ff')`,
  ]);
  for (const row of [0, 1]) {
    await assert.rejects(table.set([row, 'n', int(10)]), thrown => codeOf(thrown) === 'rows_alike');
  }
  await table.set([2, 'n', int(20)]);
  await table.save();
  assert.deepEqual(await table.values('SELECT n FROM alike ORDER BY n'), [[1], [1], [20]]);
});
