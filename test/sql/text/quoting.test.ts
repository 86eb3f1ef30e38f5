import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { keywordList } from '../../../src/sql/text/keywordList.ts';
import {
  sqlLiteral,
  type LiteralValue,
  quoteIdentifier,
  quoteIdentifierIfNeeded,
  quoteLike,
} from '../../../src/sql/text/quoting.ts';
import { sqliteKeywords } from '../../support/wasmDatabase.ts';

const names = [
  'plain',
  'two words',
  'quo"te',
  'a`b]c',
  "it's",
  'select',
  '名前',
  '; DROP TABLE x; --',
  '',
  '1st',
  'a$b',
  'rowid',
];

for (const name of names) {
  const quotes = {
    quoteIdentifier,
    quoteIdentifierIfNeeded,
    backticks: (text: string) => quoteLike(text, '`x`'),
    brackets: (text: string) => quoteLike(text, '[x]'),
    apostrophes: (text: string) => quoteLike(text, "'x'"),
  };
  for (const [way, quote] of Object.entries(quotes)) {
    test(`SQLite reads ${JSON.stringify(name)} back from ${way}`, () => {
      const database = new DatabaseSync(':memory:');
      database.exec(`CREATE TABLE ${quote(name)} (a)`);
      assert.equal(database.prepare('SELECT name FROM sqlite_schema').get()?.['name'], name);
      database.close();
    });
  }
}

const identifiers: readonly (readonly [name: string, identifier: string])[] = [
  ['plain', 'plain'],
  ['_under_9', '_under_9'],
  ['größe', 'größe'],
  ['key', 'key'],
  ['Order', '"Order"'],
  ['true', '"true"'],
  ['left', '"left"'],
  ['9lives', '"9lives"'],
  ['a b', '"a b"'],
  ['', '""'],
];

for (const [name, expected] of identifiers) {
  test(`the identifier of ${JSON.stringify(name)} is ${expected}`, () =>
    assert.equal(quoteIdentifierIfNeeded(name), expected));
}

test('a keyword is quoted unless SQLite reads it as a name everywhere', () => {
  for (const keyword of keywordList) {
    const name = quoteIdentifierIfNeeded(keyword);
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE ${name} (${name} TEXT, b ${name === keyword ? 'INT' : name})`);
    database.exec(`INSERT INTO ${name} (${name}, b) VALUES ('here', 2)`);
    for (const query of [
      `SELECT ${name} AS found FROM ${name} ORDER BY ${name}`,
      `SELECT ${name}.${name} AS found FROM ${name} WHERE NOT ${name} IS NULL GROUP BY ${name} LIMIT 1`,
      `SELECT ${name}.${name} AS found FROM (SELECT 'here' AS ${name}) AS ${name}`,
      `WITH ${name}(${name}) AS (SELECT 'here') SELECT (${name}) AS found FROM ${name}`,
      `SELECT CASE ${name} WHEN 'here' THEN ${name} ELSE ${name} END AS found FROM ${name} JOIN (SELECT 1) ON ${name} > ''`,
      `SELECT b.${name} AS found FROM main.${name} AS b JOIN ${name} USING (${name})`,
    ]) {
      assert.equal(database.prepare(query).get()?.['found'], 'here', query);
    }
    database.exec(`UPDATE ${name} SET ${name} = ${name}; CREATE INDEX i ON ${name} (${name}); DROP TABLE ${name}`);
    database.close();
  }
});

const values: readonly (readonly [value: LiteralValue, sql: string, readBack: unknown, type: string])[] = [
  [null, 'NULL', null, 'null'],
  [true, '1', 1n, 'integer'],
  [false, '0', 0n, 'integer'],
  [0, '0', 0n, 'integer'],
  [-0, '-0.0', -0, 'real'],
  [-7, '-7', -7n, 'integer'],
  [0.1, '0.1', 0.1, 'real'],
  [-1.5e-9, '-1.5e-9', -1.5e-9, 'real'],
  [Number.MIN_VALUE, '5e-324', Number.MIN_VALUE, 'real'],
  [Number.MAX_VALUE, '1.7976931348623157e+308', Number.MAX_VALUE, 'real'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991', 9007199254740991n, 'integer'],
  [2 ** 53, '9007199254740992.0', 2 ** 53, 'real'],
  [1e21, '1e+21', 1e21, 'real'],
  [NaN, 'NULL', null, 'null'],
  [Infinity, '9e999', Infinity, 'real'],
  [-Infinity, '-9e999', -Infinity, 'real'],
  [2n ** 63n - 1n, '9223372036854775807', 2n ** 63n - 1n, 'integer'],
  [-(2n ** 63n), '-9223372036854775808', -(2n ** 63n), 'integer'],
  [2n ** 63n, '9223372036854775808.0', 2 ** 63, 'real'],
  ['', "''", '', 'text'],
  ["it's", "'it''s'", "it's", 'text'],
  ['"-- ; /*', `'"-- ; /*'`, '"-- ; /*', 'text'],
  ['名前 🎉\n\t', "'名前 🎉\n\t'", '名前 🎉\n\t', 'text'],
  ['a\0b', "('a' || char(0) || 'b')", 'a\0b', 'text'],
  ['\0', "('' || char(0) || '')", '\0', 'text'],
  ['half \ud83c', "'half \ud83c'", 'half \ufffd', 'text'],
  [new Uint8Array(), "x''", new Uint8Array(), 'blob'],
  [new Uint8Array([0, 9, 171, 255]), "x'0009abff'", new Uint8Array([0, 9, 171, 255]), 'blob'],
];

for (const [value, expected, readBack, type] of values) {
  test(`SQLite reads ${expected.replaceAll(/[\0\n\t\ud83c]/g, '')} back as the same value`, () => {
    assert.equal(sqlLiteral(value), expected);
    const database = new DatabaseSync(':memory:');
    const statement = database.prepare(`SELECT ${expected} AS value, typeof(${expected}) AS type`);
    statement.setReadBigInts(true);
    const row = statement.get();
    assert.equal(row?.['type'], type);
    assert.deepEqual(row['value'], readBack);
    database.close();
  });
}

test('the list has exactly the keywords of SQLite', async () => {
  assert.deepEqual([...keywordList].toSorted(), (await sqliteKeywords()).toSorted());
});
