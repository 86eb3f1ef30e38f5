import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { parseExact, parseInSteps, parseRounding } from '../../src/wire/exactJson.ts';
import { randomDocument } from '../fuzz/documents.ts';
import { seeded } from '../fuzz/random.ts';

const raw = String.raw;

/** A key, and the one after it, which the engine may give the name of the first. */
const mistakable: readonly [before: string, key: string][] = [
  [raw`"\\"`, raw`"\""`],
  [raw`"\\"`, raw`"\n"`],
  [raw`"\\"`, raw`"\u0041"`],
  [raw`"count(\\"`, raw`"count(\""`],
  [raw`"a\\b"`, raw`"a\bc"`],
  [raw`"日\\"`, raw`"日\""`],
];

for (const [nth, [before, key]] of mistakable.entries()) {
  test(`the key ${key} is not confused with ${before} before it`, () => {
    const name = JSON.parse(key) as string;
    const kept = parseRounding(`{"${nth}th":[],${before}:0}`);
    assert.deepEqual(parseRounding(`{"${nth}th":1,${key}:2}`), { [`${nth}th`]: 1, [name]: 2 });
    assert.deepEqual(parseExact(`[{"${nth}th":1, ${key} : 9007199254740993}]`), [
      { [`${nth}th`]: 1, [name]: 9007199254740993n },
    ]);
    assert.ok(kept);
  });
}

test('objects with an escaped key are otherwise read as usual', () => {
  const values = raw`[1,-0,1.5e3,9e999,"","é\u0041\"\\",true,false,null,[],{},[[]],{"":{"":0}}]`;
  assert.deepEqual(parseRounding(raw` {"a\"": ${values} }`), { 'a"': JSON.parse(values) as unknown });
  assert.deepEqual(parseExact(raw`{"a\"":9007199254740993,"b":1234567890123456.0}`), {
    'a"': 9007199254740993n,
    b: 1234567890123456,
  });
});

test('a long text ends at its quote, wherever it has escapes', () => {
  for (let length = 0; length < 140; length++) {
    for (const end of ['', '"', '\\', '\\"', '""\\\\', `"${'x'.repeat(70)}\\`]) {
      const row = { '"': 1, a: 'x'.repeat(length) + end, b: '}' };
      assert.deepEqual(parseRounding(JSON.stringify(row)), row);
      assert.deepEqual(parseExact(`{"n":9007199254740993,"a":${JSON.stringify(row.a)},"b":2}`), {
        n: 9007199254740993n,
        a: row.a,
        b: 2,
      });
    }
  }
});

test('the later of two equal keys counts, and __proto__ is an ordinary key', () => {
  const read = parseRounding(raw`{"\"":1,"__proto__":[2],"a":3,"\u0061":4,"\"":5}`) as object;
  assert.deepEqual(Object.entries(read), [
    ['"', 5],
    ['__proto__', [2]],
    ['a', 4],
  ]);
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
});

for (const broken of [raw`{"\"":1`, raw`{"\"":01}`, raw`{"\"":1,}`, raw`{"\x":1}`, raw`{"\"":}`, raw`\":1`, '"\\']) {
  test(`${broken} is not valid JSON`, () => {
    assert.throws(() => parseRounding(broken), SyntaxError);
    assert.throws(() => parseExact(`[${broken},1234567890123456]`), SyntaxError);
  });
}

test('a value of any depth is read', () => {
  const depth = 200_000;
  let value = parseRounding(`${'['.repeat(depth)}{"\\"":1}${']'.repeat(depth)}`);
  let found = 0;
  for (; Array.isArray(value); value = value[0]) found++;
  assert.deepEqual([found, value], [depth, { '"': 1 }]);
});

/** A text as stream-json reads it, which decodes keys by itself. */
function byStreamJson(text: string): unknown {
  const assembler = new Assembler();
  const { values = [] } = jsonParser()(text) as { values?: readonly Token[] };
  for (const token of values) assembler.consume(token);
  return assembler.current;
}

test('random documents are read as stream-json reads them', () => {
  const random = seeded(1);
  let escaped = 0;
  for (let index = 0; index < 3000; index++) {
    const text = randomDocument(random).toString();
    if (!isJson(text)) continue;
    if (/\\(?:[^"\\]|\\.)*"\s*:/.test(text)) escaped++;
    assert.deepEqual(parseRounding(text), byStreamJson(text), text);
  }
  assert.ok(escaped > 300, `${escaped} with an escape in a key`);
});

const inSteps = (text: string, isExact: boolean): { value: unknown; stepCount: number } => {
  const steps = parseInSteps(text, { isExact });
  for (let stepCount = 1; ; stepCount++) {
    const { done, value } = steps.next();
    if (done) return { value, stepCount };
  }
};

test('steps lead to the same values, and a long key or text takes some of its own', () => {
  const random = seeded(2);
  for (let index = 0; index < 1000; index++) {
    const text = randomDocument(random).toString();
    if (!isJson(text)) continue;
    assert.deepEqual(inSteps(text, true).value, parseExact(text), text);
    assert.deepEqual(inSteps(text, false).value, parseRounding(text), text);
  }
  const long = raw`\"`.repeat(200_000);
  for (const [text, isExact, stepCount] of [
    [`{"${long}":1}`, false, 5],
    [`{"${long}":12345678901234567}`, true, 4],
    [`{${raw`"\""`}:"${long}","a":"${long}"}`, false, 7],
    [`{"a":"${long}"}`, false, 2],
  ] as const) {
    assert.deepEqual(inSteps(text, isExact), { value: isExact ? parseExact(text) : parseRounding(text), stepCount });
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
