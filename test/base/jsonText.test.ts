import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonContainer, jsonFaultIn, layOutJson, lineAndColumn } from '../../src/base/jsonText.ts';
import { seeded, upTo } from '../fuzz/random.ts';

const faults: readonly (readonly [text: string, kind: string, offset: number])[] = [
  ['', 'unfinished', 0],
  ['{"a":1,}', 'key', 7],
  ['[1,]', 'value', 3],
  ['{"a" 1}', 'colon', 5],
  ['[1 2]', 'comma', 3],
  ['{"a":1]', 'comma', 6],
  ['"a\nb"', 'text', 0],
  [String.raw`"\x"`, 'text', 0],
  ['"open', 'text', 0],
  ['{} {}', 'rest', 3],
  ['[01]', 'value', 1],
  ['[1.]', 'value', 1],
  ['[nullx]', 'value', 1],
  ['{a:1}', 'key', 1],
  ['[[', 'unfinished', 2],
  ['\u00A01', 'value', 0],
];

for (const [text, kind, offset] of faults) {
  test(`the fault in ${JSON.stringify(text)} is found at its place`, () => {
    assert.deepEqual(jsonFaultIn(text), { kind, offset });
    assert.equal(layOutJson(text, '  '), undefined);
  });
}

test('JSON is indented and put on one line, with its numbers, escapes and keys as they are written', () => {
  const text = String.raw`{"b":9007199254740993,"a":[1e400, -0.0,{}, [ ]],"a":"\u0000 \/ü","__proto__":{"x":null}}`;
  const formatted = layOutJson(text, '  ')!;
  assert.equal(
    formatted,
    String.raw`{
  "b": 9007199254740993,
  "a": [
    1e400,
    -0.0,
    {},
    []
  ],
  "a": "\u0000 \/ü",
  "__proto__": {
    "x": null
  }
}`,
  );
  assert.equal(layOutJson(formatted, ''), text.replaceAll(', ', ',').replace('[ ]', '[]').replace('-0.0,{', '-0.0,{'));
});

test('random texts are JSON exactly if JSON.parse takes them, and keep their value when they are laid out', () => {
  const numbers = seeded(7);
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"\\n"', '1', '-2.5e3', 'true', 'null', ' ', '\n', '0', '"'];
  for (let round = 0; round < 20_000; round++) {
    const length = 1 + upTo(numbers, 9);
    const text = Array.from({ length }, () => pieces[upTo(numbers, pieces.length)]).join('');
    let value: unknown;
    let isJson = true;
    try {
      value = JSON.parse(text);
    } catch {
      isJson = false;
    }
    assert.equal(jsonFaultIn(text) === undefined, isJson, JSON.stringify(text));
    if (!isJson) continue;
    for (const indent of ['', '  ']) assert.deepEqual(JSON.parse(layOutJson(text, indent)!), value, text);
  }
});

test('a deep nest and a long text need no deep stack', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.equal(jsonFaultIn(deep), undefined);
  assert.equal(layOutJson(deep, ''), deep);
  assert.equal(jsonFaultIn(`"${String.raw`a\n`.repeat(1_000_000)}"`), undefined);
});

test('only objects and arrays count as JSON, and a place has a line and a column', () => {
  assert.deepEqual(['{}', ' [1]', '1', '"a"', '{'].map(isJsonContainer), [true, true, false, false, false]);
  assert.deepEqual(lineAndColumn('a\nbc', 3), { line: 2, column: 2 });
});
