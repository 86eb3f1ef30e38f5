import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import chain from 'stream-chain';
import { parser } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { seeded } from '../../fuzz/random.ts';
import { ImportFolder, readRows, readRowsOf } from '../../support/importSource.ts';

test('numbers keep their spelling, booleans are 1 and 0, and nested values stay JSON', async () => {
  const content = String.raw`[{"a": 12345678901234567890, "b": 1.50, "c": "007", "d": null, "e": true, "f": {"x": [1, 2]}},
    {"b": "a\"\\b\u0000", "a": 1e5, "e": false}]`;
  const { columns, rows, lines } = await readRows('a.json', content);
  assert.deepEqual(columns, ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual(rows, [
    ['12345678901234567890', '1.50', '007', null, '1', '{"x": [1, 2]}'],
    ['1e5', 'a"\\b\0', null, null, '0', null],
  ]);
  assert.deepEqual(lines, [1, 2]);
});

test('rows of NDJSON that are not objects are rejected, and the others are read', async () => {
  const content = '{"a":1}\n\n{"a":\n[2]\n{"a":"\\ud800"}\n{"a":3}';
  const { rows, faults } = await readRows('a.ndjson', content);
  assert.deepEqual(rows, [['1'], ['3']]);
  assert.deepEqual(
    faults.map(([line, { kind }]) => [line, kind]),
    [
      [3, 'invalidJson'],
      [4, 'notAnObject'],
      [5, 'encoding'],
    ],
  );
});

test('a field that no column takes rejects its row', async () => {
  const lines = Array.from({ length: 1200 }, (_, id) => (id === 1100 ? `{"id":${id},"late":1}` : `{"id":${id}}`));
  const { rows, faults } = await readRows('a.ndjson', lines.join('\n'));
  assert.equal(rows.length, 1199);
  assert.deepEqual(faults, [[1101, { kind: 'unknownField', name: 'late' }, '{"id":1100,"late":1}']]);
});

test('a field that a row has twice rejects the row, however its name is spelled', async () => {
  const objects = ['{"a":1,"b":2}', '{"a":1,"b":2,"\\u0061":3}', '{"b":{"x":1,"x":2}}'];
  for (const [format, content] of [
    ['ndjson', objects.join('\n')],
    ['json', `[${objects.join(',\n')}]`],
  ] as const) {
    const { rows, faults } = await readRows(`a.${format}`, content, { format });
    assert.deepEqual(rows, [
      ['1', '2'],
      [null, '{"x":1,"x":2}'],
    ]);
    assert.deepEqual(faults, [[2, { kind: 'repeatedField', name: 'a' }, objects[1]]]);
  }
});

test('a list that ends too early, and another value, are errors', async () => {
  await assert.rejects(readRows('a.json', '[{"a":1},\n{"a":2}', { format: 'json' }), { code: 'unfinished_json' });
  for (const content of ['{"a":1}', '[{"a":1}] x', '[{"a":1} {"a":2}]', '[{"a":1},]', '[,]']) {
    await assert.rejects(readRows('a.json', content, { format: 'json' }), { code: 'not_a_list' }, content);
  }
  assert.deepEqual((await readRows('a.json', ' [ ] ', { format: 'json' })).rows, []);
});

test('the rows of a long list are those of stream-json, from any row on', async () => {
  const random = seeded(7);
  const texts = ['', 'x', '"', '\\', '\\"', '}', '],', '\n', 'é😀', '\u2028'];
  const list = Array.from({ length: 3000 }, (_, id) => ({
    id: String(id),
    text: Array.from({ length: 20 }, () => texts[Math.floor(random() * texts.length)]).join(''),
    more: random() < 0.5 ? null : String(random()),
  }));
  const folder = new ImportFolder();
  const path = await folder.write('a.json', `[\n${list.map(row => JSON.stringify(row)).join(',\n')}\n]\n`);
  const expected: string[][] = [];
  const stream = chain([createReadStream(path), parser(), streamArray()]);
  for await (const { value } of stream as AsyncIterable<{ value: Record<string, string> }>) {
    expected.push(Object.values(value));
  }
  const whole = await readRowsOf(path);
  assert.deepEqual(whole.rows, expected);
  for (let row = 0; row < 3000; row += 411) {
    const rest = await readRowsOf(path, {}, whole.places[row]);
    assert.deepEqual(rest.rows, expected.slice(row + 1));
    assert.deepEqual(rest.lines, whole.lines.slice(row + 1));
  }
});
