import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsAbove } from '../../../src/sql/directives/commentsAbove.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

const cases: readonly (readonly [description: string, text: string, json: string | undefined])[] = [
  ['the line above a statement', '-- @params [1, "x"]\n', '[1, "x"]'],
  ['a line without blanks', '--@params[1]\r\n', '[1]'],
  ['a line with other comments around it', '-- first\n-- @params [2]\n/* then */\n\n', '[2]'],
  ['the last of two lines', '-- @params [1]\n-- @params [2]\n', '[2]'],
  ['a line with nothing after the word', '-- @params\n', ''],
  ['another word', '-- @paramset [1]\n', undefined],
  ['words before it', '-- see @params [1]\n', undefined],
  ['a block comment', '/* @params [1] */ ', undefined],
  ['a line above other code', '-- @params [1]\nSELECT ', undefined],
  ['an empty text', '', undefined],
];

for (const [description, above, json] of cases) {
  test(`${description} ${json === undefined ? 'gives no values' : `gives "${json}"`}`, () => {
    assert.equal(commentsAbove(above, true).paramsJson, json);
  });
}

test('a @params line with many blanks is read in linear time', async () => {
  const text = `-- @params [1,${' '.repeat(100_000)}2]\n`;
  await assertWithin(2000, () => cpuMs(() => assert.equal(commentsAbove(text, true).paramsJson?.length, 100_005)));
});

test('the last line for a chart above a statement counts, and one above other code does not', () => {
  assert.equal(
    commentsAbove('-- @chart line x=a\n--@chart bar x=city y=sum(total)\r\n', true).chartLine,
    'bar x=city y=sum(total)',
  );
  assert.equal(commentsAbove('-- @chart bar x=city\nSELECT ', true).chartLine, undefined);
  assert.equal(commentsAbove('-- @charts bar\n', true).chartLine, undefined);
});
