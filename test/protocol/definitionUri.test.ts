import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionUriText } from '../../src/protocol/definitionUri.ts';

test('the path of a definition has its project, the plural of its kind and its name without slashes', () => {
  const project = { id: 'p', name: 'My/Shop' };
  const paths = (['table', 'view', 'index', 'trigger'] as const).map(
    kind => new URL(definitionUriText({ project, kind, name: 'a/b' })).pathname,
  );
  assert.deepEqual(
    paths,
    ['tables', 'views', 'indexes', 'triggers'].map(
      folder => `/${encodeURIComponent('My\u2215Shop')}/${folder}/${encodeURIComponent('a\u2215b.sql')}`,
    ),
  );
});
