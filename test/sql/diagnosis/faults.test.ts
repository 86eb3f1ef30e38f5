import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import type { FaultSeverity } from '../../../src/sql/diagnosis/fault.ts';
import { openCorpusShadow } from '../../support/corpusShadow.ts';
import { diagnosisWith, faultsOf } from '../../support/faultTexts.ts';

const shadow = await openCorpusShadow();

const diagnosisOf = (text: string): Diagnosis => diagnosisWith(shadow, text);

const cases: readonly (readonly [text: string, ...faults: string[]])[] = [
  ['SELECT id FROM users; -- fine'],
  ['', ...[]],
  ['SELECT 1; SELECT * FORM users;', '19 FORM | syntax_error | near "FORM": syntax error'],
  ['SELECT 1;\nSELECT (1', '18 1 | incomplete_statement | incomplete input'],
  ["SELECT 1; SELECT 'open\n; SELECT 2;", `17 'open | unrecognized_token | unrecognized token: "'open\n; SELECT 2;"`],
  ["SELECT 1; SELECT 'open", `17 'open | unrecognized_token | unrecognized token: "'open"`],
  [
    'SELECT id FROM users\nSELECT 2;',
    '21 SELECT | syntax_error | near "SELECT": syntax error | Is a semicolon missing before it?',
  ],
  [
    'SELECT id FROM users\r\n\r\nSELECT 2;',
    '24 SELECT | syntax_error | near "SELECT": syntax error | Is a semicolon missing before it? With the setting sqlProjects.run.statementEnd, a blank line ends a statement, too.',
  ],
  ['SELECT 1; SELECT nme FROM users', '17 nme | unknown_column | no such column: nme'],
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
  ['CREATE VIEW fresh AS SELECT nme FROM users', '28 nme | unknown_column | no such column: nme'],
  [
    'CREATE TEMP VIEW fresh (a) AS SELECT id, name FROM users; CREATE VIEW users AS SELECT 1',
    '70 users | name_taken | table users already exists',
  ],
  ['CREATE VIEW late AS SELECT x FROM fresh', '34 fresh | unknown_table | no such table: fresh'],
  ['DROP INDEX nowhere', '11 nowhere | unknown_name | no such index: nowhere'],
  ['SELECT ?, ?2, :name, $name, @name FROM users WHERE id = :name'],
  ['SELECT :name, nme FROM users', '14 nme | unknown_column | no such column: nme'],
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
/** A column that an unknown table may have is no fault. */
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

test('SQL that SQLite refuses is an error', async () => {
  const faults = await diagnosisOf('SELECT nme FROM users; SELECT (').faults();
  assert.deepEqual(
    faults?.map(({ severity }) => severity),
    ['error', 'error'],
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
