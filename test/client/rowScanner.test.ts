import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectError } from '../../src/base/errors.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { everyCut, readRows, scannerOf, singleBytes } from '../support/scanChunks.ts';
import { rejection } from '../support/scriptedServer.ts';

const three = ['{"rows":[{"a":1,"b":1},{"a":2', ',"b":2},{"a":3,"b":3}],"ok":true}'].map(text => Buffer.from(text));

test('Streaming 3: next() writes each row into the same object', async () => {
  const scanner = scannerOf(three);
  const into: Record<string, unknown> = { own: 'stays' };
  const seen: unknown[] = [];
  while (await scanner.next(into)) seen.push({ ...into });
  assert.deepEqual(
    seen,
    [1, 2, 3].map(a => ({ own: 'stays', a, b: a })),
  );
  assert.equal(await scanner.next(into), false);
  assert.equal(scanner.err(), undefined);
});

test('Streaming 3: next() removes keys that the next row does not have', async () => {
  const scanner = scannerOf([Buffer.from('{"rows":[{"a":1},{"b":2}]}')]);
  const into = {};
  await scanner.next(into);
  await scanner.next(into);
  assert.deepEqual(into, { b: 2 });
});

test('Streaming 3: concurrent calls of next() each get a row of their own', async () => {
  const scanner = scannerOf(singleBytes(Buffer.concat(three)));
  const rows: Record<string, unknown>[] = [{}, {}, {}, {}];
  const had = await Promise.all(rows.map(row => scanner.next(row)));
  assert.deepEqual(had, [true, true, true, false]);
  assert.deepEqual(
    rows.map(row => row['a']),
    [1, 2, 3, undefined],
  );
});

test('Streaming 4: err() is undefined before the end and after a clean end', async () => {
  const scanner = scannerOf(three);
  assert.equal(await scanner.next({}), true);
  assert.equal(scanner.err(), undefined);
  for await (const row of scanner) assert.ok(row['a']);
  assert.equal(scanner.err(), undefined);
});

test('Streaming 5: after close() there is no row and no error, and close() may be repeated', async () => {
  const scanner = scannerOf(three);
  await scanner.next({});
  await scanner.close();
  await scanner.close();
  assert.equal(await scanner.next({}), false);
  assert.equal(scanner.err(), undefined);
});

test('Streaming 8: a row beyond maxRowBytes is an error, a row of exactly that size is not', async () => {
  const document = '{"rows":[{"a":1},{"a":"12345678"},{"a":"123456789"}],"ok":true}';
  for (const chunks of everyCut(document)) {
    const scanner = scannerOf(chunks, { maxRowBytes: 16 });
    const { rows, fault } = await readRows(scanner);
    assert.deepEqual(rows, [{ a: 1 }, { a: '12345678' }]);
    assert.equal((fault as ProjectError).code, 'row_too_large');
  }
});

test('Streaming 8: the rest of the answer is limited too', async () => {
  const { fault } = await readRows(
    scannerOf([Buffer.from(`{"x":"${'x'.repeat(100)}","rows":[]}`)], { maxRowBytes: 50 }),
  );
  assert.equal((fault as ProjectError).code, 'answer_too_large');
});

test('Raw batches: the rows of a chunk are one batch of the service’s own bytes', async () => {
  const document = String.raw`{"rows":[{"a":1.50, "b":"\u0041"} ,{"a":2},{"a":3}],"ok":true}`;
  for (const chunks of [...everyCut(document), singleBytes(document)]) {
    const scanner = scannerOf(chunks);
    const texts: string[] = [];
    let rowCount = 0;
    for await (const batch of scanner.rawBatches()) {
      const text = Buffer.from(batch.bytes).toString();
      assert.equal((JSON.parse(`[${text}]`) as unknown[]).length, batch.rowCount);
      texts.push(text);
      rowCount += batch.rowCount;
    }
    assert.equal(rowCount, 3);
    assert.ok(texts.length <= 3 && texts[0]!.startsWith(String.raw`{"a":1.50, "b":"\u0041"}`));
    assert.deepEqual(JSON.parse(`[${texts.join(',')}]`), [{ a: 1.5, b: 'A' }, { a: 2 }, { a: 3 }]);
  }
  assert.equal((await Array.fromAsync(scannerOf([Buffer.from(document)]).rawBatches())).length, 1);
});

test('Raw batches: only a row in two chunks is copied', async () => {
  const chunks = ['{"rows":[{"a":1},{"a"', ':2},{"a":3},{"a":4}]}'].map(text => new TextEncoder().encode(text));
  const batches = await Array.fromAsync(scannerOf(chunks).rawBatches());
  assert.deepEqual(
    batches.map(({ bytes: { buffer } }) => chunks.findIndex(chunk => chunk.buffer === buffer)),
    [0, -1, 1],
  );
  assert.deepEqual(
    batches.map(batch => Buffer.from(batch.bytes).toString()),
    ['{"a":1}', '{"a":2}', '{"a":3},{"a":4}'],
  );
});

test('Raw batches: a scanner gives decoded rows or raw batches, not both', async () => {
  const scanner = scannerOf(three);
  await scanner.next({});
  assert.equal(((await rejection(scanner.rawBatches().next())) as ProjectError).kind, 'misuse');
});

test('Raw batches: whole rows before a fault come first, then err() is set', async () => {
  const scanner = scannerOf([
    Buffer.concat([Buffer.from('{"rows":[{"a":1},{"a":"'), Buffer.of(0xff), Buffer.from('"}],"ok":true}')]),
  ]);
  const batches = await Array.fromAsync(scanner.rawBatches());
  assert.deepEqual(
    batches.map(batch => Buffer.from(batch.bytes).toString()),
    ['{"a":1}'],
  );
  assert.equal((scanner.err() as ProjectError).code, 'invalid_utf8');
});

test('Columns: columns are the first row’s keys in the order of the text, then those that the service names', async () => {
  const scanner = scannerOf(
    [
      '{"rows":[{"b":1,"10":{"x":1},"2":[{"y":2}],"b":3}',
      ',{"b":2}],"columns":[{"name":"b","type":"TEXT"}],"ok":true}',
    ].map(text => Buffer.from(text)),
  );
  assert.equal(scanner.columns, undefined);
  await scanner.next({});
  assert.deepEqual(
    scanner.columns,
    ['b', '10', '2'].map(name => ({ name, type: '' })),
  );
  assert.deepEqual((await readRows(scanner)).rows, [{ b: 2 }]);
  assert.deepEqual(scanner.columns, [{ name: 'b', type: 'TEXT' }]);
});

test('Columns: an answer without rows names its columns, and columns may come before rows', async () => {
  const empty = scannerOf([Buffer.from('{"rows":[],"columns":[{"name":"id","type":"INTEGER"}],"ok":true}')]);
  await readRows(empty);
  assert.deepEqual(empty.columns, [{ name: 'id', type: 'INTEGER' }]);
  const before = scannerOf([
    Buffer.from('{"columns":[{"name":"id","type":"INTEGER"}],"rows":[{"id":1}'),
    Buffer.from(']}'),
  ]);
  await before.next({});
  assert.deepEqual(before.columns, [{ name: 'id', type: 'INTEGER' }]);
});

test('Answer: row_count and the number of bytes are known at the end', async () => {
  const document = '{"ok":true,"row_count":3}';
  const scanner = scannerOf([Buffer.from(document)]);
  await readRows(scanner);
  assert.equal(scanner.rowCount, 3);
  assert.equal(scanner.bytesRead, document.length);
});

test('Values: __proto__ is a column like any other', async () => {
  const document = '{"rows":[{"__proto__":{"evil":1},"a":9007199254740993},{"__proto__":2}],"ok":true}';
  const into: Record<string, unknown> = {};
  const scanner = scannerOf([Buffer.from(document)]);
  await scanner.next(into);
  assert.deepEqual(Object.keys(into), ['__proto__', 'a']);
  assert.equal(Object.getPrototypeOf(into), Object.prototype);
  const { rows } = await readRows(scanner);
  assert.ok(rows.every(row => Object.hasOwn(row, '__proto__')));
  assert.equal(({} as Record<string, unknown>)['evil'], undefined);
});

test('Values: without exactIntegers, large integers are numbers', async () => {
  const scanner = scannerOf([Buffer.from('{"rows":[{"a":9007199254740993}]}')], { exactIntegers: false });
  assert.deepEqual((await readRows(scanner)).rows, [{ a: 9007199254740992 }]);
});

test('Errors: a refusal has the reason of the service, or says that there is none', async () => {
  for (const [document, message] of [
    ['{"ok":"false","error":"x"}', 'x'],
    ['{"ok":false,"error":{"message":"x"}}', 'x'],
    ['{"ok":0}', 'The service answered that the call failed, without a reason.'],
  ] as const) {
    const { fault } = await readRows(scannerOf([Buffer.from(document)]));
    assert.ok(fault instanceof ServiceError);
    assert.equal(fault.message, message);
  }
});

test('Errors: a refusal in the answer keeps its code, message and details', async () => {
  const { fault } = await readRows(
    scannerOf([Buffer.from('{"ok":false,"code":"sql_error","message":"near x","details":{"offset":3}}')]),
  );
  assert.ok(fault instanceof ServiceError);
  assert.deepEqual(
    [fault.status, fault.code, fault.message, fault.details],
    [200, 'sql_error', 'near x', { offset: 3 }],
  );
});
