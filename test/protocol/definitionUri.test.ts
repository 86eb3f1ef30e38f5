import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionUriParts } from '../../src/protocol/definitionUri.ts';

test('the path of a definition has its project, the plural of its kind and its name without slashes', () => {
  const project = { id: 'p', name: 'My/Shop' };
  const paths = (['table', 'view', 'index', 'trigger'] as const).map(
    kind => definitionUriParts({ project, kind, name: 'a/b' }).path,
  );
  assert.deepEqual(
    paths,
    ['tables', 'views', 'indexes', 'triggers'].map(folder => `/My\u2215Shop/${folder}/a\u2215b.sql`),
  );
});
