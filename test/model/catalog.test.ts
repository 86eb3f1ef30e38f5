import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import { type Refusal, startRefusingProxy, type SeenRequest } from '../support/refusingProxy.ts';
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

/** A catalog of the same project at a service that refuses some of what it is asked. */
async function limited(refuse: (request: SeenRequest) => Refusal | undefined) {
  const proxy = await startRefusingProxy(service.baseUrl, refuse);
  const other = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
  after(() => other.close());
  return { proxy, catalog: new Catalog(() => Promise.resolve(other.project(projectId))) };
}

const withoutEndpoints = await limited(({ method }) =>
  method === 'GET' ? { status: 404, code: 'not_found' } : undefined,
);
const withoutStatements = await limited(({ method }) =>
  method === 'POST' ? { status: 404, code: 'not_found' } : undefined,
);
const withoutSchemaTables = await limited(({ body }) =>
  /sqlite_schema|pragma_/.test(body) ? { status: 422, code: 'denied_statement' } : undefined,
);

for (const [name, asked] of [
  ['with endpoints', catalog],
  ['without endpoints', withoutEndpoints.catalog],
] as const) {
  test(`tables and views are listed by name, ${name}`, async () => {
    assert.deepEqual(await asked.views(), ['children', 'order_totals']);
    const tables = await asked.tables();
    assert.ok(tables.includes('child') && tables.includes('customers') && !tables.includes('children'));
    assert.deepEqual(tables, tables.toSorted());
  });

  test(`columns come with type, key, default and what they point to, ${name}`, async () => {
    const columns = await asked.columns('child');
    assert.deepEqual(
      columns.map(column => [column.name, column.type, column.notNull, column.primaryKey, column.references?.table]),
      [
        ['id', 'INTEGER', false, 1, undefined],
        ['a', 'INT', true, 0, 'parent'],
        ['odd name', 'TEXT', false, 0, 'customers'],
      ],
    );
    const [, b] = await asked.columns('parent');
    assert.deepEqual([b?.defaultValue, b?.primaryKey], [`'x''y'`, 1]);
  });
}

test('columns whose names differ by more than the case of A to Z point to different tables', async () => {
  const columns = await catalog.columns('accents');
  assert.deepEqual(
    columns.map(({ references }) => references?.table),
    ['parent', 'child'],
  );
});

test('indexes tell their columns, and which SQLite made itself', async () => {
  assert.deepEqual(await catalog.indexes('child'), [
    { name: 'child_a', unique: false, automatic: false, columns: ['a', undefined] },
    { name: 'sqlite_autoindex_child_1', unique: true, automatic: true, columns: ['odd name'] },
  ]);
});

test('triggers and definitions are found, in any case of the name', async () => {
  assert.deepEqual(await catalog.triggers('CHILD'), ['child_added']);
  const definitions = await catalog.definitions('table', 'Child');
  assert.deepEqual(
    definitions.map(({ kind, name }) => `${kind} ${name}`),
    ['table child', 'index child_a', 'trigger child_added'],
  );
  assert.match((await catalog.definitions('view', 'children'))[0]?.sql ?? '', /^CREATE VIEW children/);
});

for (const [name, { catalog: poor }] of [
  ['what the service does not let itself be asked', withoutSchemaTables],
  ['what could only be asked by statements', withoutStatements],
] as const) {
  test(`${name} is unknown, and no fault`, async () => {
    assert.ok((await poor.tables()).includes('child'));
    assert.equal((await poor.columns('child'))[0]?.primaryKey, 1);
    assert.equal(await poor.views(), undefined);
    assert.equal(await poor.indexes('child'), undefined);
    assert.equal(await poor.triggers('child'), undefined);
  });
}

test('a question is asked once until all is forgotten; one that failed is asked again', async () => {
  let refuses = true;
  const { proxy, catalog: asked } = await limited(() =>
    refuses ? { status: 500, code: 'internal_error' } : undefined,
  );
  await assert.rejects(asked.tables());
  refuses = false;
  await asked.tables();
  const count = proxy.seen.length;
  await asked.tables();
  assert.equal(proxy.seen.length, count);
  let changes = 0;
  asked.onChange(() => changes++);
  asked.forget();
  await asked.tables();
  assert.equal(changes, 1);
  assert.ok(proxy.seen.length > count);
});

const names = (columns: readonly { readonly name: string }[]): string[] => columns.map(({ name }) => name);

test('the columns of a table that others changed are asked anew where that matters, and known from then on', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE changing(id INTEGER PRIMARY KEY)' });
  assert.deepEqual(names(await catalog.columns('changing')), ['id']);
  await client.execSql(projectId, { sql: 'ALTER TABLE changing RENAME COLUMN id TO number' });
  assert.deepEqual(names(await catalog.columns('changing')), ['id']);
  assert.deepEqual(names(await catalog.columnsNow('changing')), ['number']);
  assert.deepEqual(names(await catalog.columns('changing')), ['number']);
});

test('rows are counted anew each time', async () => {
  const before = await catalog.rowCount('parent');
  await client.execSql(projectId, { sql: 'INSERT INTO parent(a, b) VALUES (1, 2)' });
  assert.equal(await catalog.rowCount('parent'), before + 1n);
});
