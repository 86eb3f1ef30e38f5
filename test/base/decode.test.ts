import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as decode from '../../src/base/decode.ts';

const { asCount, asString, isTrue, object, optional, orUndefined, lenient } = decode;

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value: T): T => value;

const decodeSortKey = object({ column: asCount, descending: isTrue });

test('an object decoder keeps its fields, drops others and refuses what does not fit', () => {
  same<Same<decode.Infer<typeof decodeSortKey>, { readonly column: number; readonly descending: boolean }>>(true);
  assert.deepEqual(decodeSortKey({ column: 2, descending: true, other: 1 }), { column: 2, descending: true });
  assert.deepEqual(decodeSortKey({ column: 2 }), { column: 2, descending: false });
  for (const wrong of [undefined, null, [], 'text', {}, { column: -1 }]) assert.equal(decodeSortKey(wrong), undefined);
});

test('optional fields are left out, and fields that may be undefined are always there', () => {
  const decodeView = object({ title: optional(asString), rowCount: orUndefined(asCount) });
  same<Same<decode.Infer<typeof decodeView>, { readonly rowCount: number | undefined; readonly title?: string }>>(true);
  assert.deepEqual(decodeView({}), { rowCount: undefined });
  assert.deepEqual(decodeView({ title: 'a', rowCount: 1 }), { title: 'a', rowCount: 1 });
  assert.equal(decodeView({ title: 1 }), undefined);
});

test('a lenient field takes a wrong value for a missing one', () => {
  const decodeView = object({ title: lenient(optional(asString)), rowCount: lenient(orUndefined(asCount)) });
  assert.deepEqual(decodeView({ title: 1, rowCount: 'x' }), { rowCount: undefined });
});

test('a variant is chosen by its tag', () => {
  const decodeFilter = decode.variant('kind', {
    equals: object({ text: asString }),
    null: object({ isNull: isTrue }),
  });
  same<
    Same<
      decode.Infer<typeof decodeFilter>,
      { readonly kind: 'equals'; readonly text: string } | { readonly kind: 'null'; readonly isNull: boolean }
    >
  >(true);
  assert.deepEqual(decodeFilter({ kind: 'equals', text: 'a' }), { kind: 'equals', text: 'a' });
  assert.deepEqual(decodeFilter({ kind: 'null' }), { kind: 'null', isNull: false });
  for (const wrong of [{ kind: 'equals' }, { kind: 'toString' }, {}, null])
    assert.equal(decodeFilter(wrong), undefined);
});

test('each combinator decodes a value that fits, and refuses or replaces one that does not', () => {
  const decodeNames = decode.arrayOf(asString, 2);
  assert.deepEqual(decodeNames(['a', 'b']), ['a', 'b']);
  assert.equal(decodeNames(['a', 'b', 'c']), undefined);
  assert.equal(decodeNames(['a', 1]), undefined);
  assert.equal(decodeNames(undefined), undefined);
  assert.deepEqual(decode.recordOf(asCount)({ a: 1 }), { a: 1 });
  assert.equal(decode.recordOf(asCount)({ a: 'x' }), undefined);
  assert.equal(decode.oneOf(['rows', 'bytes'])('bytes'), 'bytes');
  assert.equal(decode.oneOf(['rows', 'bytes'])('disk'), undefined);
  assert.equal(decode.withDefault(asString, '')(1), '');
  assert.equal(decode.nullable(asString)(null), null);
  assert.equal(decode.firstOf(asCount, asString)('x'), 'x');
  assert.equal(decode.map(asString, text => text.length)('abc'), 3);
  assert.equal(decode.refine(asCount, count => count > 0)(0), undefined);
});

const isText = (value: unknown): value is string => typeof value === 'string';

test('a checked window of rows is the same object, not a copy', () => {
  const decodeRows = decode.unchanged(decode.arrayWhere(decode.arrayWhere(isText)));
  const rows = [['a', 'b'], ['c']];
  assert.equal(decodeRows(rows), rows);
  assert.equal(decodeRows([['a', 1]]), undefined);
});

test('a field named __proto__ is data', () => {
  const decoded = decode.recordOf(asCount)(JSON.parse('{"__proto__": 1}'));
  assert.deepEqual(Object.keys(decoded ?? {}), ['__proto__']);
});
