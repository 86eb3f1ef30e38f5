import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import type { FaultSeverity } from '../../../src/sql/diagnosis/fault.ts';
import { doAtOnce } from '../../../src/base/turns.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { diagnosisWith, faultsOf } from '../../support/faultTexts.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';
import { exhausting, standingClock, wideTable } from '../../support/exhaustingStatement.ts';
import { ddl as corpusDdl } from '../corpus.ts';

const ddl = splitStatements(corpusDdl).map(({ start, end }) => corpusDdl.slice(start, end));
const shadow = await ShadowSchema.open({ wasmBinary, ddl });

const diagnosisOf = (text: string, schema: ShadowSchema | undefined = shadow): Diagnosis => diagnosisWith(schema, text);

const cases: readonly (readonly [text: string, ...faults: string[]])[] = [
  ['SELECT id FROM users; -- fine'],
  ['', ...[]],
  ['SELECT 1; SELECT * FORM users;', '19 FORM | syntax_error | near "FORM": syntax error'],
  ['SELECT 1;\nSELECT (1', '18 1 | incomplete_statement | incomplete input'],
  ["SELECT 1; SELECT 'open\n; SELECT 2;", `17 'open | unrecognized_token | unrecognized token: "'open\n; SELECT 2;"`],
  ["SELECT 1; SELECT 'open", `17 'open | unrecognized_token | unrecognized token: "'open"`],
  [
    'SELECT id FROM users\nSELECT 2;',
    '21 SELECT | syntax_error | near "SELECT": syntax error (is a semicolon missing before it?)',
  ],
  ['SELECT 1; SELECT nme FROM users', '17 nme | unknown_column | no such column: nme'],
  ['SELECT id FROM usres', '15 usres | unknown_table | no such table: usres'],
  ['SELECT id FROM users, posts', '7 id | ambiguous_column | ambiguous column name: id'],
  [
    'SELECT nme, u.emial, nosuch(1) FROM users u WHERE u.idd = ? ORDER BY creatd',
    '21 nosuch | unknown_function | no such function: nosuch',
    '7 nme | unknown_column | no such column: nme',
    '12 u.emial | unknown_column | no such column: u.emial',
    '50 u.idd | unknown_column | no such column: u.idd',
    '69 creatd | unknown_column | no such column: creatd',
  ],
  [
    'SELECT id, nme FROM users, posts',
    '7 id | ambiguous_column | ambiguous column name: id',
    '11 nme | unknown_column | no such column: nme',
  ],
  [
    'SELECT nme FROM users WHERE nme = 1',
    '7 nme | unknown_column | no such column: nme',
    '28 nme | unknown_column | no such column: nme',
  ],
  ['SELECT y.nme FROM (SELECT nme FROM users) y', '26 nme | unknown_column | no such column: nme'],
  [
    'UPDATE users SET nme = 1, emial = x, (actve, name) = (1, 2) WHERE idd = 1 RETURNING rr, ss',
    '17 nme | unknown_column | no such column: nme',
    '34 x | unknown_column | no such column: x',
    '26 emial | unknown_column | no such column: emial',
    '38 actve | unknown_column | no such column: actve',
    '66 idd | unknown_column | no such column: idd',
    '84 rr | unknown_column | no such column: rr',
    '88 ss | unknown_column | no such column: ss',
  ],
  [
    'INSERT INTO users (idd, nme, active) VALUES (1, x) RETURNING yy, zz',
    '19 idd | unknown_column | table users has no column named idd',
    '24 nme | unknown_column | table users has no column named nme',
    '48 x | unknown_column | no such column: x',
    '12 users | wrong_value_count | 2 values for 3 columns',
    '61 yy | unknown_column | no such column: yy',
    '65 zz | unknown_column | no such column: zz',
  ],
  [
    'REPLACE INTO users VALUES (1, x) RETURNING y',
    '30 x | unknown_column | no such column: x',
    '13 users | wrong_value_count | table users has 6 columns but 2 values were supplied',
    '43 y | unknown_column | no such column: y',
  ],
  [
    'INSERT INTO users (id, name) VALUES (1, 2) ON CONFLICT (nme) DO UPDATE SET emial = 1, nam = excluded.zz WHERE ww',
    '56 nme | unknown_column | no such column: nme',
    '75 emial | unknown_column | no such column: emial',
    '92 excluded.zz | unknown_column | no such column: excluded.zz',
    '86 nam | unknown_column | no such column: nam',
    '110 ww | unknown_column | no such column: ww',
  ],
  [
    'UPDATE gen SET b = 1, zz = 2',
    '15 b | refused | cannot UPDATE generated column "b"',
    '22 zz | unknown_column | no such column: zz',
  ],
  [
    'INSERT INTO gen (b, zz) VALUES (1, 2)',
    '17 b | refused | cannot INSERT into generated column "b"',
    '20 zz | unknown_column | table gen has no column named zz',
  ],
  [
    'DELETE FROM users WHERE nme RETURNING zz, yy',
    '24 nme | unknown_column | no such column: nme',
    '38 zz | unknown_column | no such column: zz',
    '42 yy | unknown_column | no such column: yy',
  ],
  [
    'SELECT id FROM users GROUP BY nme UNION SELECT titel FROM posts GROUP BY bdy ORDER BY zz, id, lower(yy), 7',
    '47 titel | unknown_column | no such column: titel',
    '73 bdy | unknown_column | no such column: bdy',
    '30 nme | unknown_column | no such column: nme',
    '105 7 | refused | 4th ORDER BY term out of range - should be between 1 and 1',
    '86 zz | unknown_column | 1st ORDER BY term does not match any column in the result set',
    '94 lower(yy) | unknown_column | 3rd ORDER BY term does not match any column in the result set',
  ],
  [
    'SELECT nme FROM users UNION SELECT id FROM posts ORDER BY nme, emial',
    '7 nme | unknown_column | no such column: nme',
    '63 emial | unknown_column | 2nd ORDER BY term does not match any column in the result set',
  ],
  [
    'SELECT id, nme FROM users UNION SELECT id FROM posts',
    '11 nme | unknown_column | no such column: nme',
    '11 nme | refused | SELECTs to the left and right of UNION do not have the same number of result columns',
  ],
  [
    'SELECT id FROM users JOIN posts USING (nme, tt, id)',
    '39 nme | unknown_column | cannot join using column nme - column not present in both tables',
    '44 tt | unknown_column | cannot join using column tt - column not present in both tables',
  ],
  [
    'SELECT abs(1, nme), abs(), nosuch(1), nosuch(zz) FROM users WHERE count(*) > 1 AND emial',
    '27 nosuch | unknown_function | no such function: nosuch',
    '38 nosuch | unknown_function | no such function: nosuch',
    '7 abs | wrong_argument_count | wrong number of arguments to function abs()',
    '14 nme | unknown_column | no such column: nme',
    '20 abs | wrong_argument_count | wrong number of arguments to function abs()',
    '45 zz | unknown_column | no such column: zz',
    '66 count | misused_aggregate | misuse of aggregate function count()',
    '83 emial | unknown_column | no such column: emial',
  ],
  [
    'SELECT u.nme FROM users u JOIN posts p ON p.usr_id = u.idd AND idd AND id = abs(1, p.x) JOIN tags t ON t.x = p.x',
    '7 u.nme | unknown_column | no such column: u.nme',
    '42 p.usr_id | unknown_column | no such column: p.usr_id',
    '53 u.idd | unknown_column | no such column: u.idd',
    '63 idd | unknown_column | no such column: idd',
    '71 id | ambiguous_column | ambiguous column name: id',
    '76 abs | wrong_argument_count | wrong number of arguments to function abs()',
    '83 p.x | unknown_column | no such column: p.x',
    '103 t.x | unknown_column | no such column: t.x',
    '109 p.x | unknown_column | no such column: p.x',
  ],
  [
    'UPDATE users SET idd = 1 FROM posts p JOIN tags t ON idd = p.idd',
    '17 idd | unknown_column | no such column: idd',
    '53 idd | unknown_column | no such column: idd',
    '59 p.idd | unknown_column | no such column: p.idd',
  ],
  [
    'SELECT id FROM users JOIN posts USING (di)',
    '39 di | unknown_column | cannot join using column di - column not present in both tables',
  ],
  [
    'SELECT q.*, nme FROM users',
    '7 q | unknown_table | no such table: q',
    '12 nme | unknown_column | no such column: nme',
  ],
  ['CREATE INDEX i ON users (nme)', '25 nme | unknown_column | no such column: nme'],
  ['SELECT abs(1, 2)', '7 abs | wrong_argument_count | wrong number of arguments to function abs()'],
  ['INSERT INTO users (name) VALUES (1, 2)', '12 users | wrong_value_count | 2 values for 1 columns'],
  ['CREATE TABLE users (a)', '13 users | name_taken | table users already exists'],
  ['CREATE VIEW fresh AS SELECT nme FROM users', '28 nme | unknown_column | no such column: nme'],
  [
    'CREATE TEMP VIEW fresh (a) AS SELECT id, name FROM users; CREATE VIEW users AS SELECT 1',
    '70 users | name_taken | table users already exists',
  ],
  ['CREATE VIEW late AS SELECT x FROM fresh', '34 fresh | unknown_table | no such table: fresh'],
  ['DROP INDEX nowhere', '11 nowhere | unknown_name | no such index: nowhere'],
  [
    'SELECT nosuch(1), nme FROM users',
    '7 nosuch | unknown_function | no such function: nosuch',
    '18 nme | unknown_column | no such column: nme',
  ],
  [
    'SELECT ?, ?2, :name FROM users',
    '10 ?2 | parameter_not_positional | The service binds values in order and takes only a plain ? here, not ?2.',
    '14 :name | parameter_not_positional | The service binds values in order and takes only a plain ? here, not :name.',
  ],
  ['PRAGMA foreign_keys = nonsense'],
  [
    'SELECT stat FROM sqlite_stat1; ANALYZE; SELECT stat FROM sqlite_stat1',
    '17 sqlite_stat1 | unknown_table | no such table: sqlite_stat1',
  ],
  [
    'ANALYZE users; SELECT stat FROM main.sqlite_stat1; DROP TABLE sqlite_stat1; SELECT stat FROM sqlite_stat1',
    '93 sqlite_stat1 | unknown_table | no such table: sqlite_stat1',
  ],
  [
    'SELECT x FROM fresh; CREATE TABLE fresh (x); SELECT x FROM fresh; DROP TABLE fresh; SELECT x FROM fresh',
    '14 fresh | unknown_table | no such table: fresh',
    '98 fresh | unknown_table | no such table: fresh',
  ],
];
/** Columns that an unknown table may have are no faults. */
const unknownTables: typeof cases = [
  [
    'SELECT usres.id FROM users, usres JOIN psts ON psts.id = usres.id',
    '28 usres | unknown_table | no such table: usres',
    '39 psts | unknown_table | no such table: psts',
  ],
  [
    'SELECT u.nme, p.x, name, zz FROM users u JOIN main.pots AS p ON p.user_id = u.idd',
    '51 pots | unknown_table | no such table: main.pots',
    '7 u.nme | unknown_column | no such column: u.nme',
    '76 u.idd | unknown_column | no such column: u.idd',
  ],
  [
    'SELECT id FROM usres WHERE id IN (SELECT id FROM usres) OR id IN usres',
    '15 usres | unknown_table | no such table: usres',
    '49 usres | unknown_table | no such table: usres',
    '65 usres | unknown_table | no such table: usres',
  ],
  [
    'SELECT id, title, name FROM users u, posts p, usres x WHERE nosuch(x.y)',
    '60 nosuch | unknown_function | no such function: nosuch',
    '46 usres | unknown_table | no such table: usres',
    '7 id | ambiguous_column | ambiguous column name: id',
  ],
  [
    'WITH c AS (SELECT a FROM usres) SELECT c.b, u.nme FROM c, users u',
    '25 usres | unknown_table | no such table: usres',
    '39 c.b | unknown_column | no such column: c.b',
    '44 u.nme | unknown_column | no such column: u.nme',
  ],
  ['WITH usres AS (SELECT 1 AS x) SELECT y FROM usres, pots', '51 pots | unknown_table | no such table: pots'],
  [
    'SELECT users.name, users.*, "Porto" FROM usres WHERE users.id = 1',
    '41 usres | unknown_table | no such table: usres',
  ],
  [
    'UPDATE usres SET a = u.nme FROM users u, pots WHERE c RETURNING d, usres.e',
    '7 usres | unknown_table | no such table: usres',
    '41 pots | unknown_table | no such table: pots',
    '21 u.nme | unknown_column | no such column: u.nme',
  ],
  [
    'DELETE FROM main.usres WHERE id IN (SELECT u.nme FROM users u)',
    '17 usres | unknown_table | no such table: main.usres',
    '43 u.nme | unknown_column | no such column: u.nme',
  ],
  [
    'INSERT INTO usres (a, b) SELECT nme FROM users RETURNING c',
    '12 usres | unknown_table | no such table: usres',
    '32 nme | unknown_column | no such column: nme',
    '12 usres | wrong_value_count | 1 values for 2 columns',
  ],
  [
    'INSERT INTO usres VALUES (1, x)',
    '12 usres | unknown_table | no such table: usres',
    '29 x | unknown_column | no such column: x',
  ],
  ['INSERT INTO users SELECT * FROM usres', '32 usres | unknown_table | no such table: usres'],
  [
    'SELECT * FROM usres UNION SELECT nme FROM users ORDER BY zz, 5',
    '14 usres | unknown_table | no such table: usres',
    '33 nme | unknown_column | no such column: nme',
  ],
  [
    'SELECT 1 FROM users NATURAL JOIN usres JOIN psts USING (id) WHERE users.nme',
    '33 usres | unknown_table | no such table: usres',
    '44 psts | unknown_table | no such table: psts',
    '66 users.nme | unknown_column | no such column: users.nme',
  ],
  [
    'CREATE TABLE n AS SELECT u.nme FROM users u, pots',
    '45 pots | unknown_table | no such table: pots',
    '25 u.nme | unknown_column | no such column: u.nme',
  ],
  [
    'EXPLAIN SELECT u.nme FROM users u, pots',
    '35 pots | unknown_table | no such table: pots',
    '15 u.nme | unknown_column | no such column: u.nme',
  ],
  ['SELECT * FROM usres(1), pots', '14 usres | unknown_table | no such table: usres'],
  [
    'SELECT a.id FROM usres a; SELECT id FROM "sqlProjects: unknown table"',
    '17 usres | unknown_table | no such table: usres',
    '41 "sqlProjects: unknown table" | unknown_table | no such table: sqlProjects: unknown table',
  ],
];

for (const [text, ...faults] of [...cases, ...unknownTables]) {
  test(`the faults of ${JSON.stringify(text)}`, async () => {
    assert.deepEqual(await faultsOf(diagnosisOf(text)), faults);
  });
}

test('SQL that only the service refuses is a warning, SQL that SQLite refuses is an error', async () => {
  const faults = await diagnosisOf('SELECT ?1; SELECT nme FROM users; SELECT (').faults();
  assert.deepEqual(
    faults?.map(({ severity }) => severity),
    ['warning', 'error', 'error'],
  );
});

const takenNames: readonly (readonly [text: string, ...severities: FaultSeverity[]])[] = [
  ['CREATE TABLE users (id)', 'information'],
  ['CREATE VIEW active_users AS SELECT 1; CREATE INDEX idx_posts_user ON posts (id)', 'information', 'information'],
  ['CREATE TABLE fresh (id); CREATE TABLE fresh (id)', 'error'],
  ['DROP TABLE users; CREATE TABLE users (id); CREATE TABLE users (id)', 'error'],
  ['CREATE TABLE fresh (id); ALTER TABLE fresh RENAME TO users', 'error'],
];
for (const [text, ...expected] of takenNames) {
  test(`a taken name in ${JSON.stringify(text)} is ${expected.join(', ')}`, async () => {
    const faults = await diagnosisOf(text).faults();
    assert.deepEqual(
      faults?.map(({ code, severity }) => [code, severity]),
      expected.map(severity => ['name_taken', severity]),
    );
  });
}

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
  const other = await ShadowSchema.open({ wasmBinary, ddl: ['CREATE TABLE users (nme)'] });
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
  const other = await ShadowSchema.open({ wasmBinary, ddl: ['CREATE TABLE users (nme)'] });
  diagnosis.useSchema(other);
  commit();
  assert.equal(diagnosis.index.count, 2);
  assert.deepEqual(await diagnosis.faults(), []);
  other.dispose();
});

/** A shadow that records the statements which the diagnosis checks. */
const recording = (): { readonly checked: string[]; readonly recorder: ShadowSchema } => {
  const checked: string[] = [];
  const recorder = new Proxy(shadow, {
    get: (target, key) => {
      if (key === 'checkIn') {
        return (...[state, statement, detailed]: Parameters<ShadowSchema['checkIn']>) => {
          checked.push(statement);
          return target.checkIn(state, statement, detailed);
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { checked, recorder };
};

test('an edit checks only its statement again, and moves the faults below', async () => {
  const { checked, recorder } = recording();
  const diagnosis = diagnosisOf('SELECT id FROM users;\nSELECT nme FROM users;\nSELECT id FROM posts;', recorder);
  assert.deepEqual(await faultsOf(diagnosis), ['29 nme | unknown_column | no such column: nme']);
  checked.length = 0;
  diagnosis.apply({ start: 7, end: 9, text: 'name, id' });
  assert.deepEqual(await faultsOf(diagnosis), ['35 nme | unknown_column | no such column: nme']);
  assert.deepEqual(checked, ['SELECT name, id FROM users;']);
});

test('an edit of DDL takes effect for the statements behind it', async () => {
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

test('another text can be checked in the place of a statement', async () => {
  const diagnosis = diagnosisOf('CREATE TABLE fresh (x INT); SELECT y FROM fresh;');
  const report = await diagnosis.reportInPlaceOf(1, 'SELECT x AS y FROM fresh');
  assert.deepEqual(
    report?.columns.map(({ name }) => name),
    ['y'],
  );
  assert.equal((await diagnosis.reportInPlaceOf(0, 'SELECT x FROM fresh'))?.outcome, 'refused');
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

const invalidDdl: readonly (readonly [text: string, ...faults: string[]])[] = [
  [
    'CREATE TABLE fresh (x, ); SELECT x, y FROM fresh; SELECT z FROM nowhere;',
    '23 ) | near ")": syntax error',
    '64 nowhere | no such table: nowhere',
  ],
  ['CREATE TABLE fresh; INSERT INTO fresh VALUES (1);', '18 ; | near ";": syntax error'],
  ['CREATE TABLE fresh (x, x); SELECT x FROM fresh;', '23 x | duplicate column name: x'],
  ['CREATE VIEW fresh AS SELECT; SELECT x FROM fresh;', '27 ; | near ";": syntax error'],
  ['CREATE TABLE a (x, ); CREATE TABLE b AS SELECT y FROM a; SELECT y FROM b;', '19 ) | near ")": syntax error'],
  ['CREATE TABLE a (x, ); DROP TABLE a; SELECT y FROM a;', '19 ) | near ")": syntax error', '50 a | no such table: a'],
  ['CREATE TABLE users (x, ); SELECT x FROM users;', '23 ) | near ")": syntax error', '33 x | no such column: x'],
  ['CREATE INDEX i ON users (); SELECT x FROM users;', '25 ) | near ")": syntax error', '35 x | no such column: x'],
];
for (const [text, ...faults] of invalidDdl) {
  test(`an object of invalid DDL may be used without faults: ${text}`, async () => {
    const actual = (await diagnosisOf(text).faults()) ?? [];
    assert.deepEqual(
      actual.map(({ start, end, message }) => `${start} ${text.slice(start, end)} | ${message}`),
      faults,
    );
  });
}

test('an index takes effect for the statements behind it until it is dropped', async () => {
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

test('a quote that is opened and closed again causes no new checks', async () => {
  const { checked, recorder } = recording();
  const text = 'SELECT 1; CREATE TABLE fresh (x); SELECT x FROM fresh; SELECT id FROM users;';
  const diagnosis = diagnosisOf(text, recorder);
  assert.deepEqual(await diagnosis.faults(), []);
  diagnosis.apply({ start: 8, end: 8, text: "'" });
  assert.equal((await diagnosis.faults())?.length, 1);
  checked.length = 0;
  diagnosis.apply({ start: 8, end: 9, text: '' });
  assert.deepEqual(await diagnosis.faults(), []);
  assert.deepEqual(checked, []);
});

test('the faults are those of the document when the promise resolves, although it was edited meanwhile', async () => {
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

test('a statement that exceeds the limits is reported, and those behind it are checked', async () => {
  const own = await ShadowSchema.open({ wasmBinary, ddl: [...ddl, wideTable], clock: standingClock });
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
  assert.deepEqual(new Set(named?.map(({ code }) => code)), new Set(['parameter_not_positional']));
});

test('a disposed schema reports nothing more, also for a pending call', async () => {
  const own = await ShadowSchema.open({ wasmBinary, ddl: [...ddl, wideTable], clock: standingClock });
  const pendingFaults = diagnosisOf(`${exhausting}; SELECT nme FROM users; SELECT (`, own).faults();
  own.dispose();
  const codes = (await pendingFaults)?.map(({ code }) => code);
  assert.deepEqual(codes, ['not_checked', 'incomplete_statement'], 'without another engine');
  const laterFaults = await faultsOf(diagnosisOf('SELECT nme FROM users; SELECT (', own));
  assert.deepEqual(laterFaults, ['30 ( | incomplete_statement | incomplete input']);
});

test('a report has the columns of a statement in the schema of its document', async () => {
  const diagnosis = diagnosisOf('CREATE TABLE fresh (x INT); SELECT x FROM fresh;');
  const report = await diagnosis.report(1);
  assert.deepEqual(report?.columns, [{ name: 'x', table: 'fresh', column: 'x', declaredType: 'INT' }]);
  assert.equal(await diagnosis.report(2), undefined);
});
