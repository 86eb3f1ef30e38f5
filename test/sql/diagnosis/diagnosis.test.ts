import assert from 'node:assert/strict';
import { type Mock, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import { doAtOnce } from '../../../src/base/turns.ts';
import type { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { corpusStatements, openCorpusShadow } from '../../support/corpusShadow.ts';
import { diagnosisWith, faultsOf } from '../../support/faultTexts.ts';
import { openShadow } from '../../support/openShadow.ts';
import { exhausting, wideTable } from '../../support/exhaustingStatement.ts';

const shadow = await openCorpusShadow();

const diagnosisOf = (text: string, schema: ShadowSchema | undefined = shadow): Diagnosis => diagnosisWith(schema, text);

test('a taken name of the project becomes an error when the document takes it', async () => {
  const diagnosis = diagnosisOf('CREATE TABLE users (id);');
  assert.equal((await diagnosis.faults())?.[0]?.severity, 'information');
  diagnosis.apply({ start: 0, end: 0, text: 'DROP TABLE users; CREATE TABLE users (id, name); ' });
  assert.equal((await diagnosis.faults())?.[0]?.severity, 'error');
});

test('without a schema only the syntax is checked, and a schema may come and go', async () => {
  const text = 'SELECT nme FROM users; SELECT (';
  const diagnosis = new Diagnosis(text);
  assert.equal((await diagnosis.faults())?.length, 1);
  diagnosis.useSchema(shadow);
  assert.equal((await diagnosis.faults())?.length, 2);
  const other = await openShadow(['CREATE TABLE users (nme)']);
  diagnosis.useSchema(other);
  assert.equal((await diagnosis.faults())?.length, 1);
  diagnosis.useSchema(undefined);
  assert.equal((await diagnosis.faults())?.length, 1);
  other.dispose();
});

test('an edit that was prepared in another schema is checked in the present one', async () => {
  const diagnosis = diagnosisOf('SELECT nme FROM users;');
  assert.equal((await diagnosis.faults())?.length, 1);
  const commit = doAtOnce(diagnosis.prepare({ start: 0, end: 22, text: 'SELECT nme FROM users; SELECT 1;' }));
  assert.equal(diagnosis.index.count, 1);
  const other = await openShadow(['CREATE TABLE users (nme)']);
  diagnosis.useSchema(other);
  commit();
  assert.equal(diagnosis.index.count, 2);
  assert.deepEqual(await diagnosis.faults(), []);
  other.dispose();
});

const checkedTexts = ({ mock }: Mock<ShadowSchema['checkIn']>): string[] =>
  mock.calls.map(({ arguments: [, statement] }) => statement);

test('an edit checks only its statement again, and moves the faults below', async context => {
  const checkIn = context.mock.method(shadow, 'checkIn');
  const diagnosis = diagnosisOf('SELECT id FROM users;\nSELECT nme FROM users;\nSELECT id FROM posts;');
  assert.deepEqual(await faultsOf(diagnosis), ['29 nme | unknown_column | no such column: nme']);
  checkIn.mock.resetCalls();
  diagnosis.apply({ start: 7, end: 9, text: 'name, id' });
  assert.deepEqual(await faultsOf(diagnosis), ['35 nme | unknown_column | no such column: nme']);
  assert.deepEqual(checkedTexts(checkIn), ['SELECT name, id FROM users;']);
});

test('an edit of DDL takes effect for the statements after it', async () => {
  const text = 'SELECT y FROM fresh; CREATE TABLE fresh (x); SELECT y FROM fresh; SELECT id FROM users;';
  const diagnosis = diagnosisOf(text);
  assert.equal((await diagnosis.faults())?.length, 2);
  diagnosis.apply({ start: text.indexOf('(x') + 1, end: text.indexOf('(x') + 2, text: 'y' });
  assert.equal((await diagnosis.faults())?.length, 1);
  diagnosis.apply({ start: 21, end: 27, text: 'CRATE' });
  assert.equal((await diagnosis.faults())?.length, 3);
});

const lintCodesOf = async (diagnosis: Diagnosis): Promise<string[]> => {
  await diagnosis.faults();
  return diagnosis.lints().map(({ start, code }) => `${start} ${code}`);
};

test('the lints of a statement are those in the schema before it, also after an edit above', async () => {
  const query = "SELECT x FROM fresh WHERE x = 'a'";
  const diagnosis = diagnosisOf(`CREATE TABLE fresh (x INT); ${query}; DELETE FROM fresh;`);
  assert.deepEqual(await lintCodesOf(diagnosis), ['58 never_matches', '63 missing_where']);
  diagnosis.apply({ start: 22, end: 25, text: 'TEXT' });
  assert.deepEqual(await lintCodesOf(diagnosis), ['64 missing_where']);
  diagnosis.apply({ start: 0, end: 29, text: 'ALTER TABLE emp RENAME TO fresh; ALTER TABLE fresh RENAME id TO x;' });
  assert.deepEqual(await lintCodesOf(diagnosis), ['96 never_matches', '101 missing_where']);
  diagnosis.useSchema(undefined);
  assert.deepEqual(await lintCodesOf(diagnosis), ['101 missing_where']);
});

test('a statement with invalid syntax has no lints, one with other faults has', async () => {
  assert.deepEqual(await lintCodesOf(diagnosisOf('DELETE FROM users; DELETE FROM users WHERE')), ['0 missing_where']);
  assert.deepEqual(await lintCodesOf(diagnosisOf('SELECT nme FROM users WHERE email = NULL')), ['34 equals_null']);
});

test('a statement, or another text in its place, has a report in the schema of its document', async () => {
  const diagnosis = diagnosisOf('CREATE TABLE fresh (x INT); SELECT x FROM fresh;');
  const { columns } = (await diagnosis.report(1))!;
  assert.deepEqual(columns, [{ name: 'x', table: 'fresh', column: 'x', declaredType: 'INT' }]);
  assert.equal(await diagnosis.report(2), undefined);
  const report = await diagnosis.report(1, 'SELECT x AS y FROM fresh');
  assert.deepEqual(
    report?.columns.map(({ name }) => name),
    ['y'],
  );
  assert.equal((await diagnosis.report(0, 'SELECT x FROM fresh'))?.outcome, 'refused');
});

test('an object that could not be created has its columns after an edit that makes it valid', async () => {
  const diagnosis = diagnosisOf('CREATE VIEW posts AS SELECT id FROM users; SELECT nope FROM posts;');
  assert.equal((await diagnosis.faults())?.length, 2);
  diagnosis.apply({ start: 0, end: 0, text: 'DROP TABLE posts; ' });
  assert.deepEqual(await faultsOf(diagnosis), ['68 nope | unknown_column | no such column: nope']);
});

test('an ALTER that is not checked takes no name that is taken', async () => {
  const text = 'CREATE TABLE temp.posts (x, ); ALTER TABLE emp RENAME TO posts; SELECT * FROM emp;';
  const faults = await faultsOf(diagnosisOf(text));
  assert.deepEqual(faults, ['28 ) | syntax_error | near ")": syntax error']);
});

test('an index takes effect for the statements after it until it is dropped', async () => {
  const insert = 'INSERT INTO emp (name) VALUES (1) ON CONFLICT (name) DO NOTHING;';
  const faults = await diagnosisOf(
    `${insert} CREATE UNIQUE INDEX u ON emp (name); ${insert} DROP INDEX u; ${insert}`,
  ).faults();
  const message = 'ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint';
  assert.deepEqual(
    faults?.map(fault => fault.message),
    [message, message],
  );
});

test('a quote that is opened and closed again causes no new checks', async context => {
  const checkIn = context.mock.method(shadow, 'checkIn');
  const text = 'SELECT 1; CREATE TABLE fresh (x); SELECT x FROM fresh; SELECT id FROM users;';
  const diagnosis = diagnosisOf(text);
  assert.deepEqual(await diagnosis.faults(), []);
  diagnosis.apply({ start: 8, end: 8, text: "'" });
  assert.equal((await diagnosis.faults())?.length, 1);
  checkIn.mock.resetCalls();
  diagnosis.apply({ start: 8, end: 9, text: '' });
  assert.deepEqual(await diagnosis.faults(), []);
  assert.deepEqual(checkedTexts(checkIn), []);
});

test('the faults are those of the document when the promise resolves, although it was edited before', async () => {
  let now = 0;
  // Each call moves the clock past the end of the turn.
  const clock = { ...systemClock, now: () => (now += 1000) };
  const diagnosis = new Diagnosis('SELECT nme FROM users;\nSELECT 1;\nSELECT 2;', clock);
  diagnosis.useSchema(shadow);
  const first = diagnosis.faults();
  diagnosis.apply({ start: 7, end: 10, text: 'name' });
  assert.deepEqual(await first, []);
  diagnosis.apply({ start: 7, end: 11, text: 'other' });
  const both = await Promise.all([diagnosis.faults(), diagnosis.faults()]);
  assert.deepEqual(
    both.map(faults => faults?.length),
    [1, 1],
  );
});

test('an aborted call returns undefined, and the next one continues', async () => {
  const diagnosis = diagnosisOf('SELECT 1; SELECT nme FROM users');
  assert.equal(await diagnosis.faults(AbortSignal.abort()), undefined);
  assert.equal((await diagnosis.faults())?.length, 1);
});

test('a statement that exceeds the limits is reported, and those after it are checked', async () => {
  const own = await openShadow([...corpusStatements, wideTable]);
  const diagnosis = diagnosisOf(
    `CREATE TABLE fresh (x); ${exhausting}; SELECT y FROM fresh; SELECT nme FROM users`,
    own,
  );
  const codes = async (): Promise<unknown> => (await diagnosis.faults())?.map(({ code }) => code);
  assert.deepEqual(await codes(), ['not_checked', 'unknown_column', 'unknown_column']);
  diagnosis.apply({ start: 20, end: 21, text: 'y' });
  assert.deepEqual(await codes(), ['not_checked', 'unknown_column']);
  own.dispose();
});

test('a statement that is too large has no faults and is assumed to succeed', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `(${index})`).join(', ');
  const names = Array.from({ length: 2000 }, (_, index) => `:p${index}`).join(', ');
  const columns = Array.from({ length: 1500 }, (_, index) => `"${'c'.repeat(100)}${index}"`).join(', ');
  const text = `INSERT INTO usres VALUES ${rows}; CREATE TABLE long (x, ${columns}); SELECT x FROM long; SELECT nme FROM users; `;
  assert.deepEqual(await faultsOf(diagnosisOf(text)), [
    `${text.indexOf('nme')} nme | unknown_column | no such column: nme`,
  ]);
  const named = await diagnosisOf(`SELECT nme, ${names}`).faults();
  assert.deepEqual(named, []);
});

test('a disposed schema reports nothing more, also for a pending call', async () => {
  const own = await openShadow([...corpusStatements, wideTable]);
  const pendingFaults = diagnosisOf(`${exhausting}; SELECT nme FROM users; SELECT (`, own).faults();
  own.dispose();
  const codes = (await pendingFaults)?.map(({ code }) => code);
  assert.deepEqual(codes, ['not_checked', 'incomplete_statement'], 'without another engine');
  const laterFaults = await faultsOf(diagnosisOf('SELECT nme FROM users; SELECT (', own));
  assert.deepEqual(laterFaults, ['30 ( | incomplete_statement | incomplete input']);
});
