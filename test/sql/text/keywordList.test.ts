import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keywordList } from '../../../src/sql/text/keywordList.ts';
import { sqliteKeywords } from '../../support/wasmDatabase.ts';

test('knows the keywords that SQLite lists, and no others', async () => {
  assert.deepEqual([...keywordList].toSorted(), (await sqliteKeywords()).toSorted());
});
