import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import type { Row } from '../../src/wire/values.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { everyCut, readRows, scannerOf, singleBytes } from '../support/scanChunks.ts';
import { rejection } from '../support/scriptedServer.ts';

interface Case {
  readonly name: string;
  readonly document: string | Uint8Array;
  readonly rows: readonly Row[];
  /** The code of the error; none for a clean end. */
  readonly code?: string;
}

/** Expects the same rows and the same fault wherever the document is cut. */
async function check({ name, document, rows, code }: Case): Promise<void> {
  for (const chunks of [...everyCut(document), singleBytes(document)]) {
    const scanned = await readRows(scannerOf(chunks));
    const where = `${name}, cut after ${chunks[0]?.length ?? 0} bytes`;
    assert.deepEqual(scanned.rows, rows, where);
    assert.equal(scanned.fault instanceof ProjectError ? scanned.fault.code : scanned.fault, code, where);
  }
}

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const rowsAnywhere: readonly Case[] = [
  { name: 'rows first', document: '{"rows":[{"a":1},{"a":2}],"ok":true}', rows: [{ a: 1 }, { a: 2 }] },
  { name: 'rows last', document: '{"ok":true,"columns":[{"name":"a"}],"rows":[{"a":1}]}', rows: [{ a: 1 }] },
  {
    name: 'behind nested keys named rows',
    document: '{"meta":{"rows":[{"no":1}],"x":[[{"rows":[{}]}]]},"rows":[{"a":1}],"ok":true}',
    rows: [{ a: 1 }],
  },
  {
    name: 'behind strings that say rows',
    document: String.raw`{"note":"\"rows\":[{","rows ":[1],"list":["rows",[]],"rows":[{"a":"]}"}]}`,
    rows: [{ a: ']}' }],
  },
  { name: 'a key that spells rows with escapes', document: '{"r\\u006fws":[{"a":1}]}', rows: [{ a: 1 }] },
  { name: 'blanks everywhere', document: ' \n{ "rows" :\t[ {"a" : 1} ,\r\n{ } ] }\n', rows: [{ a: 1 }, {}] },
  { name: 'no rows at all in rows', document: '{"rows":[ ],"ok":true}', rows: [] },
];

const rowShapes: readonly Case[] = [
  {
    name: 'strings that look like row ends',
    document: String.raw`{"rows":[{"a":"x},{"},{"a":"},{\"b\":"},{"a":"\\"},{"a":"\\\"},{"}]}`,
    rows: [{ a: 'x},{' }, { a: '},{"b":' }, { a: '\\' }, { a: '\\"},{' }],
  },
  {
    name: 'arrays of objects in a row',
    document: '{"rows":[{"k":[{"a":1},{"b":2}],"a":3},{"k":[],"a":{"b":{}}},{"a":4}]}',
    rows: [{ k: [{ a: 1 }, { b: 2 }], a: 3 }, { k: [], a: { b: {} } }, { a: 4 }],
  },
  {
    name: 'keys that begin with what may follow a string',
    document: '{"rows":[{"}":1},{",":2},{" ":3},{"":4},{":":5},{"]":6}]}',
    rows: [{ '}': 1 }, { ',': 2 }, { ' ': 3 }, { '': 4 }, { ':': 5 }, { ']': 6 }],
  },
  {
    name: 'other scripts',
    document: '{"rows":[{"név":"日本 🎉"},{"név":"é"}]}',
    rows: [{ név: '日本 🎉' }, { név: 'é' }],
  },
  {
    name: 'NULL, empty, zero and false',
    document: '{"rows":[{"a":null,"b":"","c":0,"d":false}]}',
    rows: [{ a: null, b: '', c: 0, d: false }],
  },
  {
    name: 'infinities',
    document: '{"rows":[{"a":9e999,"b":-9e999}]}',
    rows: [{ a: Infinity, b: -Infinity }],
  },
];

const exactIntegers: readonly Case[] = [
  {
    name: 'integers beyond 2^53',
    document: '{"rows":[{"a":9007199254740993},{"a":-9223372036854775808},{"a":9007199254740991},{"a":7}]}',
    rows: [{ a: 9007199254740993n }, { a: -9223372036854775808n }, { a: 9007199254740991 }, { a: 7 }],
  },
  {
    name: 'long digits that are no integers',
    document: '{"rows":[{"a":0.12345678901234567},{"a":"9007199254740993"},{"a":12345678901234567.5}]}',
    rows: [{ a: Number('0.12345678901234567') }, { a: '9007199254740993' }, { a: Number('12345678901234567.5') }],
  },
];

const faults: readonly Case[] = [
  {
    name: 'the array is not closed',
    document: '{"rows":[{"a":1},{"a":2}',
    rows: [{ a: 1 }, { a: 2 }],
    code: 'incomplete_answer',
  },
  { name: 'the body ends in a row', document: '{"rows":[{"a":1},{"a":', rows: [{ a: 1 }], code: 'incomplete_answer' },
  {
    name: 'the object is not closed',
    document: '{"rows":[{"a":1}],"ok":true',
    rows: [{ a: 1 }],
    code: 'incomplete_answer',
  },
  { name: 'the body is empty', document: '', rows: [], code: 'incomplete_answer' },
  {
    name: 'bad UTF-8 in a row',
    document: bytes('{"rows":[{"a":1},{"a":"', [0xc3, 0x28], '"},{"a":3}],"ok":true}'),
    rows: [{ a: 1 }],
    code: 'invalid_utf8',
  },
  {
    name: 'bad UTF-8 around rows',
    document: bytes('{"rows":[{"a":1}],"x":"', [0xff], '"}'),
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  {
    name: 'half a character behind the document',
    document: bytes('{"rows":[{"a":1}]}', [0xc3]),
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  { name: 'trailing garbage', document: '{"rows":[{"a":1}]} x', rows: [{ a: 1 }], code: 'invalid_json' },
  {
    name: 'a second document',
    document: '{"rows":[{"a":1}]}{"rows":[{"a":2}]}',
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  {
    name: 'a row that is a number',
    document: '{"rows":[{"a":1},7,{"a":2}]}',
    rows: [{ a: 1 }],
    code: 'row_not_object',
  },
  {
    name: 'a row that is an array',
    document: '{"rows":[{"a":1},[{"a":2}]]}',
    rows: [{ a: 1 }],
    code: 'row_not_object',
  },
  { name: 'a row that is null', document: '{"rows":[null]}', rows: [], code: 'row_not_object' },
  { name: 'a comma too many', document: '{"rows":[{"a":1},]}', rows: [{ a: 1 }], code: 'row_not_object' },
  { name: 'a comma too few', document: '{"rows":[{"a":1}{"a":2}]}', rows: [{ a: 1 }], code: 'invalid_json' },
  {
    name: 'a row that is not JSON',
    document: '{"rows":[{"a":1},{"a":tru},{"a":2}]}',
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  {
    name: 'a bracket of the wrong kind',
    document: '{"rows":[{"a":1},{"a":[}},{"a":2}]}',
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  {
    name: 'a raw line break in a string',
    document: '{"rows":[{"a":1},{"a":"\n"}]}',
    rows: [{ a: 1 }],
    code: 'invalid_json',
  },
  { name: 'a fault before the rows', document: '{"x":tru,"rows":[{"a":1}]}', rows: [], code: 'invalid_json' },
  {
    name: 'two arrays of rows',
    document: '{"rows":[{"a":1}],"rows":[{"a":2}]}',
    rows: [{ a: 1 }],
    code: 'duplicate_rows',
  },
  {
    name: 'rows behind rows that are null',
    document: '{"rows":null,"rows":[{"a":1}]}',
    rows: [],
    code: 'duplicate_rows',
  },
  {
    name: 'a number behind rows',
    document: '{"rows":[{"a":1}],"r\\u006fws":2}',
    rows: [{ a: 1 }],
    code: 'duplicate_rows',
  },
  { name: 'an answer that is an array', document: '[{"rows":[{"a":1}]}]', rows: [], code: 'not_an_object' },
  { name: 'an answer that is a text', document: '"rows"', rows: [], code: 'not_an_object' },
];

const noRows: readonly Case[] = [
  { name: 'a statement without rows', document: '{"ok":true,"row_count":3}', rows: [] },
  { name: 'the number of changed rows alone', document: '{"row_count":0}', rows: [] },
  { name: 'success alone', document: '{"ok":true}', rows: [] },
  { name: 'rows that are null', document: '{"rows":null}', rows: [] },
  { name: 'an error that is null', document: '{"ok":true,"error":null}', rows: [] },
];

const refusals: readonly Case[] = [
  { name: 'instead of rows', document: '{"ok":false,"code":"sql_error","message":"no"}', rows: [], code: 'sql_error' },
  {
    name: 'after rows',
    document: '{"rows":[{"a":1}],"ok":false,"code":"busy","error":"no"}',
    rows: [{ a: 1 }],
    code: 'busy',
  },
  { name: 'an ok that is 0', document: '{"ok":0}', rows: [], code: 'http_200' },
  { name: 'an ok that is null', document: '{"ok":null,"row_count":1}', rows: [], code: 'http_200' },
  { name: 'an ok that is a text', document: '{"ok":"true","rows":[{"a":1}]}', rows: [{ a: 1 }], code: 'http_200' },
  { name: 'an error without ok', document: '{"error":"x","code":"y"}', rows: [], code: 'y' },
  { name: 'an error after rows', document: '{"rows":[{"a":1}],"error":"x"}', rows: [{ a: 1 }], code: 'http_200' },
  {
    name: 'an error beside ok true',
    document: '{"ok":true,"row_count":1,"error":"x","code":"y"}',
    rows: [],
    code: 'y',
  },
  { name: 'an error with a code of its own', document: '{"error":{"code":"y","message":"x"}}', rows: [], code: 'y' },
];

const otherAnswers: readonly Case[] = [
  { name: 'nothing', document: '{}', rows: [], code: 'not_an_sql_answer' },
  { name: 'other keys', document: '{"code":"y","status":"fine"}', rows: [], code: 'not_an_sql_answer' },
  { name: 'rows that are a text', document: '{"rows":"none"}', rows: [], code: 'not_an_sql_answer' },
];

const unusableRows: readonly Case[] = [
  { name: 'an object', document: '{"rows":{"rows":[{"a":1}]},"ok":true}', rows: [], code: 'unexpected_answer' },
  { name: 'a text', document: '{"ok":true,"rows":"none"}', rows: [], code: 'unexpected_answer' },
  { name: 'a number', document: '{"row_count":1,"rows":1}', rows: [], code: 'unexpected_answer' },
  { name: 'false', document: '{"ok":true,"rows":false}', rows: [], code: 'unexpected_answer' },
  { name: 'a text in a refusal', document: '{"ok":false,"code":"busy","rows":"none"}', rows: [], code: 'busy' },
];

const tables: readonly (readonly [clause: string, cases: readonly Case[]])[] = [
  ['Streaming 2: rows are found wherever they stand', rowsAnywhere],
  ['Streaming 3: a row is decoded whatever it looks like', rowShapes],
  ['Values: an integer beyond 2^53 is a bigint, and nothing else is', exactIntegers],
  ['Streaming 6: without a rows array there is no row and no error', noRows],
  ['Streaming 7: rows before a fault are delivered, then err() is set', faults],
  ['Errors: an error, or an ok that is not true, is a service error whatever the status', refusals],
  ['Errors: rows that are neither an array nor null are no success', unusableRows],
  ['Errors: an answer with neither ok nor rows nor row_count is not the answer to a statement', otherAnswers],
];
for (const [clause, cases] of tables) {
  for (const one of cases) test(`${clause}: ${one.name}`, () => check(one));
}

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
  const scanner = scannerOf([bytes('{"rows":[{"a":1},{"a":"', [0xff], '"}],"ok":true}')]);
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

test('Errors: a refusal gives the reason of the service, or says that there is none', async () => {
  for (const [document, message] of [
    ['{"ok":"false","error":"x"}', 'x'],
    ['{"ok":false,"error":{"message":"x"}}', 'x'],
    ['{"ok":0}', 'The service answered that the call failed, and gave no reason.'],
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
