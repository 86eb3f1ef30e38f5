import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { IdempotencyKey } from '../../../../src/service/engine.ts';
import { openWriterConnection } from '../../../../src/service/engines/sqlite/worker/databaseFile.ts';
import { KeyedCalls } from '../../../../src/service/engines/sqlite/worker/keyedCalls.ts';
import { ReplayRecords } from '../../../../src/service/engines/sqlite/worker/replayRecords.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const writeKey: IdempotencyKey = { key: 'key', fingerprint: 'one' };
const conflict = { status: 409, code: 'idempotency_conflict' };
const now = 1_800_000_000_000;

function openCalls(context: TestContext): KeyedCalls {
  const folder = temporaryFolder();
  const settings = {
    file: join(folder, 'a.sqlite'),
    records: join(folder, 'a.calls'),
    synchronous: 'FULL',
    statementMs: 60_000,
    maxMegabytes: 2048,
  } as const;
  const connection = openWriterConnection(settings);
  const calls = new KeyedCalls(new ReplayRecords(settings, connection));
  context.after(() => {
    calls.records.close();
    connection.close();
  });
  return calls;
}

test('calls that wait for one that never ran begin one after another', context => {
  const calls = openCalls(context);
  assert.equal(calls.begin(1, writeKey, now), 'begun');
  for (const call of [2, 3]) assert.equal(calls.begin(call, writeKey, now), 'waiting');
  assert.equal(calls.hasFreed, false);
  calls.end(writeKey);
  assert.deepEqual(calls.takeFreed(), [2, 3]);
  assert.deepEqual(calls.takeFreed(), []);
  assert.equal(calls.begin(2, writeKey, now), 'begun');
  assert.equal(calls.begin(3, writeKey, now), 'waiting');
});

test('a call that waits gets the answer of the first one', context => {
  const calls = openCalls(context);
  calls.begin(1, writeKey, now);
  calls.begin(2, writeKey, now);
  calls.settle([{ writeKey, now, result: { kind: 'count', rowCount: 3, replayed: false } }], now);
  assert.deepEqual(calls.takeFreed(), [2]);
  assert.deepEqual(calls.begin(2, writeKey, now), { kind: 'count', rowCount: 3, replayed: true });
});

test('a call of another process that got no answer binds its key, but replaces no answer', context => {
  const calls = openCalls(context);
  calls.claim(writeKey, now);
  assert.throws(() => calls.begin(1, { key: 'key', fingerprint: 'other' }, now), conflict);
  assert.equal(calls.begin(1, writeKey, now), 'begun');
  calls.claim(writeKey, now);
  calls.settle([{ writeKey, now, result: { kind: 'count', rowCount: 3, replayed: false } }], now);
  calls.claim(writeKey, now);
  assert.deepEqual(calls.begin(2, writeKey, now), { kind: 'count', rowCount: 3, replayed: true });
});
