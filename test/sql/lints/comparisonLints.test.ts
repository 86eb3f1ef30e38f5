import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affinityOf, isForNumbers, isNumericText } from '../../../src/sql/lints/affinity.ts';
import { lintStatement } from '../../../src/sql/lints/lintStatement.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';

const database = await openWasmDatabase();

const types = (
  'INT|INTEGER|BIGINT|FLOATING POINT|REAL|DOUBLE PRECISION|NUMERIC|DECIMAL(10, 2)|BOOLEAN|' +
  'DATE|INTERVAL|POINT|STRING|ANY|TEXT|VARCHAR(20)|CHARINT|CLOB|BLOB|'
).split('|');

const values = [
  ...["'abc'", "''", "'12'", "' 12 '", "'-1.5e3'", "'.5'", "'5.'", "'12abc'", "'0x10'", "'1_000'", "'true'"],
  ...["'2026-01-01'", "'Infinity'", "'+7'", "'--7'", "'1e'", "'\t3\n'", "x'3132'", "x''", '12', '1.5', '-7', 'TRUE'],
];

/** `?` stands for a value. */
const conditions =
  'c = ?|? == c|c IS ?|c > ?|c >= ?|? < c|c < ?|? >= c|c IN (?)|c BETWEEN ? AND ?|(c COLLATE NOCASE) = ?'.split('|');

/** Rows on both sides of every value, and the value itself, stored as the type of the column has them. */
function fillTable(type: string, value: string): void {
  database.exec(`DROP TABLE IF EXISTS t; CREATE TABLE t (c ${type})`);
  database.exec(`INSERT INTO t VALUES (${value}), (-9e99), (9e99), (''), ('zzz'), (x''), (x'ff')`);
  // The author of such a column means numbers, although SQLite would store other values.
  if (isForNumbers(type)) database.exec(`DELETE FROM t WHERE typeof(c) NOT IN ('integer', 'real')`);
}

for (const type of types) {
  test(`a comparison with a column of the type "${type}" is reported exactly if no number can match`, () => {
    const schema = Schema.of(`CREATE TABLE t (c ${type})`);
    for (const value of values) {
      fillTable(type, value);
      for (const condition of conditions) {
        const text = `SELECT c FROM t WHERE ${condition.replaceAll('?', value)}`;
        const lints = lintStatement({ text, parsed: parseStatement(text), schema });
        const isReported = lints.some(({ code }) => code === 'never_matches');
        const neverMatches = isForNumbers(type) && database.selectValue(text) === undefined;
        assert.equal(isReported, neverMatches, text);
      }
    }
  });
}

test('the message for the text of a truth value says how the column holds it', () => {
  const schema = Schema.of('CREATE TABLE t (c BOOLEAN, n INT)');
  const messageOf = (condition: string): string | undefined => {
    const text = `SELECT c FROM t WHERE ${condition}`;
    return lintStatement({ text, parsed: parseStatement(text), schema })[0]?.message;
  };
  assert.equal(messageOf("c = 'true'"), "'c' holds TRUE as 1, not as a text. Compare it with TRUE.");
  assert.equal(messageOf("'False' = c"), "'c' holds FALSE as 0, not as a text. Compare it with FALSE.");
  assert.equal(messageOf("n = 'true'"), "'n' is 'INT', and no number matches this text. Compare it with a number.");
  database.exec('DROP TABLE IF EXISTS t; CREATE TABLE t (c BOOLEAN)');
  database.exec("INSERT INTO t VALUES (TRUE), (FALSE), ('true'), ('false'), (1), (0)");
  assert.equal(database.selectValue("SELECT group_concat(typeof(c)) FROM t WHERE c = 'true'"), 'text');
  assert.equal(database.selectValue('SELECT group_concat(c) FROM t WHERE c = TRUE'), '1,1');
});

test('types for numbers are distinguished from those that mostly hold text, such as DATE', () => {
  const forNumbers = types.slice(0, types.indexOf('DATE'));
  assert.deepEqual(types.filter(isForNumbers), [...forNumbers, 'CHARINT']);
});

test('the affinity of a type is that of SQLite', () => {
  for (const type of types) {
    database.exec(`DROP TABLE IF EXISTS t; CREATE TABLE t (c ${type})`);
    database.exec(`INSERT INTO t VALUES ('1'), (1), (1.0), ('1.5')`);
    const stored = database.selectValue(`SELECT group_concat(typeof(c), ' ') FROM t`);
    const storedBy = {
      integer: 'integer integer integer real',
      numeric: 'integer integer integer real',
      real: 'real real real real',
      text: 'text text text text',
      blob: 'text integer real text',
    };
    assert.equal(stored, storedBy[affinityOf(type)], type);
  }
});

test('texts are numbers as SQLite reads them', () => {
  for (const text of ['1', '-1.', '+.5', '1.5e-3', ' 7\n', '007', '9e999'])
    assert.equal(isNumericText(text), true, text);
  for (const text of ['', '.', 'e5', '1e', '0x10', '1 2', 'Infinity', '\u00a05'])
    assert.equal(isNumericText(text), false, text);
});

test('millions of digits before a letter are read once', () => {
  assert.equal(isNumericText(`${'1'.repeat(4_000_000)}x`), false);
  assert.equal(isNumericText(`${' '.repeat(4_000_000)}x`), false);
});
