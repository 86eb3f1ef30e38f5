import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersOf } from '../../../../webview/grid/record/jsonMembers.ts';

const cases: readonly (readonly [source: string, members: readonly (readonly [key: string, source: string])[]])[] = [
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
for (const [source, members] of cases) {
  test(`the members of ${source.slice(0, 40)} keep their order and spelling`, () =>
    assert.deepEqual(
      membersOf(source)?.map(({ key, source: member }) => [key, member]),
      members,
    ));
}

test('a text, a number and null have no members', () => {
  for (const source of ['"[1]"', '1', 'null', 'true']) assert.equal(membersOf(source), undefined);
});
