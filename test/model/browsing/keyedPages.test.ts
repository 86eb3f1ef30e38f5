import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pager, type Project } from '../../../src/client/index.ts';
import { KeyedPages } from '../../../src/model/browsing/keyedPages.ts';
import { endpointPages, type PageRange, type PageSource } from '../../../src/model/browsing/pageSource.ts';
import { exactText, type Row } from '../../../src/wire/values.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import { startTestService } from '../../support/testService.ts';

/** Pages of a table in the service's own order, after a page that is known. */

const { client, projectId } = await startTestService();
const project = client.project(projectId);
const { signal } = new AbortController();
const limit = 10;
/** The first row whose page does not always come from the endpoint. */
const far = 20 * limit;
let count = 0;

/** 400 rows whose ids have gaps, which were not inserted in their order. */
async function createTable(columns = 'id INTEGER PRIMARY KEY, name TEXT', suffix = ''): Promise<string> {
  const table = `keyed ${++count}`;
  await project.sql(`CREATE TABLE "${table}" (${columns}) ${suffix}`);
  await project.sql(`INSERT INTO "${table}" (id, name) WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 400)
    SELECT ((i * 37) % 401 - 200) * 45035996273704960, 'name ' || i FROM i`);
  return table;
}

interface Sources {
  readonly keyed: PageSource;
  readonly endpoint: PageSource;
  /** How many pages came from the endpoint, and how many statements read rows. */
  readonly calls: { browse: number; statements: number };
}

function sourcesOf(table: string, sql: Project['sql'] = (...call) => project.sql(...call)): Sources {
  const calls = { browse: 0, statements: 0 };
  const counting: Pick<Project, 'sql' | 'query'> = {
    sql: (...call) => {
      if (call[0].startsWith('SELECT *')) calls.statements++;
      return sql(...call);
    },
    query: (...call) => project.query(...call),
  };
  const endpoint = endpointPages(range => new Pager({ project, table, ...range }));
  const counted: PageSource = {
    fetch: (...call) => {
      calls.browse++;
      return endpoint.fetch(...call);
    },
  };
  return { keyed: new KeyedPages({ project: counting, table, endpoint: counted }), endpoint, calls };
}

async function page(source: PageSource, offset: number): Promise<{ rows: Row[]; isEnd: boolean }> {
  const range: PageRange = { offset, limit };
  const chunks = source.fetch(range, signal);
  const rows: Row[] = [];
  for (;;) {
    const step = await chunks.next();
    if (step.done) return { rows, isEnd: step.value };
    rows.push(...step.value.rows);
  }
}

const same = async ({ keyed, endpoint }: Sources, offset: number): Promise<void> => {
  const found = await page(keyed, offset);
  const wanted = await page(endpoint, offset);
  assert.equal(exactText(found.rows), exactText(wanted.rows), `row ${offset}`);
  if (found.rows.length < limit) assert.equal(found.isEnd, true);
};

test('pages are those of the endpoint in every direction, and a page after a known one skips no rows', async () => {
  const sources = sourcesOf(await createTable());
  for (let offset = 0; offset <= 400; offset += limit) await same(sources, offset);
  assert.deepEqual(sources.calls, { browse: far / limit + 1, statements: 20 });
  for (const offset of [390, 250, 260, 0, 300, 290]) await same(sources, offset);
  assert.equal(sources.calls.browse, far / limit + 2);
  // A jump past all known pages.
  const jumping = sourcesOf(await createTable());
  for (const offset of [350, 360, 370]) await same(jumping, offset);
  assert.deepEqual(jumping.calls, { browse: 1, statements: 2 });
});

test('pages that are fetched together follow each other', async () => {
  const sources = sourcesOf(await createTable());
  const offsets = [far, far + 10, far + 20, far + 30];
  const found = await Promise.all(offsets.map(offset => page(sources.keyed, offset)));
  for (const [index, offset] of offsets.entries()) {
    assert.equal(exactText(found[index]!.rows), exactText((await page(sources.endpoint, offset)).rows));
  }
  assert.deepEqual(sources.calls, { browse: 1, statements: 3 });
});

test('rows that stay are seen once each while others are written', async () => {
  const table = await createTable();
  const { keyed } = sourcesOf(table);
  const present: unknown[] = await project.query(
    `SELECT name FROM "${table}" WHERE id % 2 = 0 ORDER BY id`,
    [],
    row => row['name'],
  );
  const before = (
    await project.query(`SELECT id FROM "${table}" ORDER BY id LIMIT 1 OFFSET ?`, [far], row => row['id'])
  )[0];
  const seen: unknown[] = [];
  for (let offset = far; ; offset += limit) {
    const { rows, isEnd } = await page(keyed, offset);
    seen.push(...rows.map(row => row['name']));
    // Rows appear and disappear before the page, and after it.
    await project.sql(`INSERT INTO "${table}" SELECT min(id) - 1 - ?, 'before' FROM "${table}"`, [offset]);
    await project.sql(
      `DELETE FROM "${table}" WHERE id IN (SELECT id FROM "${table}" WHERE id % 2 <> 0 ORDER BY id LIMIT 3)`,
    );
    await project.sql(
      `DELETE FROM "${table}" WHERE id IN (SELECT id FROM "${table}" WHERE id % 2 <> 0 ORDER BY id DESC LIMIT 2)`,
    );
    if (isEnd) break;
  }
  const wanted = await project.query(
    `SELECT name FROM "${table}" WHERE id >= ? AND id % 2 = 0 ORDER BY id`,
    [before as number | bigint],
    row => row['name'],
  );
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(
    seen.filter(name => present.includes(name)),
    wanted,
  );
});

for (const [title, columns, suffix] of [
  ['a text as its key', 'id TEXT PRIMARY KEY, name TEXT', ''],
  ['a key of two columns', 'id INTEGER, name TEXT, PRIMARY KEY (id, name)', ''],
  ['a descending key, which is not its row id', 'id INTEGER PRIMARY KEY DESC, name TEXT', ''],
  ['no row id', 'id INTEGER PRIMARY KEY, name TEXT', 'WITHOUT ROWID'],
  ['no key', 'id INTEGER, name TEXT', ''],
] as const) {
  test(`all pages of a table with ${title} come from the endpoint`, async () => {
    const sources = sourcesOf(await createTable(columns, suffix));
    for (let offset = far; offset <= 400; offset += limit) await same(sources, offset);
    assert.equal(sources.calls.statements, 0);
  });
}

const refuse: Project['sql'] = async () => {
  throw new ServiceError({ status: 403, code: 'forbidden', message: 'No statements.' });
};

test('where statements are refused, all pages come from the endpoint', async () => {
  const silent = sourcesOf(await createTable(), refuse);
  for (let offset = far; offset <= 400; offset += limit) await same(silent, offset);
  const later = sourcesOf(await createTable(), async (...call) =>
    call[0].startsWith('SELECT *') ? refuse(...call) : project.sql(...call),
  );
  for (let offset = far; offset <= 400; offset += limit) await same(later, offset);
  assert.equal(later.calls.statements, 1);
});

test('a service with another order gives all pages itself', async () => {
  const table = await createTable();
  const reversed = new KeyedPages({
    project,
    table,
    endpoint: {
      async *fetch({ offset }) {
        const sql = `SELECT * FROM "${table}" ORDER BY id DESC LIMIT ? OFFSET ?`;
        const { columns, rows } = await project.sql(sql, [limit, offset]);
        yield { columns, rows };
        return rows.length < limit;
      },
    },
  });
  const names: unknown[] = [];
  for (let offset = 0; offset < 400; offset += limit) {
    names.push(...(await page(reversed, offset)).rows.map(row => row['name']));
  }
  const wanted = await project.query(`SELECT name FROM "${table}" ORDER BY id DESC`, [], row => row['name']);
  assert.deepEqual(names, wanted);
});

test('a service whose endpoint leaves a column out gives all pages itself', async () => {
  const table = await createTable();
  let browsed = 0;
  const keyed = new KeyedPages({
    project,
    table,
    endpoint: {
      async *fetch({ offset }) {
        browsed++;
        const sql = `SELECT id FROM "${table}" ORDER BY id LIMIT ? OFFSET ?`;
        const { columns, rows } = await project.sql(sql, [limit, offset]);
        yield { columns, rows };
        return rows.length < limit;
      },
    },
  });
  for (let offset = far; offset < 400; offset += limit) {
    assert.deepEqual(Object.keys((await page(keyed, offset)).rows[0]!), ['id']);
  }
  assert.equal(browsed, (400 - far) / limit);
});
