import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesIn, queryText } from '../../../src/model/queries/queryFiles.ts';
import { projectNamesIn } from '../../../src/sql/directives/projectLine.ts';

test('a folder lists its folders, then its files, each once and by its numbers', () => {
  const paths = ['b/x.sql', 'q10.sql', 'q9.sql', 'a/b/c.sql', 'a/d.sql', 'a.sql', 'ab/e.sql'];
  assert.deepEqual(entriesIn(paths, ''), ['a/', 'ab/', 'b/', 'a.sql', 'q9.sql', 'q10.sql']);
  assert.deepEqual(entriesIn(paths, 'a/'), ['a/b/', 'a/d.sql']);
  assert.deepEqual(entriesIn(paths, 'a/b/'), ['a/b/c.sql']);
});

test('a saved query names its project, unless it does so already or the name is no line', () => {
  assert.equal(queryText('SELECT 1;\n\n', 'Shop'), '-- @project Shop\n\nSELECT 1;\n');
  assert.equal(queryText('-- @project Bank\nSELECT 1', 'Shop'), '-- @project Bank\nSELECT 1\n');
  assert.equal(queryText('', undefined), '');
  for (const hostile of ['Shop\nDROP TABLE pets;', 'Shop\r-- @project Bank']) {
    assert.deepEqual(projectNamesIn(queryText('SELECT 1', hostile)), []);
    assert.doesNotMatch(queryText('SELECT 1', hostile), /DROP/);
  }
});
