import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import { analyze, type BoundStatement } from '../../../src/host/running/boundStatement.ts';
import { confirmRisks, refuseByProtection } from '../../../src/host/running/protection.ts';
import { maxListed } from '../../../src/host/running/boundStatement.ts';
import type { CountRows } from '../../../src/model/touchedRows.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import type { SqlParameter } from '../../../src/wire/values.ts';
import { RecordedPrompts } from '../../support/recordedPrompts.ts';

const profileWith = (protection: Protection) =>
  makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings', protection });

const bound = (sql: string, params: readonly SqlParameter[] = []): BoundStatement => ({ ...analyze(sql), params });

const noRows: CountRows = () => Promise.resolve(0);

/** Counts rows in a database of the test's own. */
function countIn(ddl: string): CountRows {
  const database = new DatabaseSync(':memory:');
  database.exec(ddl);
  return async (sql, params) => {
    try {
      const row = database.prepare(sql).get(...(params as (string | number)[])) ?? {};
      return await Promise.resolve(Number(Object.values(row)[0]));
    } catch (thrown) {
      throw new ProjectError('service', 'sql_error', (thrown as Error).message);
    }
  };
}

async function touchedRows(sql: string, countRows: CountRows, params: readonly SqlParameter[] = []) {
  const prompts = new RecordedPrompts();
  await confirmRisks(prompts, profileWith('confirmWrites'), [bound(sql, params)], countRows);
  return prompts.questions[0]?.statements[0]?.touchedRows;
}

type Action = 'run' | 'confirm' | 'refuse';

/** The action for a statement in an open project, in one that confirms writes, and in a read-only one. */
const actions: readonly (readonly [
  effect: string,
  sql: string,
  open: Action,
  confirmWrites: Action,
  readOnly: Action,
])[] = [
  ['read', 'SELECT * FROM pets', 'run', 'run', 'run'],
  ['write', 'DELETE FROM pets WHERE id = 1', 'run', 'confirm', 'refuse'],
  [
    'write after WITH',
    'WITH old AS (SELECT 1 AS id) DELETE FROM pets WHERE id IN (SELECT id FROM old)',
    'run',
    'confirm',
    'refuse',
  ],
  ['dangerous write', 'DELETE FROM pets', 'confirm', 'confirm', 'refuse'],
  ['schema change', 'CREATE TABLE owners (id)', 'run', 'confirm', 'refuse'],
  ['unknown statement', 'SELEC 1', 'run', 'confirm', 'refuse'],
];
const expectedCalls = { run: [], confirm: ['confirmRun'], refuse: ['showRefusal'] };

for (const [effect, sql, open, confirmWrites, readOnly] of actions) {
  for (const [protection, action] of Object.entries({ open, confirmWrites, readOnly }) as [Protection, Action][]) {
    test(`the action for a ${effect} in a project with the protection ${protection} is ${action}`, async () => {
      const prompts = new RecordedPrompts();
      const profile = profileWith(protection);
      const statements = [bound(sql)];
      const isRefused = refuseByProtection(prompts, profile, statements);
      if (!isRefused) assert.equal(await confirmRisks(prompts, profile, statements, noRows), true);
      assert.deepEqual(prompts.calls, expectedCalls[action]);
    });
  }
}

test('one refused statement refuses the whole script, and the message names the refused ones', () => {
  const prompts = new RecordedPrompts();
  const script = ['SELECT 1', 'INSERT INTO pets VALUES (1)', 'DELETE FROM pets'].map(sql => bound(sql));
  assert.equal(refuseByProtection(prompts, profileWith('readOnly'), script), true);
  const [refusal] = prompts.refusals;
  assert.equal(refusal?.totalCount, 3);
  assert.deepEqual(
    refusal.refusedStatements.map(({ sql }) => sql),
    ['INSERT INTO pets VALUES (1)', 'DELETE FROM pets'],
  );
});

test('one question covers all risky statements of a script', async () => {
  const prompts = new RecordedPrompts();
  const script = ['SELECT 1', 'INSERT INTO pets VALUES (1)', 'DELETE FROM pets'].map(sql => bound(sql));
  await confirmRisks(prompts, profileWith('confirmWrites'), script, noRows);
  const [question, ...others] = prompts.questions;
  assert.deepEqual(others, []);
  assert.equal(question?.totalCount, 3);
  assert.equal(question.riskyCount, 2);
  assert.deepEqual(
    question.statements.map(({ sql }) => sql),
    ['INSERT INTO pets VALUES (1)', 'DELETE FROM pets'],
  );
});

test('a question lists a few of many risky statements, and counts the rows of those only', async () => {
  const prompts = new RecordedPrompts();
  const script = Array.from({ length: 50 }, (_, index) => bound(`DELETE FROM pets WHERE id = ${index}`));
  let queryCount = 0;
  await confirmRisks(prompts, profileWith('confirmWrites'), script, () => Promise.resolve(++queryCount));
  assert.equal(prompts.questions[0]?.statements.length, maxListed);
  assert.equal(prompts.questions[0].riskyCount, 50);
  assert.equal(queryCount, maxListed);
});

test('a question that is not confirmed runs nothing', async () => {
  const prompts = new RecordedPrompts();
  prompts.isConfirmed = false;
  assert.equal(await confirmRisks(prompts, profileWith('open'), [bound('DROP TABLE pets')], noRows), false);
});

const pets = `CREATE TABLE pets (name); INSERT INTO pets VALUES ('Ann'), ('Bob')`;

test('the question counts the rows that an UPDATE, a DELETE or a DROP touches', async () => {
  const countRows = countIn(pets);
  assert.deepEqual(await touchedRows('UPDATE pets SET name = upper(name)', countRows), { kind: 'rows', count: 2 });
  assert.deepEqual(await touchedRows('DROP TABLE pets', countRows), { kind: 'rows', count: 2 });
  const sql = 'DELETE FROM pets WHERE name = ?';
  assert.deepEqual(await touchedRows(sql, countRows, ['Ann']), { kind: 'rows', count: 1 });
});

test('the question counts the values of a column that would be dropped', async () => {
  const countRows = countIn(`${pets}; ALTER TABLE pets ADD COLUMN age; UPDATE pets SET age = 7 WHERE name = 'Ann'`);
  assert.deepEqual(await touchedRows('ALTER TABLE pets DROP COLUMN age', countRows), { kind: 'values', count: 1 });
});

test('the question counts each row of an UPDATE … FROM once, also in a table without rowids', async () => {
  const countRows = countIn(`${pets}; CREATE TABLE owners (n); INSERT INTO owners VALUES (1), (2), (3);
    CREATE TABLE codes (k PRIMARY KEY, c) WITHOUT ROWID; INSERT INTO codes VALUES (1, 1)`);
  const joined = 'FROM owners WHERE true';
  assert.deepEqual(await touchedRows(`UPDATE pets SET name = 'x' ${joined}`, countRows), { kind: 'rows', count: 2 });
  assert.deepEqual(await touchedRows(`UPDATE codes SET c = owners.n ${joined}`, countRows), {
    kind: 'rows',
    count: 1,
  });
});

test('an INSERT touches no existing rows, so nothing is counted', async () => {
  assert.equal(await touchedRows('INSERT INTO pets VALUES (1)', countIn('')), undefined);
});

test('dropping a table that is not there, if it exists, needs no question', async () => {
  const statement = bound('DROP TABLE IF EXISTS pets');
  const prompts = new RecordedPrompts();
  prompts.isConfirmed = false;
  const countRows = countIn('');
  assert.equal(await confirmRisks(prompts, profileWith('open'), [statement], countRows), true);
  assert.equal(await confirmRisks(prompts, profileWith('confirmWrites'), [statement], countRows), false);
  const script = [bound('ALTER TABLE cats RENAME TO pets'), statement];
  assert.equal(await confirmRisks(prompts, profileWith('open'), script, countRows), false);
  assert.equal(await confirmRisks(prompts, profileWith('open'), [statement], countIn(pets)), false);
});

/** The statements of a script that a question lists in an open project. */
const listedOf = async (countRows: CountRows, ...script: string[]) => {
  const prompts = new RecordedPrompts();
  const statements = script.map(sql => bound(sql));
  await confirmRisks(prompts, profileWith('open'), statements, countRows);
  return prompts.questions[0]?.statements.map(({ sql }) => sql);
};

test('a script needs no question for a table that it creates itself', async () => {
  const none = countIn('');
  assert.equal(
    await listedOf(none, 'DROP TABLE IF EXISTS pets', 'CREATE TABLE pets (name)', 'DELETE FROM pets'),
    undefined,
  );
  assert.equal(
    await listedOf(none, 'CREATE TABLE "Pets" (name)', 'ALTER TABLE pets DROP COLUMN a', 'DROP TABLE main.pets'),
    undefined,
  );
  // These can lose rows that were there before.
  const create = 'CREATE TABLE pets (name)';
  assert.deepEqual(await listedOf(countIn(pets), create, 'DROP TABLE pets'), ['DROP TABLE pets']);
  assert.deepEqual(await listedOf(none, 'DROP TABLE pets', create), ['DROP TABLE pets']);
  const rename = 'ALTER TABLE cats RENAME TO pets';
  assert.deepEqual(await listedOf(none, create, 'DROP TABLE pets', rename, 'DROP TABLE IF EXISTS pets'), [
    'DROP TABLE IF EXISTS pets',
  ]);
  const fromCats = 'UPDATE pets SET name = 1 FROM cats';
  assert.deepEqual(await listedOf(countIn(pets), 'CREATE TABLE cats (a)', fromCats), [fromCats]);
});

test('a question counts the rows of a limited number of statements, and lists the next ones without a count', async () => {
  const prompts = new RecordedPrompts();
  const script = Array.from({ length: 500 }, (_, index) => bound(`DROP TABLE IF EXISTS t${index}`));
  let queryCount = 0;
  const countRows: CountRows = sql => {
    queryCount++;
    return countIn('')(sql, []);
  };
  await confirmRisks(prompts, profileWith('open'), script, countRows);
  assert.equal(queryCount, 64);
  assert.equal(prompts.questions[0]?.statements[0]?.sql, 'DROP TABLE IF EXISTS t64');
  assert.equal(prompts.questions[0].riskyCount, 436);
});

test('a count that the user cancels, or that fails, does not prevent the question', async () => {
  const sql = 'DELETE FROM pets';
  assert.deepEqual(await touchedRows(sql, () => Promise.resolve(undefined)), { kind: 'cancelled' });
  const error = new ProjectError('service', 'sql_error', 'no such table: pets');
  assert.deepEqual(await touchedRows(sql, () => Promise.reject(error)), { kind: 'failed', error });
});
