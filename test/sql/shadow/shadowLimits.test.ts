import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { checkDocument } from '../../support/checkDocument.ts';
import { corpusStatements as ddl } from '../../support/corpusShadow.ts';
import { assertWithin, cpuMsOf } from '../../support/cpuTime.ts';
import { exhausting, standingClock, wideTable } from '../../support/exhaustingStatement.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const shadow = await ShadowSchema.open({ wasmBinary, ddl });

test('CREATE TABLE AS is not executed, so its query may be endless', async () => {
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  const document = await checkDocument(
    shadow,
    `CREATE TEMP TABLE IF NOT EXISTS many AS ${endless}; SELECT i FROM many`,
    true,
  );
  assert.deepEqual(
    document.map(({ report }) => report.problems),
    [[], []],
  );
  assert.equal(document[1]?.report.columns[0]?.column, 'i');
});

test('a definition with other statements behind it is not executed, and nothing is said of it', async () => {
  const own = await ShadowSchema.open({
    wasmBinary,
    clock: standingClock,
    ddl: [
      'CREATE TABLE kept (a)',
      'CREATE TABLE t (a); DROP TABLE kept; CREATE TABLE kept (b)',
      "CREATE TABLE s (a); ATTACH ':memory:' AS other",
    ],
  });
  assert.equal((await own.check('SELECT a FROM t')).outcome, 'uncertain');
  assert.equal((await own.check('SELECT a FROM kept, s')).outcome, 'uncertain');
  assert.deepEqual((await own.check('SELECT a FROM kept')).problems, []);
  own.dispose();
});

test('an endless check is interrupted, and the next statement is checked', async () => {
  let now = 0;
  const clock = { now: () => (now += 1000), after: () => () => undefined };
  const levels = Array.from(
    { length: 14 },
    (_, level) => `CREATE VIEW v${level + 1} AS SELECT (SELECT a FROM v${level}) + (SELECT a FROM v${level}) AS a`,
  );
  const own = await ShadowSchema.open({ wasmBinary, clock, ddl: ['CREATE TABLE v0 (a)', ...levels] });
  assert.equal((await own.check('SELECT a FROM v14')).outcome, 'limitExceeded');
  assert.equal((await own.check('SELECT a FROM v1')).outcome, 'prepared');
  own.dispose();
});

test('all attempts at one statement share its time limit', async () => {
  let now = 0;
  // Each call moves the clock.
  const clock = { now: () => (now += 10), after: () => () => undefined };
  const own = await ShadowSchema.open({ wasmBinary, clock, ddl: [] });
  const calls = Array.from({ length: 45 }, (_, index) => `f${index}(1)`).join(', ');
  const { outcome, problems } = await own.check(`SELECT ${calls}`);
  assert.equal(outcome, 'limitExceeded');
  assert.equal(problems[0]?.message, 'no such function: f0');
  assert.equal((await own.check('SELECT f0(1), f1(1)')).outcome, 'prepared');
  own.dispose();
});

test('a statement that is too large for handwriting is not checked', async () => {
  assert.equal((await shadow.check(`SELECT '${'x'.repeat(40_000_000)}'`)).outcome, 'tooLarge');
  const names = Array.from({ length: 2000 }, (_, index) => `:p${index}`).join(', ');
  assert.equal((await shadow.check(`SELECT 1 IN (${names})`)).outcome, 'tooLarge');
  assert.equal((await shadow.check(`SELECT 1 IN (${names.replaceAll(/:p\d+/g, '?')})`)).outcome, 'prepared');
  assert.equal((await shadow.check(`SELECT '${names}'`)).outcome, 'prepared');
});

test('an engine that runs out of memory is replaced, and keeps the schema and the changes of the document', async () => {
  const own = await ShadowSchema.open({ wasmBinary, ddl: [...ddl, wideTable], clock: standingClock });
  const text = `CREATE TABLE fresh (x); ${exhausting}; SELECT x FROM fresh; SELECT id FROM users; ${exhausting};`;
  const outcomes = (await checkDocument(own, text)).map(({ report }) => report.outcome);
  assert.deepEqual(outcomes, ['prepared', 'limitExceeded', 'prepared', 'prepared', 'limitExceeded']);
  assert.equal((await own.check('SELECT x FROM fresh')).outcome, 'refused');
  own.dispose();
});

const manyTables = (from: number): string =>
  Array.from({ length: 6000 }, (_, at) => `CREATE TABLE n${from + at} (a); SELECT a FROM n${from + at};`).join('');

test('a check is right after any number of names', async () => {
  const own = await ShadowSchema.open({ wasmBinary, ddl });
  for (const from of [0, 6000]) {
    const checked = await checkDocument(
      own,
      `${manyTables(from)} SELECT id FROM users; SELECT a FROM n${from + 1}; SELECT a FROM m`,
    );
    const problems = checked.flatMap(({ report }) => report.problems.map(({ message }) => message));
    assert.deepEqual(problems, ['no such table: m']);
  }
  own.dispose();
});

test('a check throws for no text', async () => {
  for (const text of [
    '',
    ';',
    ' -- x',
    "SELECT 'a\0b'",
    '\ud83c',
    `SELECT ${'('.repeat(100_000)}`,
    'EXPLAIN',
    'CREATE',
    'CREATE TABLE',
  ]) {
    assert.ok((await shadow.check(text)).problems.every(({ start, end }) => start <= end && end <= text.length));
    assert.ok(await checkDocument(shadow, text));
  }
});

test('1,000 tables are loaded and 3,000 statements are checked within seconds of CPU time', async () => {
  const columns = Array.from({ length: 18 }, (_, index) => `column_${index} TEXT`).join(', ');
  const tables = Array.from(
    { length: 1000 },
    (_, index) => `CREATE TABLE table_${index} (id INTEGER PRIMARY KEY, ${columns})`,
  );
  const text = Array.from(
    { length: 3000 },
    (_, index) => `SELECT id, column_1, column_2\nFROM table_${index % 1000}\nWHERE column_3 = ${index};\n`,
  ).join('');
  const checkAll = async (): Promise<void> => {
    const own = await ShadowSchema.open({ wasmBinary, ddl: tables });
    const checked = await checkDocument(own, text);
    await checkDocument(own, text.replace('column_1', 'column_7'));
    assert.ok(checked.length === 3000 && checked.every(({ report }) => report.outcome === 'prepared'));
    own.dispose();
  };
  await assertWithin(15_000, () => cpuMsOf(checkAll));
});
