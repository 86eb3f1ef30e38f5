import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnFilter } from '../../../../src/protocol/rowQueries.ts';
import { filterText, parseFilter } from '../../../../webview/grid/arrange/filterText.ts';

const column = 2;
const not = true;
const filters: readonly (readonly [text: string, filter: ColumnFilter])[] = [
  ['= 5', { kind: 'equals', column, text: '5' }],
  ['≠ Oslo', { kind: 'equals', column, text: 'Oslo', not }],
  ['= ""', { kind: 'equals', column, text: '' }],
  ['= " a "', { kind: 'equals', column, text: ' a ' }],
  ['= "\\"quoted\\""', { kind: 'equals', column, text: '"quoted"' }],
  ['= "one\\ntwo\\\\"', { kind: 'equals', column, text: 'one\ntwo\\' }],
  ['= in', { kind: 'equals', column, text: 'in' }],
  ['< 5', { kind: 'range', column, to: '5', exclusive: true }],
  ['≤ 5', { kind: 'range', column, to: '5' }],
  ['> 5', { kind: 'range', column, from: '5', exclusive: true }],
  ['≥ 5', { kind: 'range', column, from: '5' }],
  ['between 1 and 10', { kind: 'range', column, from: '1', to: '10' }],
  ['between "a and b" and c', { kind: 'range', column, from: 'a and b', to: 'c' }],
  ['not between 1 and 10', { kind: 'range', column, from: '1', to: '10', not }],
  ['contains 5 % off', { kind: 'contains', column, text: '5 % off' }],
  ['does not contain x', { kind: 'contains', column, text: 'x', not }],
  ['starts with x', { kind: 'startsWith', column, text: 'x' }],
  ['does not start with x', { kind: 'startsWith', column, text: 'x', not }],
  ['ends with x', { kind: 'endsWith', column, text: 'x' }],
  ['does not end with x', { kind: 'endsWith', column, text: 'x', not }],
  [
    'in 1, two words, "a, b", "null", NULL',
    { kind: 'in', column, texts: ['1', 'two words', 'a, b', 'null'], withNull: true },
  ],
  ['not in 1, 2', { kind: 'in', column, texts: ['1', '2'], not }],
  ['is NULL', { kind: 'null', column, isNull: true }],
  ['is not NULL', { kind: 'null', column, isNull: false }],
];

for (const [text, filter] of filters) {
  test(`${text} is the text of its filter, and is read as this filter`, () => {
    assert.equal(filterText(filter), text);
    assert.deepEqual(parseFilter(text, column, true), { isValid: true, filter });
  });
}

test('filters are read in the spellings of SQL and of programs, and in any case', () => {
  const read = (text: string, isNumeric = false) => parseFilter(text, column, isNumeric).filter;
  for (const text of ['<>a', '!= a', '≠a', "<> 'a'"])
    assert.deepEqual(read(text), filters[1] && { ...filters[1][1], text: 'a' });
  assert.deepEqual(read('>=5'), filters[10]?.[1]);
  assert.deepEqual(read('<=5'), filters[8]?.[1]);
  assert.deepEqual(read('BETWEEN 1 AND 10'), filters[11]?.[1]);
  assert.deepEqual(read("NOT IN ('1', '2')"), filters[21]?.[1]);
  assert.deepEqual(read('IS NOT NULL'), filters[23]?.[1]);
  assert.deepEqual(read('in(1)'), { kind: 'in', column, texts: ['1'] });
  assert.deepEqual(read("= it''s"), { kind: 'equals', column, text: "it''s" });
  assert.deepEqual(read("= 'it''s'"), { kind: 'equals', column, text: "it's" });
});

test('a text without an operator is contained in a text, and equals a number', () => {
  const read = (text: string, isNumeric: boolean) => parseFilter(text, column, isNumeric);
  assert.deepEqual(read(' inner ', false).filter, { kind: 'contains', column, text: 'inner' });
  assert.deepEqual(read('5', true).filter, { kind: 'equals', column, text: '5' });
  assert.deepEqual(read('  ', true), { isValid: true });
});

test('a filter without its values is refused', () => {
  for (const text of [
    '=',
    '>',
    'between 1',
    'between 1 and',
    'between 1 and 2 and 3',
    'in',
    'in ()',
    'contains',
    '= "open',
    'is null 5',
  ]) {
    assert.deepEqual(parseFilter(text, column, true), { isValid: false }, text);
  }
});
