import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalPrefix } from '../../src/wire/paths.ts';
import { matchRoute, routePath } from '../../src/wire/routes.ts';

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
    const route = { name: 'browseRows', projectId: 'id one', table } as const;
    const found = matchRoute('/p', new URL(routePath('/p', route), 'http://127.0.0.1').pathname);
    assert.deepEqual(found?.route, route);
  });
}
