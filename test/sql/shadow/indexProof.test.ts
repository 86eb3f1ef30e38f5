import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { doAtOnce } from '../../../src/base/turns.ts';
import { RowRandom } from '../../../src/model/generating/random.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { planLines } from '../../../src/sql/plans/planRead.ts';
import { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { openShadow } from '../../support/openShadow.ts';
import { wasmBinary } from '../../support/wasmDatabase.ts';

const shop = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
shop.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT, total REAL, day TEXT, status TEXT);
  CREATE TABLE items (order_id, product_id, quantity, PRIMARY KEY (order_id, product_id)) WITHOUT ROWID;
  CREATE TABLE "odd products" (id INTEGER PRIMARY KEY, "the name" TEXT, price REAL, category_id INT);
  CREATE TABLE small (id INTEGER PRIMARY KEY, name TEXT);
  CREATE INDEX orders_customer ON orders (customer_id);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO customers SELECT i, 'n' || i, 'c' || (i % 50), 'e' || i FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO orders SELECT i, i % 2000, i * 1.5, 'd' || (i % 365), 's' || (i % 3) FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
    INSERT INTO items SELECT i % 20000, i, 1 FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO "odd products" SELECT i, 'p' || i, i, i % 20 FROM n;
  INSERT INTO small VALUES (1, 'a'), (2, 'b');
  ANALYZE`);

type Statistics = { readonly tbl: string; readonly idx: string | null; readonly stat: string };

async function prover(database: DatabaseSync) {
  const named = "sql IS NOT NULL AND name NOT LIKE 'sqlite%'";
  const ddl = database
    .prepare(`SELECT sql FROM sqlite_schema WHERE ${named}`)
    .all()
    .map(({ sql }) => String(sql));
  const schema = doAtOnce(Schema.read(ddl));
  const shadow = await openShadow(ddl);
  const hasStatistics = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get();
  const statistics = hasStatistics
    ? (database.prepare('SELECT tbl, idx, stat FROM sqlite_stat1').all() as unknown as Statistics[])
    : [];
  const explain = (statement: string) => planLines(database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all());
  const proven = (statement: string) => {
    const isChange = /^(?:UPDATE|DELETE)/.test(statement);
    const explained = {
      statement,
      isChange,
      lines: explain(statement),
      statistics,
      counts: new Map<string, number>(),
    };
    return shadow.proveIndexes(explained, schema);
  };
  return {
    explain,
    prove: async (statement: string) => (await proven(statement))?.indexes ?? [],
    /** Each existing index that a condition cannot use: why, its name, and the condition. */
    unused: async (statement: string) =>
      ((await proven(statement))?.unused ?? []).map(
        ({ kind, index, start, end }) => `${kind} ${index}: ${statement.slice(start, end)}`,
      ),
  };
}

const slow = `SELECT * FROM customers WHERE city = 'x'
SELECT * FROM customers c WHERE c.city IN ('x', 'y')
SELECT * FROM customers WHERE lower(email) = 'x'
SELECT * FROM customers WHERE name LIKE 'ab%'
SELECT * FROM customers WHERE email GLOB 'ab*'
SELECT * FROM customers WHERE name = 'a' AND city = 'b'
SELECT * FROM customers WHERE name = ?
SELECT name FROM customers WHERE city = :city ORDER BY name
SELECT * FROM orders WHERE day BETWEEN 'a' AND 'b' AND status = 's1'
SELECT * FROM orders WHERE total > 29990
SELECT * FROM orders WHERE total IS NULL
SELECT * FROM orders WHERE status = 's1' AND total < 5
SELECT * FROM orders WHERE status = ?1 ORDER BY day DESC
SELECT * FROM orders ORDER BY day LIMIT 10
SELECT * FROM orders ORDER BY day DESC LIMIT 10
SELECT * FROM orders ORDER BY day DESC, total LIMIT 10
SELECT * FROM orders ORDER BY status, day
SELECT day FROM orders ORDER BY 1
SELECT day, count(*) FROM orders GROUP BY day
SELECT status, day, sum(total) FROM orders GROUP BY status, day
SELECT day, max(total) FROM orders GROUP BY 1
SELECT DISTINCT day FROM orders
SELECT DISTINCT status, day FROM orders
SELECT * FROM customers c JOIN orders o ON o.day = c.name
SELECT * FROM customers c LEFT JOIN orders o ON o.day = c.name
SELECT * FROM items i JOIN "odd products" p ON p."the name" = i.quantity
SELECT * FROM orders a JOIN orders b ON b.day = a.status
SELECT * FROM items WHERE product_id = 3
SELECT sum(quantity) FROM items WHERE product_id = 3
SELECT count(*) FROM orders WHERE day = 'd3'
SELECT max(total) FROM orders
SELECT min(total) FROM orders WHERE status = 's1'
SELECT c.name, (SELECT max(total) FROM orders o WHERE o.status = c.city) FROM customers c
SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.day = c.name)
SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.day = c.name)
SELECT * FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE day = 'd3')
UPDATE orders SET total = 1 WHERE day = 'x'
DELETE FROM customers WHERE city = 'x'
DELETE FROM orders WHERE status = 's1' AND day = 'd4'
INSERT INTO small SELECT id, name FROM customers WHERE city = 'x'
SELECT * FROM "odd products" WHERE category_id IN (1, 2) AND price > 5
SELECT * FROM "odd products" WHERE "the name" = 'p4'
SELECT upper("the name") FROM "odd products" WHERE upper("the name") = 'P4'
WITH x AS (SELECT * FROM orders WHERE status = 's1') SELECT * FROM x WHERE day = 'd3'
SELECT * FROM (SELECT * FROM customers WHERE city = 'x') ORDER BY name
SELECT * FROM orders JOIN customers USING (id) WHERE city = 'c'
SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.day = 'd3'
SELECT day FROM orders WHERE status = 's1' UNION ALL SELECT name FROM customers WHERE city = 'x'
SELECT * FROM orders WHERE orders.day = 'd1'
SELECT * FROM orders ORDER BY total
SELECT status, min(day) FROM orders GROUP BY status`.split('\n');

const quick = `SELECT * FROM orders
SELECT count(*) FROM orders
SELECT * FROM customers WHERE id = 4
SELECT * FROM orders WHERE customer_id = 3
SELECT * FROM orders WHERE id BETWEEN 5 AND 9
SELECT * FROM items WHERE order_id = 3 AND product_id = 4
SELECT * FROM small WHERE name = 'a'
SELECT * FROM small ORDER BY name
SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = 3
SELECT 1
SELECT * FROM orders ORDER BY id LIMIT 5
SELECT price * 2 FROM "odd products" WHERE price * 2 > 10`.split('\n');

/** Creates each offered index in the database. Returns how many there were. */
async function checkPromises(database: DatabaseSync, statements: readonly string[]): Promise<number> {
  const { explain, prove } = await prover(database);
  let count = 0;
  for (const statement of statements) {
    for (const { sql, lines } of await prove(statement)) {
      database.exec('BEGIN');
      database.exec(sql);
      const plan = explain(statement).filter(({ detail }) => !detail.startsWith('BLOOM FILTER'));
      database.exec('ROLLBACK');
      assert.deepEqual(plan, lines, `${statement}: ${sql}`);
      count++;
    }
  }
  return count;
}

test('each offered index gives the promised plan when it is created', async () => {
  const { prove } = await prover(shop);
  const without: string[] = [];
  for (const statement of slow) if ((await prove(statement)).length === 0) without.push(statement);
  assert.deepEqual(without, []);
  assert.ok((await checkPromises(shop, slow)) >= slow.length);
});

test('no index is offered for statements that need none', async () => {
  const { prove } = await prover(shop);
  for (const statement of quick) assert.deepEqual(await prove(statement), [], statement);
});

test('the reason why an existing index is not used is named', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, nick TEXT COLLATE NOCASE, code TEXT, age INT, city TEXT);
    CREATE TABLE codes (id INTEGER PRIMARY KEY, number INT);
    CREATE INDEX people_name ON people (name);
    CREATE INDEX people_nick ON people (nick COLLATE BINARY);
    CREATE INDEX people_code ON people (code);
    CREATE INDEX people_age ON people (age);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO people SELECT i, 'n' || i, 'k' || i, i, i, 'c' || (i % 9) FROM n;
    ANALYZE`);
  const { unused } = await prover(database);
  const reasons: Readonly<Record<string, string>> = {
    "SELECT * FROM people WHERE lower(name) = 'n7'": "expression people_name: lower(name) = 'n7'",
    'SELECT * FROM people WHERE age + 1 = 8': 'expression people_age: age + 1 = 8',
    'SELECT * FROM people p WHERE +p.age > 4990': 'expression people_age: +p.age > 4990',
    'SELECT * FROM people WHERE CAST(code AS INTEGER) IN (5, 6)':
      'expression people_code: CAST(code AS INTEGER) IN (5, 6)',
    "SELECT * FROM people WHERE name = 'N7' COLLATE NOCASE": "collation people_name: name = 'N7' COLLATE NOCASE",
    "SELECT * FROM people WHERE nick = 'K7'": "collation people_nick: nick = 'K7'",
    "SELECT * FROM people WHERE name LIKE 'n77%'": "like people_name: name LIKE 'n77%'",
    'SELECT * FROM codes JOIN people ON code = number WHERE codes.id = 3': 'affinity people_code: code = number',
    "SELECT * FROM people WHERE name = 'n1' OR city = 'c1' OR 1 = 2":
      "or people_name: name = 'n1' OR city = 'c1' OR 1 = 2",
  };
  for (const [statement, reason] of Object.entries(reasons)) assert.deepEqual(await unused(statement), [reason]);
  const none = [
    "SELECT * FROM people WHERE city = 'c1'",
    "SELECT * FROM people WHERE lower(city) = 'c1'",
    "SELECT * FROM people WHERE name LIKE '%7'",
    "SELECT * FROM people WHERE name = 'n1' OR age = 3",
    "SELECT * FROM people WHERE name = 'n1' AND lower(nick) = 'k1'",
    'SELECT lower(name) FROM people',
  ];
  for (const statement of none) assert.deepEqual(await unused(statement), [], statement);
  database.close();
});

test('no reason is given where SQLite has decided against an index, and no index is offered twice', async () => {
  using database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE visits (id INTEGER PRIMARY KEY, city TEXT);
    CREATE TABLE cities (name TEXT, country INT);
    CREATE TABLE tasks (id INTEGER PRIMARY KEY, owner INT, state INT);
    CREATE INDEX cities_country ON cities (country);
    CREATE INDEX tasks_owner ON tasks (owner);
    CREATE INDEX tasks_state ON tasks (state);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO visits SELECT i, 'c' || (i % 50) FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      INSERT INTO cities SELECT 'c' || i, i % 20 FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO tasks SELECT i, i % 4, i % 3 FROM n;
    ANALYZE`);
  const { unused, prove } = await prover(database);
  const countries = Array.from({ length: 13 }, (_, index) => index + 1).join();
  const statements = [
    `SELECT * FROM visits v JOIN cities c ON v.city = c.name WHERE c.country IN (${countries})`,
    'SELECT * FROM tasks WHERE owner = 1 OR state = 2',
    'SELECT * FROM tasks WHERE owner IS NOT NULL GROUP BY owner HAVING state = 1 OR count(*) > 3',
    'SELECT * FROM tasks WHERE (SELECT max(country) FROM cities WHERE name = tasks.owner) = 3',
  ];
  for (const statement of statements) assert.deepEqual(await unused(statement), [], statement);
  assert.deepEqual(await prove('SELECT * FROM tasks WHERE owner = 1'), []);
  // Neither an index with another collation nor one that begins with an expression serves in place of a plain one.
  database.exec(
    'CREATE INDEX visits_city ON visits (city COLLATE NOCASE); CREATE INDEX visits_upper ON visits (upper(city), city)',
  );
  database.exec("INSERT INTO visits(city) SELECT city || 'x' FROM visits, cities; ANALYZE");
  const other = await prover(database);
  const [offered] = await other.prove("SELECT * FROM visits WHERE city = 'c1'");
  assert.equal(offered?.sql, 'CREATE INDEX visits_city_2 ON visits (city)');
});

test('an index has a free name, and quotes where names need them', async () => {
  const { prove } = await prover(shop);
  const sqlOf = async (statement: string): Promise<string | undefined> => (await prove(statement))[0]?.sql;
  assert.equal(
    await sqlOf(`SELECT * FROM "odd products" WHERE "the name" = 'p4'`),
    'CREATE INDEX odd_products_the_name ON "odd products" ("the name")',
  );
  shop.exec('CREATE INDEX orders_day ON small (name)');
  const other = await prover(shop);
  const [offered] = await other.prove("SELECT * FROM orders WHERE day = 'd1'");
  shop.exec('DROP INDEX orders_day');
  assert.equal(offered?.sql, 'CREATE INDEX orders_day_2 ON orders (day)');
});

test('nothing is offered if the plan of the project is another than that of the shadow', async () => {
  const ddl = ['CREATE TABLE t (a, b)'];
  const shadow = await openShadow(ddl);
  const explained = { statement: 'SELECT * FROM t WHERE a = 1', isChange: false, statistics: [], counts: new Map() };
  const schema = doAtOnce(Schema.read(ddl));
  const proven = await shadow.proveIndexes({ ...explained, lines: [{ detail: 'SCAN t', depth: 0 }] }, schema);
  assert.deepEqual(
    proven?.indexes.map(({ sql }) => sql),
    ['CREATE INDEX t_a ON t (a)'],
  );
  const other = [{ detail: 'SEARCH t USING INDEX x (a=?)', depth: 0 }];
  assert.deepEqual(await shadow.proveIndexes({ ...explained, lines: other }, schema), undefined);
});

test('the promise holds in random schemas, with and without statistics', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = new RowRandom(seed, 0, 0);
    const pick = (count: number): number => random.upTo(count);
    const database = new DatabaseSync(':memory:');
    for (const table of ['t0', 't1', 't2']) {
      database.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, a INT, b TEXT, c REAL, d)`);
      if (pick(2) === 0) database.exec(`CREATE INDEX ${table}_x ON ${table} (${'abcd'[pick(4)]})`);
      database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${100 + pick(3000)})
        INSERT INTO ${table} SELECT i, i % ${1 + pick(50)}, i % ${1 + pick(500)}, i, NULL FROM n`);
    }
    if (pick(2) === 0) database.exec('ANALYZE');
    const column = (): string => 'abcd'[pick(4)]!;
    const statements = Array.from({ length: 8 }, () => {
      const [x, y] = [`t${pick(3)}`, `t${pick(3)}`];
      const forms = [
        `SELECT * FROM ${x} WHERE ${column()} = 1 AND ${column()} > 2 ORDER BY ${column()}`,
        `SELECT * FROM ${x} x JOIN ${y} y ON x.${column()} = y.${column()} WHERE x.${column()} = 3`,
        `SELECT ${column()}, count(*) FROM ${x} GROUP BY 1`,
        `SELECT * FROM ${x} x WHERE EXISTS (SELECT 1 FROM ${y} y WHERE y.${column()} = x.${column()})`,
      ];
      return forms[pick(forms.length)]!;
    });
    await checkPromises(database, statements);
    database.close();
  }
});

test('a PRAGMA, which SQLite executes when it is prepared, and a statement after the time limit prove nothing', async () => {
  const ddl = ['CREATE TABLE t (a, b)'];
  const schema = doAtOnce(Schema.read(ddl));
  const lines = [{ detail: 'SCAN t', depth: 0 }];
  const rest = { isChange: false, statistics: [], counts: new Map<string, number>(), lines };
  const shadow = await openShadow(ddl);
  assert.deepEqual(await shadow.proveIndexes({ ...rest, statement: 'PRAGMA hard_heap_limit = 1' }, schema), undefined);
  const statement = 'SELECT * FROM t WHERE a = 1';
  assert.equal((await shadow.proveIndexes({ ...rest, statement }, schema))?.indexes.length, 1);
  let now = 0;
  const clock = { now: () => (now += 200), after: () => () => undefined };
  const slowShadow = await ShadowSchema.open({ wasmBinary, ddl, clock });
  const late = await slowShadow.proveIndexes({ ...rest, statement }, schema);
  assert.deepEqual(late, { indexes: [], unused: [] });
});
