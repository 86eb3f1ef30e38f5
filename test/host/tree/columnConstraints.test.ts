import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnConstraints } from '../../../src/host/tree/columnConstraints.ts';
import { Catalog } from '../../../src/model/catalog/catalog.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const catalog = new Catalog(() => Promise.resolve(client.project(projectId)));

test('a column shows that it is unique, checked or generated, also by a constraint of its table', async () => {
  await client.execSql(projectId, {
    sql: `CREATE TABLE goods (id INTEGER PRIMARY KEY, code TEXT UNIQUE, price REAL CHECK (price > 0), amount INTEGER,
      total REAL AS (price * amount) STORED, shop TEXT, UNIQUE (shop), UNIQUE (shop, amount), CHECK (amount <> price))`,
  });
  assert.deepEqual(Object.fromEntries(await columnConstraints(catalog, 'goods')), {
    id: [],
    code: ['UNIQUE'],
    price: ['CHECK (price > 0)', 'CHECK (amount <> price)'],
    amount: ['CHECK (amount <> price)'],
    total: ['AS (price * amount)'],
    shop: ['UNIQUE'],
  });
  await client.execSql(projectId, { sql: 'CREATE VIRTUAL TABLE texts USING fts5(body)' });
  assert.deepEqual([...(await columnConstraints(catalog, 'texts'))], []);
});
