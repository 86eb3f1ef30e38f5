import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keywordList } from '../../../src/sql/text/keywordList.ts';
import { sqliteKeywords } from '../../support/wasmDatabase.ts';

test('the list has exactly the keywords of SQLite', async () => {
  assert.deepEqual([...keywordList].toSorted(), (await sqliteKeywords()).toSorted());
});
