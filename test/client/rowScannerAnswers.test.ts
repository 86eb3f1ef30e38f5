import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import type { Row } from '../../src/wire/values.ts';
import { everyCut, readRows, scannerOf, singleBytes } from '../support/scanChunks.ts';

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

/** Texts and bytes as one answer. The overloads of `Buffer.from` take either, but not both. */
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const rowsAnywhere: readonly Case[] = [
  { name: 'rows first', document: '{"rows":[{"a":1},{"a":2}],"ok":true}', rows: [{ a: 1 }, { a: 2 }] },
  { name: 'rows last', document: '{"ok":true,"columns":[{"name":"a"}],"rows":[{"a":1}]}', rows: [{ a: 1 }] },
  {
    name: 'after nested keys named rows',
    document: '{"meta":{"rows":[{"no":1}],"x":[[{"rows":[{}]}]]},"rows":[{"a":1}],"ok":true}',
    rows: [{ a: 1 }],
  },
  {
    name: 'after strings that say rows',
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
    name: 'rows after rows that are null',
    document: '{"rows":null,"rows":[{"a":1}]}',
    rows: [],
    code: 'duplicate_rows',
  },
  {
    name: 'a number after rows',
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

/** Each name begins with the section of the interface specification that it proves. */
const tables: readonly (readonly [clause: string, cases: readonly Case[]])[] = [
  ['Streaming 2: rows are found at any place of the answer', rowsAnywhere],
  ['Streaming 3: a row of any shape is decoded', rowShapes],
  ['Values: an integer beyond 2^53 is a bigint, and nothing else is', exactIntegers],
  ['Streaming 6: without a rows array there is no row and no error', noRows],
  ['Streaming 7: rows before a fault are delivered, then err() is set', faults],
  ['Errors: an error, or an ok that is not true, is a service error whatever the status', refusals],
  ['Errors: rows that are neither an array nor null are an error', unusableRows],
  ['Errors: an answer with neither ok nor rows nor row_count is not the answer to a statement', otherAnswers],
];
for (const [clause, cases] of tables) {
  for (const one of cases) test(`${clause}: ${one.name}`, () => check(one));
}
