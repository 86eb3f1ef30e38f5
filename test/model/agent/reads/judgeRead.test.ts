import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { judgeRead } from '../../../../src/model/agent/reads/judgeRead.ts';
import { ReadSchema } from '../../../../src/model/agent/reads/readSchema.ts';
import { openShop, shopMasks, shopStatements } from '../../../support/agentShop.ts';
import { standingClock } from '../../../support/exhaustingStatement.ts';
import { sqlMutants } from '../../../support/sqlMutants.ts';
import { wasmBinary } from '../../../support/wasmDatabase.ts';
import { disguisedWrites } from './disguisedWrites.ts';

const schema = await ReadSchema.open({ wasmBinary, statements: shopStatements, clock: standingClock });
const judge = (sql: string) => judgeRead(sql, schema);

/** Everything that a statement could change. */
function stateOf(database: DatabaseSync): unknown {
  const value = (sql: string): unknown => database.prepare(sql).all();
  return [
    value('SELECT total_changes()'),
    value('SELECT * FROM sqlite_schema'),
    value('SELECT * FROM visits'),
    value('SELECT user_version FROM pragma_user_version'),
    value('SELECT foreign_keys FROM pragma_foreign_keys'),
    value('SELECT journal_mode FROM pragma_journal_mode'),
    value('SELECT * FROM pragma_database_list'),
  ];
}

test('no write that is disguised as a read is judged a read', async () => {
  assert.ok(new Set(disguisedWrites).size >= 300, `${new Set(disguisedWrites).size} statements`);
  const reads: string[] = [];
  for (const sql of disguisedWrites) {
    const judgement = await judge(sql);
    if (judgement.kind === 'read') reads.push(sql);
    else assert.ok(judgement.reason.length > 20, sql);
  }
  assert.deepEqual(reads, []);
});

test('a damaged write that is judged a read changes nothing', async () => {
  using database = openShop();
  const before = stateOf(database);
  const mutants = new Set(disguisedWrites.flatMap(sql => Array.from(sqlMutants(sql))));
  let reads = 0;
  for (const sql of mutants) {
    const judgement = await judge(sql);
    if (judgement.kind !== 'read') continue;
    reads++;
    try {
      database.prepare(judgement.sql).all();
    } catch {
      // A read may fail.
    }
    assert.deepEqual(stateOf(database), before, sql);
  }
  assert.ok(mutants.size > 5000, `${mutants.size} mutants`);
  assert.ok(reads > 30, `${reads} of them are reads`);
});

test('a mask that names no column refuses the schema', async () => {
  const open = ReadSchema.open({ wasmBinary, statements: shopStatements, masked: ['customers.email', 'orders.'] });
  await assert.rejects(open, { code: 'invalid_mask', message: /"orders\."/ });
});

test('a column is masked by its pattern, and so are those that show it', async () => {
  const masked = await ReadSchema.open({ wasmBinary, statements: shopStatements, masked: shopMasks });
  const isMasked = (name: string): boolean =>
    masked.masks.maskOf(name.split('.')[0]!, name.split('.')[1]!) !== undefined;
  const hidden = [
    'customers.email',
    'CUSTOMERS.Email',
    'customers.password_hash',
    'customers.domain',
    'accounts.password',
    'orders.customer_email',
    'audit.old_address',
    'audit.at',
    'audit.rowid',
    'visits.day',
    'contacts.contact',
    'contact_orders.address',
    'customers_text.name',
  ];
  const shown = [
    'customers.name',
    'customers.rowid',
    'accounts.login',
    'orders.total',
    'contacts.name',
    'items.quantity',
  ];
  assert.deepEqual(hidden.filter(isMasked), hidden);
  assert.deepEqual(shown.filter(isMasked), []);
});

test('a statement that is too long is not judged', async () => {
  const judgement = await judge(`SELECT '${'x'.repeat(200_000)}'`);
  assert.equal(judgement.kind === 'refused' && judgement.code, 'statement_too_large');
});

test('a read of a table without its module is refused', async () => {
  const statements = ['CREATE VIRTUAL TABLE remote USING http(url)', 'CREATE VIRTUAL TABLE old USING fts4(body)'];
  const own = await ReadSchema.open({ wasmBinary, statements });
  assert.equal((await judgeRead('SELECT * FROM remote', own)).kind, 'refused');
  assert.equal((await judgeRead('SELECT body FROM old', own)).kind, 'read');
});
