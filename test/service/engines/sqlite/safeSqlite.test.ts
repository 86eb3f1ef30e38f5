import assert from 'node:assert/strict';
import { constants, DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { requireBounds, requireSafeSqlite } from '../../../../src/service/engines/sqlite/safeSqlite.ts';

test('the SQLite of this Node.js keeps projects apart', () => {
  assert.doesNotThrow(requireSafeSqlite);
});

const missingBounds: readonly (readonly [bound: string, limit: (database: DatabaseSync) => void])[] = [
  ['its authorizer', () => {}],
  ['its limits of length', bindAuthorizer],
  [
    'its limit of attached databases',
    database => {
      bindAuthorizer(database);
      database.limits.length = 1000;
    },
  ],
  [
    'its defensive mode',
    database => {
      bindAuthorizer(database);
      Object.assign(database.limits, { length: 1000, attach: 0 });
      database.enableDefensive(false);
    },
  ],
];

function bindAuthorizer(database: DatabaseSync): void {
  database.setAuthorizer(action => (action === constants.SQLITE_PRAGMA ? constants.SQLITE_DENY : constants.SQLITE_OK));
}

for (const [bound, limit] of missingBounds) {
  test(`an SQLite that ignores ${bound} is refused, and the error says what to do`, () => {
    const database = new DatabaseSync(':memory:');
    limit(database);
    const trust = (run: () => void): void => {
      database.setAuthorizer(null);
      run();
    };
    const version = `Node.js ${process.versions.node}`;
    assert.throws(() => requireBounds(database, trust), {
      message: `SQLite in ${version} ignores ${bound}, so projects cannot be kept apart. Use Node.js 24.15 or newer.`,
    });
    database.close();
  });
}
