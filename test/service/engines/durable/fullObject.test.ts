import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ObjectEngine } from '../../../../src/service/engines/durable/objectEngine.ts';
import type { ObjectStorage } from '../../../../src/service/engines/durable/objectStorage.ts';
import { HandClock } from '../../../support/handClock.ts';
import { resultOf, sqlCall } from '../../../support/testEngine.ts';

/** The storage of an object that takes no more values. */
function fullStorage(): ObjectStorage {
  const database = new DatabaseSync(':memory:');
  const transactionSync = <T>(work: () => T): T => {
    database.exec('SAVEPOINT one');
    try {
      return work();
    } catch (thrown) {
      database.exec('ROLLBACK TO one');
      throw thrown;
    } finally {
      database.exec('RELEASE one');
    }
  };
  return {
    sql: {
      exec(sql, ...values) {
        const statement = database.prepare(sql);
        statement.setReturnArrays(true);
        const rows = statement.all(...values) as unknown as (string | number)[][];
        return { columnNames: statement.columns().map(({ name }) => name), raw: () => rows.values() };
      },
    },
    kv: {
      get: () => undefined,
      put: () => {
        throw new Error('database or disk is full: SQLITE_FULL');
      },
      delete: () => false,
      list: () => [],
    },
    transactionSync,
    getAlarm: async () => null,
    setAlarm: async () => undefined,
    deleteAll: async () => undefined,
  };
}

test('a full object answers reads and refusals with an idempotency key, and refuses writes', async () => {
  const engine = new ObjectEngine(fullStorage(), new HandClock());
  const keyed = (sql: string) => engine.execute('project', sqlCall(sql, { idempotencyKey: sql }));
  await engine.execute('project', sqlCall('CREATE TABLE t (a)'));
  assert.deepEqual(await resultOf(await keyed('SELECT 1 AS n')), [{ n: 1 }]);
  await assert.rejects(keyed("ATTACH 'other' AS b"), { code: 'denied_statement' });
  await assert.rejects(keyed('INSERT INTO t VALUES (1)'), { status: 507, code: 'disk_full' });
  assert.deepEqual(await resultOf(await keyed('SELECT count(*) AS n FROM t')), [{ n: 0 }]);
});
