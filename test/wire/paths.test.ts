import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalPrefix, projectPaths } from '../../src/wire/paths.ts';
import { matchRoute } from '../../src/wire/routes.ts';

for (const [typed, normal] of [
  ['/serviceSql', '/serviceSql'],
  ['serviceSql/', '/serviceSql'],
  ['//a/b//', '/a/b'],
  ['/', ''],
  ['', ''],
] as const) {
  test(`the prefix "${typed}" means "${normal}"`, () => assert.equal(normalPrefix(typed), normal));
}

for (const table of ['plain', 'two words', '../other', 'a/b', '%2f', '名前', '?x=1#y']) {
  test(`the route of the table "${table}" is found by its path`, () => {
    const { rows } = projectPaths('/p', 'id one');
    const found = matchRoute('/p', new URL(rows(table), 'http://127.0.0.1').pathname);
    assert.deepEqual(found?.route, { name: 'browseRows', projectId: 'id one', table });
  });
}
