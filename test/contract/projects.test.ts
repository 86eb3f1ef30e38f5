import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Pager, type ServiceError } from '../../src/client/index.ts';
import { startTestService } from '../support/testService.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const { baseUrl, admin, client, projectId } = await startTestService();

/** A new project and a client with its key. */
async function newProject(projectName: string): Promise<{ own: Client; id: string }> {
  const { projectId: id } = await admin.initProject({ holderId: 'ann', projectName });
  const { apiKey } = await admin.issueKey({ projectId: id, holderId: 'ann', projectName, user: 'test' });
  return { id, own: new Client({ baseUrl, apiKey, holderId: 'ann', projectName, retries: 0 }) };
}

test('a project is initialised, resolved and listed, and initialising it again returns the same project', async () => {
  const pair = { holderId: 'ann', projectName: 'Łódź' };
  const none = { exists: false, existsOnChain: false, projectId: '', databaseId: '', action: 'init' };
  assert.deepEqual(await admin.resolveProject(pair), none);
  const made = await admin.initProject({ ...pair, ownerAddress: 'x', extra: { epoch_set: 1, deletable: true } });
  assert.deepEqual(await admin.initProject(pair), made);
  const { projectId: id } = made;
  assert.deepEqual(await admin.resolveProject(pair), {
    ...none,
    exists: true,
    projectId: id,
    databaseId: id,
    action: 'use',
  });
  assert.ok((await admin.listProjects())?.some(project => project.projectId === id && project.projectName === 'Łódź'));
});

test('a key gives access to its project only', async () => {
  const { own, id } = await newProject('alone');
  await using _ = own;
  assert.deepEqual(await own.listTables(id), []);
  assert.deepEqual(await own.listProjects(), [{ projectId: id, holderId: 'ann', projectName: 'alone' }]);
  await assert.rejects(own.listTables(projectId), { status: 403, code: 'forbidden' });
});

test('a key with an expiry opens its project until then', async () => {
  const { id } = await newProject('for a while');
  const issue = async (expiresInSeconds: number): Promise<Client> => {
    const key = { projectId: id, holderId: 'ann', projectName: 'for a while', user: '', expiresInSeconds };
    return new Client({ baseUrl, apiKey: (await admin.issueKey(key)).apiKey, retries: 0 });
  };
  await using lasting = await issue(3600);
  await using short = await issue(1);
  const codeOf = async (): Promise<string> =>
    short.listTables(id).then(
      () => '',
      ({ code }: ServiceError) => code,
    );
  await waitUntil(async () => (await codeOf()) === 'unauthenticated', { what: 'the key has expired' });
  assert.deepEqual(await lasting.listTables(id), []);
  await assert.rejects(issue(0), { status: 400, code: 'bad_request' });
});

test('a table schema has types, defaults and places in the primary key', async () => {
  const schema = await client.tableSchema(projectId, 'order_lines');
  assert.equal(schema.table, 'order_lines');
  assert.deepEqual(schema.columns[1], {
    position: 1,
    name: 'line',
    type: 'INTEGER',
    notNull: true,
    defaultValue: null,
    primaryKey: 2,
  });
  const stock = (await client.tableSchema(projectId, 'products')).columns.find(({ name }) => name === 'stock');
  assert.deepEqual([stock?.defaultValue, stock?.notNull, stock?.primaryKey], ['0', true, 0]);
  await assert.rejects(client.tableSchema(projectId, 'nowhere'), { status: 404, code: 'table_not_found' });
});

test('table count, project status and commit are answered', async () => {
  assert.equal(await client.tableCount(projectId), (await client.listTables(projectId)).length);
  const { engine, ...status } = await client.projectStatus(projectId);
  assert.deepEqual(status, { projectId, isActive: true, status: 'active', keyScope: 'full' });
  assert.ok(engine?.name && Number(engine.limits.statementBytes) > 0);
  assert.equal((await client.commit(projectId))['committed_ops'], 0);
});

test('a table can be dropped after a reader has left', async () => {
  const project = client.project(projectId);
  const rows = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100000) SELECT n FROM c';
  await project.sql(`CREATE TABLE left_alone AS ${rows}`);
  await using scanner = await project.stream('SELECT n FROM left_alone');
  await scanner.next({});
  await scanner.close();
  await project.sql('DROP TABLE left_alone');
  await assert.rejects(project.sql('SELECT n FROM left_alone'), /no such table/);
});

test('a pager reads every row of a table once', async () => {
  const pager = new Pager({ project: client.project(projectId), table: 'reviews', limit: 700, offset: 100 });
  const ids: unknown[] = [];
  for (let page = await pager.next(); page; page = await pager.next()) ids.push(...page.map(({ id }) => id));
  assert.deepEqual(
    ids,
    Array.from({ length: 2900 }, (_, i) => i + 101),
  );
});

test('without a limit a page has 100 rows', async () => {
  const page = await client.browseRows(projectId, 'reviews');
  assert.deepEqual([page.limit, page.offset, page.rows.length], [100, 0, 100]);
});

test('a write with an idempotency key is done once, even if it is sent twice at the same time', async () => {
  const { own, id } = await newProject('once');
  await using _ = own;
  await own.execSql(id, { sql: 'CREATE TABLE t (a)' });
  const write = async () => own.execSql(id, { sql: 'INSERT INTO t VALUES (?)', params: [1] }, { idempotencyKey: 'k' });
  const answers = await Promise.all([write(), write(), write()]);
  assert.deepEqual(
    answers.map(({ rowCount }) => rowCount),
    [1, 1, 1],
  );
  assert.equal(answers.filter(({ replayed }) => replayed).length, 2);
  assert.deepEqual((await own.execSql(id, { sql: 'SELECT count(*) AS n FROM t' })).rows, [{ n: 1 }]);
  const other = { sql: 'INSERT INTO t VALUES (?)', params: [2] };
  await assert.rejects(own.execSql(id, other, { idempotencyKey: 'k' }), { status: 409, code: 'idempotency_conflict' });
});

test('a replayed write returns all its rows again', async () => {
  const { own, id } = await newProject('returned');
  await using _ = own;
  await own.execSql(id, { sql: 'CREATE TABLE t (a)' });
  const request = { sql: 'INSERT INTO t VALUES (1), (9007199254740993) RETURNING a, rowid AS id' };
  const first = await own.execSql(id, request, { idempotencyKey: 'k' });
  const replay = await own.execSql(id, request, { idempotencyKey: 'k' });
  assert.deepEqual([first.replayed, replay.replayed], [false, true]);
  assert.deepEqual(replay.rows, first.rows);
  assert.deepEqual(replay.columns, first.columns);
});

test('a refusal that is given again says so', async () => {
  const { own, id } = await newProject('refused');
  await using _ = own;
  const attempt = async () => own.execSql(id, { sql: 'SELECT * FROM later' }, { idempotencyKey: 'k' });
  await assert.rejects(attempt(), { code: 'sql_error', replayed: false, details: { offset: 14 } });
  await own.execSql(id, { sql: 'CREATE TABLE later (a)' });
  await assert.rejects(attempt(), { code: 'sql_error', replayed: true, details: { offset: 14 } });
});

test('two projects may use the same idempotency key', async () => {
  const one = await newProject('one');
  const other = await newProject('other');
  for (const { own, id } of [one, other]) {
    const answer = await own.execSql(id, { sql: 'CREATE TABLE t (a)' }, { idempotencyKey: 'same' });
    assert.equal(answer.replayed, false);
    await own.close();
  }
});
