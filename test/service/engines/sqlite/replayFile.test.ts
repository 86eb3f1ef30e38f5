import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReplayFile } from '../../../../src/service/engines/sqlite/worker/replayFile.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const record = { fingerprint: 'f', answeredAt: 1, rowCount: 1, columns: null, rows: null, fault: null };

test('a process that stores late does not set the last generation back', () => {
  const path = join(temporaryFolder(), 'project.calls');
  const late = new ReplayFile(path);
  late.store(1, [{ ...record, key: 'a' }]);
  const next = new ReplayFile(path);
  next.store(2, [{ ...record, key: 'b' }]);
  late.store(1, [{ ...record, key: 'c' }]);
  assert.equal(next.lastGeneration(), 2);
  next.goBackTo(1);
  assert.deepEqual([next.lastGeneration(), next.find('b')], [1, undefined]);
  assert.equal(next.find('c')?.rowCount, 1);
  late.close();
  next.close();
});
