import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { Catalog, type RowCount } from '../../src/model/catalog/catalog.ts';
import { lookupValuesOf } from '../../src/model/catalog/lookupValues.ts';
import { type Refusal, startRefusingProxy, type SeenRequest } from '../support/refusingProxy.ts';
import type { Answer } from '../support/scriptedServer.ts';
import { startTestService } from '../support/testService.ts';

const service = await startTestService();
const { client, projectId } = service;
for (const sql of [
  `CREATE TABLE parent(a INTEGER, b TEXT DEFAULT 'x''y', c AS (a + 1), PRIMARY KEY (b, a)) WITHOUT ROWID`,
  'CREATE TABLE child(id INTEGER PRIMARY KEY, a INT NOT NULL, "odd name" TEXT UNIQUE REFERENCES customers, FOREIGN KEY (a) REFERENCES parent(a))',
  'CREATE INDEX child_a ON child(a, lower("odd name"))',
  'CREATE TRIGGER child_added AFTER INSERT ON child BEGIN SELECT 1; END',
  'CREATE VIEW children AS SELECT * FROM child',
  'CREATE TABLE accents("É" INTEGER REFERENCES parent, "é" INTEGER REFERENCES child)',
]) {
  await client.execSql(projectId, { sql });
}

const catalog = new Catalog(() => Promise.resolve(client.project(projectId)));

/** A catalog of the same project, whose service refuses some requests. */
async function catalogBehind(refuse: (request: SeenRequest) => Refusal | Answer | undefined) {
  const proxy = await startRefusingProxy(service.baseUrl, refuse);
  const other = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
  after(() => other.close());
  return { proxy, catalog: new Catalog(() => Promise.resolve(other.project(projectId))) };
}

const withoutEndpoints = await catalogBehind(({ method }) =>
  method === 'GET' ? { status: 404, code: 'not_found' } : undefined,
);
const withoutStatements = await catalogBehind(({ method }) =>
  method === 'POST' ? { status: 404, code: 'not_found' } : undefined,
);
const withoutSchemaTables = await catalogBehind(({ body }) =>
  /sqlite_schema|pragma_/.test(body) ? { status: 422, code: 'denied_statement' } : undefined,
);

for (const [name, catalogUnderTest] of [
  ['with endpoints', catalog],
  ['without endpoints', withoutEndpoints.catalog],
] as const) {
  test(`tables and views are sorted by name, ${name}`, async () => {
    assert.deepEqual(await catalogUnderTest.views(), ['children', 'order_totals']);
    const tables = await catalogUnderTest.tables();
    assert.ok(tables.includes('child') && tables.includes('customers') && !tables.includes('children'));
    assert.deepEqual(tables, tables.toSorted());
  });

  test(`columns have their type, key, default value and reference, ${name}`, async () => {
    const columns = await catalogUnderTest.columns('child');
    assert.deepEqual(
      columns.map(column => [column.name, column.type, column.notNull, column.primaryKey, column.references?.table]),
      [
        ['id', 'INTEGER', false, 1, undefined],
        ['a', 'INT', true, 0, 'parent'],
        ['odd name', 'TEXT', false, 0, 'customers'],
      ],
    );
    const [, b] = await catalogUnderTest.columns('parent');
    assert.deepEqual([b?.defaultValue, b?.primaryKey], [`'x''y'`, 1]);
  });
}

test('columns whose names differ in the case of É refer to different tables', async () => {
  const columns = await catalog.columns('accents');
  assert.deepEqual(
    columns.map(({ references }) => references?.table),
    ['parent', 'child'],
  );
});

test('indexes have their columns, and those of constraints are marked as automatic', async () => {
  assert.deepEqual(await catalog.indexes('child'), [
    { name: 'child_a', unique: false, automatic: false, columns: ['a', undefined] },
    { name: 'sqlite_autoindex_child_1', unique: true, automatic: true, columns: ['odd name'] },
  ]);
});

test('triggers and definitions are found by a table name in any case', async () => {
  assert.deepEqual(await catalog.triggers('CHILD'), ['child_added']);
  const definitions = await catalog.definitions('table', 'Child');
  assert.deepEqual(
    definitions.map(({ kind, name }) => `${kind} ${name}`),
    ['table child', 'index child_a', 'trigger child_added'],
  );
  assert.match((await catalog.definitions('view', 'children'))[0]?.sql ?? '', /^CREATE VIEW children/);
});

for (const [name, { catalog: limited }] of [
  ['refuses statements on schema tables', withoutSchemaTables],
  ['takes no statements', withoutStatements],
] as const) {
  test(`views, indexes and triggers are unknown if the service ${name}, which is not an error`, async () => {
    assert.ok((await limited.tables()).includes('child'));
    assert.equal((await limited.columns('child'))[0]?.primaryKey, 1);
    assert.equal(await limited.views(), undefined);
    assert.equal(await limited.indexes('child'), undefined);
    assert.equal(await limited.triggers('child'), undefined);
  });
}

test('answers are cached until the catalog forgets them, and failures are not cached', async () => {
  let refuses = true;
  const { proxy, catalog: cached } = await catalogBehind(() =>
    refuses ? { status: 500, code: 'internal_error' } : undefined,
  );
  await assert.rejects(cached.tables());
  refuses = false;
  await cached.tables();
  const count = proxy.seenRequests.length;
  await cached.tables();
  assert.equal(proxy.seenRequests.length, count);
  let changes = 0;
  cached.onChange(() => changes++);
  cached.forget();
  await cached.tables();
  assert.equal(changes, 1);
  assert.ok(proxy.seenRequests.length > count);
});

const names = (columns: readonly { readonly name: string }[]): string[] => columns.map(({ name }) => name);

test('fresh columns of a table that others changed replace the cached ones', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE changing(id INTEGER PRIMARY KEY)' });
  assert.deepEqual(names(await catalog.columns('changing')), ['id']);
  await client.execSql(projectId, { sql: 'ALTER TABLE changing RENAME COLUMN id TO number' });
  assert.deepEqual(names(await catalog.columns('changing')), ['id']);
  assert.deepEqual(names(await catalog.freshColumns('changing')), ['number']);
  assert.deepEqual(names(await catalog.columns('changing')), ['number']);
});

test('row counts are never cached', async () => {
  const before = await catalog.rowCount('parent');
  await client.execSql(projectId, { sql: 'INSERT INTO parent(a, b) VALUES (1, 2)' });
  assert.equal(await catalog.rowCount('parent'), before + 1n);
});

for (const [name, catalogUnderTest] of [
  ['with endpoints', catalog],
  ['without endpoints', withoutEndpoints.catalog],
] as const) {
  test(`the statements of the schema create everything, also the statistics of ANALYZE, ${name}`, async () => {
    const statements = (await catalogUnderTest.schemaStatements()) ?? [];
    for (const start of [
      'CREATE TABLE child(',
      'CREATE INDEX child_a',
      'CREATE TRIGGER child_added',
      'CREATE VIEW children',
      'CREATE TABLE sqlite_stat1(',
    ]) {
      assert.ok(
        statements.some(statement => statement.startsWith(start)),
        start,
      );
    }
    // Indexes of constraints have no statement.
    assert.ok(statements.every(statement => statement !== ''));
  });
}

test('without schema tables, the statements of a service are unknown', async () => {
  assert.equal(await withoutSchemaTables.catalog.schemaStatements(), undefined);
});

test('a schema of more than 16 million characters is refused while it arrives', async () => {
  const sql = `CREATE TABLE t(a) -- ${'x'.repeat(1 << 20)}`;
  const row = JSON.stringify({ type: 'table', name: 't', tbl_name: 't', sql });
  let sentRows = 0;
  const endless: Answer = response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"ok":true,"rows":[');
    const send = (): void => {
      while (!response.destroyed && response.write(sentRows++ === 0 ? row : `,${row}`));
    };
    response.on('drain', send);
    send();
  };
  const { catalog: huge } = await catalogBehind(() => endless);
  await assert.rejects(huge.schemaStatements(), { code: 'schema_too_large' });
  assert.ok(sentRows >= 16);
});

test('the last row count of a table is remembered for those who may not count', async () => {
  assert.equal(catalog.lastRowCounts.get('child'), undefined);
  const told: RowCount[] = [];
  const listening = catalog.onCount(count => told.push(count));
  const count = await catalog.rowCount('child');
  listening.dispose();
  assert.equal(catalog.lastRowCounts.get('child'), count);
  assert.deepEqual(told, [{ table: 'child', count }]);
});

test('the values of a small table are literals with a text; a large table and long or binary values have none', async () => {
  for (const sql of [
    'CREATE TABLE states (id, name)',
    `INSERT INTO states VALUES (1, 'new'), (9007199254740993, NULL), ('it''s', 2), (x'00', 'b'),
      (printf('%.90c', 'x'), 'long'), ('a' || char(0) || printf('%.90c', 'x'), 'hidden'), (NULL, 'none')`,
    'CREATE TABLE many AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 101) SELECT id FROM n',
  ]) {
    await client.execSql(projectId, { sql });
  }
  assert.deepEqual(
    await lookupValuesOf(await catalog.openQuietly(), { table: 'states', column: 'id', textColumn: 'name' }),
    [
      { value: '1', text: 'new' },
      { value: '9007199254740993', text: '' },
      { value: "'it''s'", text: '' },
    ],
  );
  assert.deepEqual(
    await lookupValuesOf(await catalog.openQuietly(), { table: 'many', column: 'id', textColumn: null }),
    [],
  );
});
