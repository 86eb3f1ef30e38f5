import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText } from '../../../../src/model/results/thread/cell.ts';
import { numberAt } from '../../../../src/model/results/thread/jsonNumbers.ts';
import { RowWalker, pastNestedJson } from '../../../../src/model/results/thread/rowWalker.ts';
import { parseExact } from '../../../../src/wire/exactJson.ts';
import { tagValue, textOf } from '../../../../src/protocol/shownValues.ts';
import type { SqlValue } from '../../../../src/wire/values.ts';
import { oneOf, type Random, seeded, upTo } from '../../../fuzz/random.ts';

const walk = (walker: RowWalker, row: string): number => {
  const bytes = Buffer.from(`${row}""""`);
  return walker.read(bytes, 0, bytes.length - 4);
};

/** The texts that a row shows, with NULL as null. */
function shown(
  row: string,
  names: readonly string[],
  walker = new RowWalker(names, names[0], new Set()),
): (string | null)[] {
  assert.equal(walk(walker, row), Buffer.byteLength(row));
  return names.map((_, slot) => {
    const from = walker.from[slot]!;
    return shownText(walker.bytes as Buffer, from, walker.to[slot]!, walker.flags[slot]!) ?? null;
  });
}

test('a value is shown as if it had been decoded', () => {
  const values = [
    ...['null', 'true', 'false', '0', '-0', '-1', '12', '1.5', '1.50', '100', '-0.0', '1e3', '1E-7', '0.0000001'],
    ...['9007199254740993', '-9223372036854775808', '1e300', '9e999', '0.1', '123456789.123456789', '1e21', '5.0'],
    ...[
      '""',
      '"a"',
      '"ü😀"',
      String.raw`"\"\\\n\u00e9\/"`,
      '"{}[],:"',
      '[]',
      '{}',
      '[1,"]"]',
      '{"a":{"b":"}"}, "c":1}',
    ],
  ];
  for (const value of values) {
    const decoded = tagValue(parseExact(value) as SqlValue);
    const expected = decoded.kind === 'null' ? null : textOf(decoded);
    assert.deepEqual(shown(`{"x":${value},"y":1}`, ['x', 'y']), [expected, '1'], value);
    assert.deepEqual(shown(` {\n"y" : 1 ,\t"x": ${value} }`.trim(), ['x', 'y']), [expected, '1'], value);
  }
});

test('keys are matched as a whole, in any order and spelling', () => {
  const names = ['a', 'ab', 'x"y', '__proto__', '1', ''];
  const walker = new RowWalker(names, 'a', new Set());
  const first = String.raw`{"a":1,"ab":2,"x\"y":3,"__proto__":4,"1":5,"":6}`;
  assert.deepEqual(shown(first, names, walker), ['1', '2', '3', '4', '5', '6']);
  assert.deepEqual(shown(first, names, walker), ['1', '2', '3', '4', '5', '6']);
  assert.deepEqual(shown(String.raw`{"":6,"\u0061":1,"other":0}`, names, walker), ['1', null, null, null, null, '6']);
  assert.deepEqual(shown('{}', names, walker), [null, null, null, null, null, null]);
  assert.deepEqual(shown('{"v":"\\"a\\":9","a":1,"a":2}', names, walker)[0], '2', 'the last of equal keys counts');
});

test('the first column shows a broken row, and the next row is read', () => {
  const broken = [
    '{"a":tru}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":-}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{a:1}',
    '{"a":}',
    '{"a":1,}',
    '{"a":"x\ny"}',
    '{"a":1,"b":"\t"}',
    String.raw`{"a":"\q"}`,
    String.raw`{"a":"\u12"}`,
    '{"a":{b}}',
    '{"a":1,"b":[1,]}',
    '{"a":\v1}',
  ];
  for (const row of broken) assert.deepEqual(shown(row, ['a', 'b']), [row, null], row);
  const walker = new RowWalker(['a'], 'a', new Set());
  shown('{"a":nothing}', ['a'], walker);
  assert.deepEqual(shown('{"a":1}', ['a'], walker), ['1']);
});

test('few of many columns are found as if each key had been read', () => {
  const random = seeded(11);
  const pieces = ['a', ',', '{', '}', '[', ']', ':', '"', '\\', 'ü', '{"k0":', ',"k7":1', ' '];
  const text = (): string => Array.from({ length: upTo(random, 6) }, () => oneOf(random, pieces)).join('');
  const value = (): unknown =>
    random() < 0.02 ? { k7: [text()] } : oneOf(random, [null, 12, -0.5, 'plain', random() < 0.1 ? text() : 'text']);
  for (let round = 0; round < 200; round++) {
    const oddName = oneOf(random, ['', ',', '"k7', ':', ' ', 'k7']);
    const names = Array.from({ length: 12 }, (_, nth) => (random() < 0.03 ? `${oddName}${nth || ''}` : `k${nth}`));
    const requested = [names[7]!, names[oneOf(random, [0, 3, 11])]!];
    const rows = Array.from({ length: 60 }, () => {
      const kept = random() < 0.02 ? names.filter(() => random() < 0.5) : names;
      const keys = random() < 0.02 ? kept.toReversed() : kept;
      return JSON.stringify(Object.fromEntries(keys.map(name => [name, value()])));
    });
    const separator = oneOf(random, [',', ',\n', ' , ']);
    const bytes = Buffer.from(`${rows.join(separator)}""""`);
    const end = bytes.length - 4;
    const readRows = (openBlock: (walker: RowWalker) => void): string[] => {
      const walker = new RowWalker(requested, names[0], new Set());
      walker.read(bytes, 0, end);
      openBlock(walker);
      let past = 0;
      return rows.map(() => {
        past = walker.read(bytes, bytes.indexOf('{', past), end);
        const { from, to, flags } = walker;
        const texts = requested.map((_, slot) => shownText(bytes, from[slot]!, to[slot]!, flags[slot]!));
        return `${past} ${texts.join(' | ')}`;
      });
    };
    const found = readRows(walker => walker.openBlock(bytes, end));
    assert.deepEqual(
      found,
      readRows(() => undefined),
      names.join(),
    );
  }
});

/** A random array or object, and the text with a byte removed or another one put in. */
function randomNested(random: Random, depth = 4): string {
  const scalars = ['1', '-0.5e3', '"a"', String.raw`"\u00e9\\"`, 'true', 'null', '""', '[]', '{}'];
  if (depth === 0 || random() < 0.2) return oneOf(random, scalars);
  const blank = (): string => oneOf(random, ['', '', ' ', '\n']);
  const isArray = random() < 0.5;
  const member = (): string => {
    const value = `${blank()}${randomNested(random, depth - 1)}${blank()}`;
    return isArray ? value : `${blank()}"k"${blank()}:${value}`;
  };
  const inside = Array.from({ length: upTo(random, 4) }, member).join(',');
  return isArray ? `[${inside}]` : `{${inside}}`;
}

test('a nested value is valid for the walker exactly when it is for JSON.parse', () => {
  const random = seeded(7);
  let valid = 0;
  for (let nth = 0; nth < 20_000; nth++) {
    const whole = `[${randomNested(random)}]`;
    const at = upTo(random, whole.length);
    const changed = `${whole.slice(0, at)}${oneOf(random, ['', ',', '"', ']', '}', '[', '{', ':', '0', '\n', '\\'])}`;
    const value = random() < 0.2 ? whole : `${changed}${whole.slice(at + upTo(random, 2))}`;
    const bytes = Buffer.from(`${value}""""`);
    const past = pastNestedJson(bytes, 0, bytes.length - 4);
    let isValid = true;
    try {
      JSON.parse(past === -1 ? value : bytes.toString('utf8', 0, past));
    } catch {
      isValid = false;
    }
    assert.equal(past !== -1, isValid && /^[[{]/.test(value), value);
    if (isValid) valid++;
  }
  assert.ok(valid > 5000 && valid < 15_000, `${valid} are valid`);
});

test('numbers are read as Number reads them', () => {
  const texts = [
    '0',
    '-0',
    '0.1',
    '123456789012345',
    '0.000001',
    '99999999.9999999',
    '-1.25',
    '1e5',
    '4.35',
    '1234567890123456',
  ];
  for (let nth = 1; nth < 5000; nth++) texts.push(String((nth * 7919) / 10 ** (nth % 12)));
  for (const text of texts) {
    const bytes = Buffer.from(text);
    assert.ok(Object.is(numberAt(bytes, 0, bytes.length), Number(text)), text);
  }
});
