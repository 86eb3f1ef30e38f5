import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExact } from '../../src/wire/exactJson.ts';
import { tagValue } from '../../src/protocol/shownValues.ts';
import { exactNumbers, exactText, type SqlValue } from '../../src/wire/values.ts';

const doubles = [2 ** 53, -(2 ** 53), 2 ** 60, 1e20, 1.5e18, 1e21, 123_456_789_012_345_680_000, Number.MAX_VALUE];

for (const value of doubles) {
  test(`the REAL ${value} is written as a REAL, and read as the same double`, () => {
    const json = JSON.stringify([value], exactNumbers);
    assert.ok(json.includes('e+'), json);
    assert.deepEqual([parseExact(json), JSON.parse(json)], [[value], [value]]);
    assert.equal(tagValue(value).kind, 'real');
  });
}

for (const value of [2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n]) {
  test(`the INTEGER ${value} keeps every digit`, () => {
    const json = JSON.stringify([value], exactNumbers);
    assert.equal(json, `[${value}]`);
    assert.deepEqual(parseExact(json), [value]);
    assert.deepEqual(tagValue(value), { kind: 'integer', text: String(value) });
  });
}

test('negative zero is kept', () => {
  const json = JSON.stringify([-0, 0], exactNumbers);
  assert.equal(json, '[-0.0,0]');
  assert.deepEqual(parseExact(json), [-0, 0]);
  assert.deepEqual(tagValue(-0), { kind: 'real', text: '-0' });
});

test('other numbers are written as in JSON', () => {
  const json = JSON.stringify([0, 1.5, -7, Number.MAX_SAFE_INTEGER, 1e-7, Infinity, -Infinity], exactNumbers);
  assert.equal(json, '[0,1.5,-7,9007199254740991,1e-7,9e999,-9e999]');
});

test('a value that nests too deep for JSON.stringify is read and written exactly', () => {
  const levels = 30_000;
  const inner = String.raw`[1,9007199254740993,-0.0,9e999,[],{},{"k\"":null,"b":"é\n","c":[true,{"d":1}]}]`;
  const text = `${'[0,{"deep":'.repeat(levels)}${inner}${',"last":1}]'.repeat(levels)}`;
  const value = parseExact(text) as SqlValue;
  assert.throws(() => JSON.stringify(value, exactNumbers), RangeError);
  assert.ok(exactText(value) === text);
  assert.deepEqual(tagValue(value), { kind: 'json', text });
});
