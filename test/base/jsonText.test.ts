import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isJsonContainer,
  jsonFaultIn,
  type JsonMember,
  layOutJson,
  lineAndColumn,
  membersOf,
  pastValue,
} from '../../src/base/jsonText.ts';
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

const memberCases: readonly (readonly [source: string, members: readonly JsonMember[]])[] = [
  ['{}', []],
  ['[ ]', []],
  [
    '{"b": 1, "2": 0, "b": 3}',
    [
      ['b', '1'],
      ['2', '0'],
      ['b', '3'],
    ],
  ],
  [
    '[1.50, -0.0, 9007199254740993, 1e2]',
    [
      ['0', '1.50'],
      ['1', '-0.0'],
      ['2', '9007199254740993'],
      ['3', '1e2'],
    ],
  ],
  [
    '{"a" : { "x": [1, {"y": 2}] } ,"c":[ ]}',
    [
      ['a', '{ "x": [1, {"y": 2}] }'],
      ['c', '[ ]'],
    ],
  ],
  [
    String.raw`{"\"},{\\":"]},\"","\u00e9":null}`,
    [
      [String.raw`"},{\ `.trim(), String.raw`"]},\""`],
      ['é', 'null'],
    ],
  ],
  ['{"__proto__": {"a": 1}}', [['__proto__', '{"a": 1}']]],
  [`[${'['.repeat(50_000)}${']'.repeat(50_000)}]`, [['0', '['.repeat(50_000) + ']'.repeat(50_000)]]],
];
for (const [source, members] of memberCases) {
  test(`the members of ${source.slice(0, 40)} keep their order and spelling`, () =>
    assert.deepEqual([...membersOf(source)], members));
}

test('a text, a number and null have no members', () => {
  for (const source of ['"[1]"', '1', 'null', 'true']) assert.deepEqual([...membersOf(source)], []);
});

test('a value ends at its last character, unless the text may go on', () => {
  const values = [
    '"a\\"b"',
    `"${'long '.repeat(100)}"`,
    String.raw`"${'long '.repeat(100)}\\"`,
    '[{"a":"]"},2]',
    '-1.5e3',
    'null',
  ];
  for (const value of values) assert.equal(pastValue(`${value} ,`, 0), value.length, value);
  for (const value of ['"a', String.raw`"a\"`, `"${'long '.repeat(100)}`, '[{"a":"]"},2', '12', 'nul']) {
    assert.equal(pastValue(value, 0), -1, value);
  }
});
