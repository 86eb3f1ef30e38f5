import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectLineOf, projectNamesIn } from '../../../src/sql/directives/projectLine.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

const cases: readonly (readonly [description: string, text: string, name: string | undefined])[] = [
  ['a first line', '-- @project Sample Shop\nSELECT 1;', 'Sample Shop'],
  ['the only line', '--@project shop', 'shop'],
  ['a line with blanks after it', '--   @project \t shop  \t\r\nSELECT 1', 'shop'],
  ['a line after other comments', '\uFEFF/* licence\n-- @project no */\n-- for the shop\n\n-- @project shop\n', 'shop'],
  ['the first of two', '-- @project one\n-- @project two\n', 'one'],
  ['a name in any script', '-- @project Łódź 名前', 'Łódź 名前'],
  ['a line without a name', '-- @project\nSELECT 1', ''],
  ['a line without a name, then blanks', '-- @project   \nSELECT 1', ''],
  ['a line after code', 'SELECT 1;\n-- @project shop', undefined],
  ['a line after an empty statement', ';\n-- @project shop', undefined],
  ['a block comment', '/* @project shop */', undefined],
  ['another word', '-- @projects shop', undefined],
  ['words before it', '-- see @project shop', undefined],
  ['an empty text', '', undefined],
];

for (const [description, text, name] of cases) {
  test(`${description} ${name === undefined ? 'names no project' : `names "${name}"`}`, () => {
    const line = projectLineOf(text);
    assert.equal(line?.name, name);
    if (!line) return;
    const renamed = `${text.slice(0, line.start)} other${text.slice(line.end)}`;
    assert.equal(projectLineOf(renamed)?.name, 'other');
    assert.equal(renamed.slice(line.start + ' other'.length), text.slice(line.end));
  });
}

test('@project lines are found anywhere in a text', () => {
  const text = '-- @project Shop\nSELECT 1;\n  --@project  Other one \r\nSELECT 2; -- @project No\n-- @projects No\n';
  assert.deepEqual(projectNamesIn(text), [
    { name: 'Shop', start: 0 },
    { name: 'Other one', start: text.indexOf('--@') },
  ]);
});

test('a @project line within quotes or a comment names no project', () => {
  for (const [open, close] of ["''", '""', '[]', ['/*', '*/']]) {
    const text = `SELECT ${open}\n-- @project No\n${close}; /* -- */ -- @project No\n-- @project Yes`;
    assert.deepEqual(
      projectNamesIn(text).map(({ name }) => name),
      ['Yes'],
    );
  }
});

test('a @project line with many blanks is read in linear time', async () => {
  const text = `-- @project a${' '.repeat(100_000)}b`;
  const read = (): void => {
    assert.equal(projectLineOf(text)?.name.length, 100_002);
    assert.equal(projectNamesIn(text).length, 1);
  };
  await assertWithin(2000, () => cpuMs(read));
});
