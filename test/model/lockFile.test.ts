import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { lockDatabase } from '../../src/base/databaseLock.ts';
import { lockImport } from '../../src/model/importing/journal.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

test('an import has one holder, also when another window has opened its lock before it was given up', async () => {
  const folder = temporaryFolder();
  const first = await lockImport(folder, 'import');
  assert.ok(first);
  assert.equal(await lockImport(folder, 'import'), undefined);
  const waiting = new DatabaseSync(join(folder, 'import.lock'));
  // SQLite opens the file with the first statement.
  assert.throws(() => waiting.exec('BEGIN EXCLUSIVE'), /locked/);
  first.dispose();
  const second = lockDatabase(waiting);
  assert.ok(second);
  assert.equal(await lockImport(folder, 'import'), undefined);
  second.dispose();
});
