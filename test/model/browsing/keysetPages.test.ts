import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../../../src/client/index.ts';
import { tieBreakersOf, withDeclaredTypes } from '../../../src/model/browsing/browsedTable.ts';
import { KeysetPages } from '../../../src/model/browsing/keysetPages.ts';
import { KeysetStatements, type KeysetTable } from '../../../src/model/browsing/keysetStatements.ts';
import { arrangedStatement, orderColumnsOf } from '../../../src/model/browsing/tableStatements.ts';
import { Catalog } from '../../../src/model/catalog/catalog.ts';
import { type Arrangement, unsorted } from '../../../src/protocol/rowQueries.ts';
import { exactText, type SqlParameter } from '../../../src/wire/values.ts';
import { oneOf, seeded, upTo } from '../../fuzz/random.ts';
import { seedsOf } from '../../support/seeds.ts';
import { randomArrangement, randomInsert, randomTable } from '../../fuzz/randomTables.ts';
import { startTable } from '../../support/browsedTable.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const project = client.project(projectId);
const { signal } = new AbortController();

const shop = [
  'CREATE TABLE stock(id INTEGER PRIMARY KEY, city TEXT, price REAL, note TEXT)',
  'CREATE INDEX stock_city ON stock(city)',
  'CREATE INDEX stock_price ON stock(price)',
  `INSERT INTO stock WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 5000)
    SELECT i, 'city ' || (i % 4), iif(i % 5 = 0, NULL, i % 7), 'note ' || i FROM i`,
  'CREATE TABLE lines(bill TEXT, line INTEGER, PRIMARY KEY (bill, line)) WITHOUT ROWID',
  `INSERT INTO lines SELECT 'bill ' || (id / 10), id FROM stock`,
  'CREATE TABLE codes(code TEXT PRIMARY KEY)',
  `INSERT INTO codes SELECT 'code ' || id FROM stock`,
];
for (const sql of shop) await project.sql(sql);

/** A table in an arrangement, with its columns by the catalog and by an answer. */
async function arranged(table: string, arrangement: Arrangement): Promise<KeysetTable> {
  const declared = await new Catalog(() => Promise.resolve(project)).columns(table);
  const { columns = [] } = await project.sql(`SELECT * FROM ${table} LIMIT 0`);
  return {
    table,
    arrangement,
    columns: withDeclaredTypes(columns, declared),
    tieBreakers: tieBreakersOf({ name: table, kind: 'table' }, declared),
    declaredColumns: declared,
  };
}

interface Sent {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** The keyset pages of a table, and the statements that they send. */
function pagesOf(table: KeysetTable): { pages: KeysetPages; sent: Sent[] } {
  const statements = KeysetStatements.of(table);
  assert.ok(statements);
  const sent: Sent[] = [];
  const recording: Pick<Project, 'sql'> = {
    sql: (sql, params, options) => {
      sent.push({ sql, params: params ?? [] });
      return project.sql(sql, params, options);
    },
  };
  return { pages: new KeysetPages(recording, statements), sent };
}

async function fetchPage(pages: KeysetPages, offset: number, limit: number) {
  const chunks = pages.fetch({ offset, limit }, signal);
  const first = await chunks.next();
  const last = await chunks.next();
  assert.ok(!first.done && last.done);
  return { columns: first.value.columns, rows: first.value.rows.map(row => exactText(row)), isEnd: last.value };
}

/** Whether no two rows are equal in the order. NULL may repeat in a primary key, whose collation may differ from its column's. */
async function hasTotalOrder(view: KeysetTable): Promise<boolean> {
  const keys = orderColumnsOf(view).map(({ name }) => name);
  const sql = `SELECT (SELECT count(*) FROM (SELECT DISTINCT ${keys.join(', ')} FROM ${view.table})) = count(*) AS total FROM ${view.table}`;
  const { rows } = await project.sql(sql);
  return rows[0]?.['total'] === 1;
}

for (const seed of seedsOf({ few: 2, all: 5 })) {
  test(`keyset pages have the rows of LIMIT and OFFSET, in the same order (seed ${seed})`, async () => {
    const random = seeded(seed);
    for (let round = 0; round < 5; round++) {
      const name = `random_${seed}_${round}`;
      const table = randomTable(random, name);
      for (const sql of table.create) await project.sql(sql);
      await project.sql(randomInsert(random, name, table, 20 + upTo(random, 130)));
      for (let nth = 0; nth < 3; nth++) {
        const view = await arranged(name, randomArrangement(random, table));
        const { sql, params } = arrangedStatement(view);
        const { rows: all, columns } = await project.sql(sql, params);
        const expected = all.map(row => exactText(row));
        const { pages } = pagesOf(view);
        const limit = 1 + upTo(random, 9);
        const pageCount = Math.ceil(all.length / limit) + 1;
        const forwards = Array.from({ length: pageCount }, (_, page) => page);
        const elsewhere = Array.from({ length: 12 }, () => upTo(random, pageCount));
        const order = oneOf(random, [forwards, forwards.toReversed(), [...elsewhere, ...forwards]]);
        const isTotal = await hasTotalOrder(view);
        const seen: string[] = [];
        for (const page of isTotal ? order : forwards) {
          const offset = page * limit;
          const found = await fetchPage(pages, offset, limit);
          const about = `${table.create.join('; ')}\n${sql}\npage ${page} of ${limit} rows, seed ${seed}, round ${round}`;
          if (isTotal) assert.deepEqual(found.rows, expected.slice(offset, offset + limit), about);
          seen.push(...found.rows);
          assert.equal(found.isEnd, offset + limit >= expected.length, about);
          assert.deepEqual(
            found.columns?.map(column => column.name),
            columns?.map(column => column.name),
          );
        }
        // SQLite gives rows that are equal in the whole order in any order, but each of them once.
        if (!isTotal) assert.deepEqual(seen.toSorted(), expected.toSorted(), `${table.create.join('; ')}\n${sql}`);
      }
    }
  });
}

const by = (column: number, descending = false): Arrangement => ({ sort: [{ column, descending }], filters: [] });

const plans: readonly (readonly [table: string, arrangement: Arrangement, plan: RegExp])[] = [
  ['stock', unsorted, /SEARCH stock USING INTEGER PRIMARY KEY \(rowid>\?\)"$/],
  ['stock', by(0, true), /SEARCH stock USING INTEGER PRIMARY KEY \(rowid<\?\)"$/],
  ['lines', unsorted, /SEARCH lines USING PRIMARY KEY \(\(bill,line\)>\(\?,\?\)\)"$/],
  ['codes', unsorted, /SEARCH codes USING COVERING INDEX sqlite_autoindex_codes_1 \(code>\?\)"$/],
  // Whole pages have the same city: they are looked up by it.
  ['stock', by(1), /SEARCH stock USING INDEX stock_city \(city=\? AND rowid>\?\)"$/],
  ['stock', by(1, true), /SEARCH stock USING INDEX stock_city \(city=\? AND rowid>\?\)"$/],
  ['stock', by(2, true), /SEARCH stock USING INDEX stock_price \(price=\? AND rowid>\?\)"$/],
];

test('the primary key or an index leads to the rows of a deep page, and none are skipped', async () => {
  for (const [name, arrangement, plan] of plans) {
    const { pages, sent } = pagesOf(await arranged(name, arrangement));
    await fetchPage(pages, 4000, 10);
    sent.length = 0;
    for (let page = 401; page < 411; page++) await fetchPage(pages, page * 10, 10);
    assert.equal(sent.length, 10, name);
    for (const { sql, params } of sent) {
      assert.equal(params.at(-1), 0, `${sql} skips rows`);
      const { rows } = await project.sql(`EXPLAIN QUERY PLAN ${sql}`, params);
      assert.match(rows.map(row => exactText(row['detail'])).join('\n'), plan, sql);
    }
  }
});

test('pages before a jump are near a known place too', async () => {
  const { pages, sent } = pagesOf(await arranged('stock', by(1)));
  await fetchPage(pages, 4000, 10);
  sent.length = 0;
  for (let page = 399; page > 380; page--) await fetchPage(pages, page * 10, 10);
  const skipped = sent.map(({ params }) => Number(params.at(-1)));
  assert.ok(Math.max(...skipped) <= 200, `up to ${Math.max(...skipped)} rows were skipped`);
});

test('NULL, at one end of the order, is crossed without a gap', async () => {
  for (const descending of [false, true]) {
    const view = await arranged('stock', by(2, descending));
    const { sql, params } = arrangedStatement(view);
    const { rows: all } = await project.sql(sql, params);
    const { pages } = pagesOf(view);
    const found: string[] = [];
    for (let offset = 0; offset < all.length; offset += 300) found.push(...(await fetchPage(pages, offset, 300)).rows);
    assert.deepEqual(
      found,
      all.map(row => exactText(row)),
    );
  }
});

test('a page that is fetched again after deletions moves the later pages', async () => {
  await project.sql('CREATE TABLE shrunk AS SELECT id FROM stock WHERE id <= 100');
  const { pages } = pagesOf(await arranged('shrunk', unsorted));
  const idsOn = async (page: number): Promise<number[]> =>
    (await fetchPage(pages, page * 10, 10)).rows.map(row => Number(/\d+/.exec(row)));
  const scroll = async (first: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let page = first; page < 10; page++) ids.push(...(await idsOn(page)));
    return ids;
  };
  await scroll(0);
  // The last row of page 1, by whose key page 2 is found, and some of page 2.
  await project.sql('DELETE FROM shrunk WHERE id IN (20, 23, 27)');
  assert.deepEqual(await idsOn(2), [21, 22, 24, 25, 26, 28, 29, 30, 31, 32]);
  assert.deepEqual(await idsOn(5), upFrom(53, 62), 'a later page has moved as well');
  assert.deepEqual(await scroll(3), upFrom(33, 100), 'later pages follow the new end of page 2');
  assert.deepEqual(await idsOn(1), [11, 12, 13, 14, 15, 16, 17, 18, 19, 21]);
  assert.deepEqual(
    await scroll(2),
    upFrom(22, 100).filter(id => id !== 23 && id !== 27),
  );
});

test('a page waits for the one before it, so that a write between both repeats no row', async () => {
  await project.sql('CREATE TABLE grown AS SELECT id FROM stock WHERE id <= 100');
  const statements = KeysetStatements.of(await arranged('grown', { ...unsorted, ...by(0) }));
  assert.ok(statements);
  // Calls follow each other, with a write after each.
  let before: Promise<unknown> = Promise.resolve();
  const writing: Pick<Project, 'sql'> = {
    sql(...call) {
      const answer = before.then(() => project.sql(...call));
      before = answer.then(() => project.sql('INSERT INTO grown VALUES (-1)'));
      return answer;
    },
  };
  const pages = new KeysetPages(writing, statements);
  const both = await Promise.all([fetchPage(pages, 0, 10), fetchPage(pages, 10, 10)]);
  const ids = both.flatMap(({ rows }) => rows.map(row => Number(/-?\d+/.exec(row))));
  await before;
  assert.deepEqual(ids, upFrom(1, 20));
});

const equalKeys = [
  // NULL may repeat in a primary key.
  'CREATE TABLE nameless(name TEXT PRIMARY KEY, mark)',
  `INSERT INTO nameless SELECT iif(id % 2 = 0, NULL, 'name ' || id), id FROM stock WHERE id <= 100`,
  // The key distinguishes texts that are equal in the order of their column.
  'CREATE TABLE folded(name TEXT COLLATE NOCASE, mark, PRIMARY KEY (name COLLATE BINARY)) WITHOUT ROWID',
  ...['name', 'Name', 'NAME', 'nAME'].map(
    name => `INSERT INTO folded SELECT '${name} ' || (id / 20), id FROM stock WHERE id % 20 = 0 AND id <= 500`,
  ),
];

test('no row is left out where a page ends between rows that are equal in the order', async () => {
  for (const sql of equalKeys) await project.sql(sql);
  for (const name of ['nameless', 'folded']) {
    const { pages } = pagesOf(await arranged(name, unsorted));
    const found: string[] = [];
    for (let offset = 0; offset < 100; offset += 7) found.push(...(await fetchPage(pages, offset, 7)).rows);
    const { rows } = await project.sql(`SELECT * FROM ${name}`);
    assert.deepEqual(found.toSorted(), rows.map(row => exactText(row)).toSorted(), name);
    assert.equal(rows.length, 100);
  }
});

const upFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

for (const seed of seedsOf({ few: 2, all: 3 })) {
  test(`scrolling forward shows each row once while others are written (seed ${seed})`, async () => {
    const random = seeded(seed);
    const name = `written_${seed}`;
    const isPair = seed === 2;
    const key = isPair ? 'PRIMARY KEY (id, part)) WITHOUT ROWID' : 'PRIMARY KEY (id))';
    await project.sql(`CREATE TABLE ${name}(id INTEGER, part TEXT COLLATE NOCASE, rank REAL, mark TEXT, ${key}`);
    await project.sql(`CREATE INDEX ${name}_rank ON ${name}(rank)`);
    await project.sql(
      `INSERT INTO ${name} SELECT 2 * id, 'part', iif(id % 3 = 0, NULL, id % 11), 'untouched' FROM stock WHERE id <= 800`,
    );
    const write = async (): Promise<void> => {
      const id = 2 * upTo(random, 800) + 1;
      const inserted = `(${id}, 'x', ${oneOf(random, ['NULL', '3', '-1', '99'] as const)}, 'written')`;
      await project.sql(`INSERT OR REPLACE INTO ${name} VALUES ${inserted}`);
      if (random() < 0.5) await project.sql(`DELETE FROM ${name} WHERE mark = 'written' AND id < ?`, [id]);
    };
    for (const arrangement of [unsorted, by(2), by(2, true)]) {
      await project.sql(`DELETE FROM ${name} WHERE mark = 'written'`);
      await using run = await startTable({ client, projectId, name, pageSize: 40 });
      await run.queries.arrange({ ...arrangement, filters: [{ kind: 'null', column: 0, isNull: false }] });
      const untouched: string[] = [];
      for (let row = 0; !run.hasEnd || row < run.rowCount; row += 40) {
        await run.jump(row);
        const rows = await run.rows(row, 40);
        for (const [id, , , mark] of rows) {
          if (mark?.kind === 'text' && mark.text === 'untouched' && id && 'text' in id) untouched.push(id.text);
        }
        await write();
      }
      const sorted = untouched.map(Number).toSorted((one, other) => one - other);
      assert.deepEqual(
        sorted,
        Array.from({ length: 800 }, (_, index) => 2 * index + 2),
        JSON.stringify(arrangement),
      );
    }
  });
}
