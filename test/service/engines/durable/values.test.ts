/** Both engines give the same values for the same statements. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Real, type SqlParameter } from '../../../../src/wire/values.ts';
import { seeded } from '../../../fuzz/random.ts';
import { startTestEngine } from '../../../support/testEngine.ts';
import { openWorkerdEngine } from '../../../support/workerdEngine.ts';

const { run: onSqlite } = startTestEngine({ after });
const { run: onWorkerd } = await openWorkerdEngine();

async function isSame(sql: string, params: readonly SqlParameter[] = []): Promise<void> {
  const [expected, found] = await Promise.all([onSqlite(sql, { params }), onWorkerd(sql, { params })]);
  // deepEqual distinguishes -0 from 0, and large integers are BigInts.
  assert.deepEqual(found, expected, sql);
}

const doubles = new DataView(new ArrayBuffer(8));

function randomParameter(random: () => number): SqlParameter {
  const below = (count: number): number => Math.floor(random() * count);
  switch (below(7)) {
    case 0:
      return null;
    case 1:
      return below(2 ** 31) - 2 ** 30;
    case 2:
      return BigInt.asIntN(64, (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32)));
    case 3: {
      doubles.setUint32(0, below(2 ** 32));
      doubles.setUint32(4, below(2 ** 32));
      const value = doubles.getFloat64(0);
      // NaN is NULL in SQLite.
      return new Real(Number.isNaN(value) ? -0 : value);
    }
    case 4:
      return new Real([0, -0, 1, 1e22, 5e-324, 2 ** 63, -(2 ** 53), Infinity, -Infinity, 0.1][below(10)]!);
    case 5:
      return [true, false, '', '007', '1e5', ' 5', '9223372036854775808', '0x10', '{"$b":"00"}', 'a\0b'][below(10)]!;
    default:
      return Array.from({ length: below(20) }, () =>
        String.fromCodePoint([32, 34, 39, 92, 0, 10, 0x1e, 0x7b, 0x7d, 0x7f, 0xe4, 0x2028, 0x1f600][below(13)]!),
      ).join('');
  }
}

const columns = [
  'whole INTEGER',
  'number NUMERIC',
  'part REAL',
  'word TEXT',
  'bytes BLOB',
  'anything',
  'kind VARCHAR(10)',
];
const width = columns.length;

for (let seed = 1; seed <= 10; seed++) {
  test(`random values are the same in every column, from parameters and from expressions (seed ${seed})`, async () => {
    const random = seeded(seed);
    const table = `t${seed}`;
    await isSame(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${columns.join(', ')})`);
    for (let row = 0; row < 20; row++) {
      const params = Array.from({ length: width }, () => randomParameter(random));
      const marks = params.map(() => '?').join(', ');
      await isSame(`SELECT ${marks}`, params);
      await isSame(`SELECT ${params.map(() => 'typeof(?)').join(', ')}`, params);
      await isSame(`INSERT INTO ${table} VALUES (NULL, ${marks}) RETURNING *, typeof(anything), hex(word)`, params);
    }
    await isSame(
      `UPDATE ${table} SET bytes = CAST(word AS BLOB), anything = zeroblob(0) RETURNING id, bytes, anything AS "any ""thing"""`,
    );
    await isSame(`SELECT * FROM ${table} ORDER BY id`);
    await isSame(
      `SELECT id, whole + 1, part * 2, -part, bytes || word, word AS id FROM ${table} ORDER BY id LIMIT 10 OFFSET 3`,
    );
    await isSame(
      `SELECT anything, count(*) AS n, sum(whole), max(part), group_concat(word, '|') FROM (SELECT * FROM ${table} ORDER BY id) GROUP BY typeof(number) ORDER BY 2, 3`,
    );
    await isSame(`WITH q (a) AS (SELECT word FROM ${table} ORDER BY id) SELECT a FROM q -- the end`);
    await isSame(`DELETE FROM ${table} WHERE id % 2 RETURNING id, part`);
  });
}

test('values at the limits are the same', async () => {
  await isSame(
    'SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, 9e999 AS up, -9e999 AS down, -0.0 AS zero',
  );
  await isSame('SELECT 9007199254740993 AS large, 1e15, 123456789012345678, 1.0, 100000000000000000000.0, 0.1 + 0.2');
  await isSame(
    `SELECT x'' AS none, x'00ff' AS bytes, zeroblob(3), json('{"a":1}') AS json, json_array(1, 'a') AS list`,
  );
  await isSame(`SELECT '{"$b":"00"}' AS text, '"{\\"$b\\":\\"00\\"}"' AS quoted`);
  await isSame(`SELECT ${Array.from({ length: 100 }, (_, nth) => `${nth} AS "c${nth}"`).join(', ')}`);
  const between = `'}' || char(30) || '{'`;
  for (const count of [16, 17, 32, 33, 64, 99]) {
    const values = Array.from({ length: count }, (_, nth) => ["x'00'", between, 'NULL', '-0.0', nth][nth % 5]);
    await isSame(`SELECT ${values.map((value, nth) => `${value} AS "c${nth}"`).join(', ')}`);
    await isSame(`CREATE TABLE wide${count} (${values.map((_, nth) => `"c${nth}"`).join(', ')})`);
    await isSame(`INSERT INTO wide${count} VALUES (${values.join(', ')}) RETURNING *`);
  }
  await isSame('SELECT 1 AS a, 2 AS a, 3 AS b, 5 AS "", 6 AS "__proto__", 7 AS "0", 8 AS "a""b"');
  await isSame("VALUES (1, NULL), (2.5, x'aa')");
  await isSame('SELECT * FROM (SELECT 1 AS one WHERE 0)');
});

test('a row that is too long as one text comes value by value, and later rows too', async () => {
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
    SELECT i, -0.0 AS zero, 9007199254740993 AS large, CASE i WHEN 2 THEN zeroblob(4000000) END AS bytes,
      CASE i WHEN 2 THEN hex(zeroblob(2000000)) END AS text, NULL AS none FROM n`;
  await isSame(sql);
  const numbers = Array.from({ length: 93 }, (_, nth) => `i + ${nth} AS n${nth}`).join(', ');
  await isSame(sql.replace('NULL AS none', `NULL AS none, ${numbers}`));
});
