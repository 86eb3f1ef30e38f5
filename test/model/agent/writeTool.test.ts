import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Protection } from '../../../src/protocol/projectFields.ts';
import { tokenCount } from '../../../src/model/agent/untrustedJson.ts';
import { type Answer, TestAgent } from '../../support/agentCalls.ts';
import { HandClock } from '../../support/handClock.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const service = await startTestService();
const { client, projectId } = service;
const sql = 'UPDATE customers SET note = ? WHERE id <= ?';
const writable = { project: { isWritingEnabled: true } };

async function noteOf(id: number): Promise<unknown> {
  const { rows } = await client.execSql(projectId, { sql: 'SELECT note FROM customers WHERE id = ?', params: [id] });
  return rows[0]?.['note'];
}

async function propose(agent: TestAgent, params: readonly unknown[]): Promise<string> {
  const { token } = await agent.call('sql_write', { step: 'propose', sql, params });
  assert.ok(token);
  return token;
}

test('the tool is absent until the user enables writing, and in a read-only project', async () => {
  await using agent = new TestAgent(service);
  assert.ok(!(await agent.toolNames()).includes('sql_write'));
  assert.equal((await agent.call('sql_write', { step: 'propose', sql })).code, 'unknown_tool');
  agent.project = { ...agent.project, isWritingEnabled: true };
  assert.ok((await agent.toolNames()).includes('sql_write'));
  agent.project = { ...agent.project, protection: 'readOnly' };
  assert.ok(!(await agent.toolNames()).includes('sql_write'));
});

test('a proposal changes nothing and counts its rows; its token commits once', async () => {
  await using agent = new TestAgent(service, writable);
  const before = await noteOf(1);
  const proposed = await agent.call('sql_write', { step: 'propose', sql, params: ['first', 3] });
  assert.equal(proposed.touchedRows, 3);
  assert.equal(await noteOf(1), before);
  const commit = { step: 'commit', sql, params: ['first', 3], token: proposed.token };
  assert.equal((await agent.call('sql_write', commit)).changedRows, 3);
  assert.equal(await noteOf(1), 'first');
  await client.execSql(projectId, { sql: 'UPDATE customers SET note = NULL' });
  assert.equal((await agent.call('sql_write', commit)).code, 'token_used');
  assert.equal(await noteOf(1), null);
  const entry = agent.log.findLast(({ outcome }) => outcome === 'done');
  assert.deepEqual(
    [entry?.tool, entry?.rows, entry?.sql],
    ['sql_write', 3, 'UPDATE customers SET note = ? WHERE id <= ?'],
  );
});

test('two commits at the same time write once', async () => {
  await using agent = new TestAgent(service, writable);
  const token = await propose(agent, ['twice', 1]);
  const commit = { step: 'commit', sql, params: ['twice', 1], token };
  const answers = await Promise.all([agent.call('sql_write', commit), agent.call('sql_write', commit)]);
  assert.deepEqual(answers.map(({ kind, code }) => code ?? kind).toSorted(), ['committed', 'token_used']);
});

test('a token is good for its statement, values, schema, rows and ten minutes', async () => {
  const clock = new HandClock();
  await using agent = new TestAgent(service, { ...writable, clock });
  const codeOfCommit = async (changed: object, token: string): Promise<string | undefined> =>
    (await agent.call('sql_write', { step: 'commit', sql, params: ['x', 2], token, ...changed })).code;
  const token = await propose(agent, ['x', 2]);
  assert.equal(await codeOfCommit({ params: ['x', 200] }, token), 'proposal_changed');
  assert.equal(await codeOfCommit({ params: ['x', '2'] }, token), 'proposal_changed');
  assert.equal(await codeOfCommit({ sql: `${sql} OR 1` }, token), 'proposal_changed');
  assert.equal(await codeOfCommit({}, 'another token'), 'proposal_unknown');
  await client.execSql(projectId, { sql: 'CREATE TABLE between_the_steps(a)' });
  assert.equal(await codeOfCommit({}, token), 'schema_changed');
  const counted = await propose(agent, ['x', 2]);
  await client.execSql(projectId, {
    sql: "INSERT INTO customers(id, name, email, country, created_at) VALUES (-5, 'a', 'b', 'c', 'd')",
  });
  assert.equal(await codeOfCommit({}, counted), 'rows_changed');
  await client.execSql(projectId, { sql: 'DELETE FROM customers WHERE id < 0' });
  const old = await propose(agent, ['x', 2]);
  clock.advance(10 * 60_000);
  assert.equal(await codeOfCommit({}, old), 'proposal_expired');
  assert.notEqual(await noteOf(2), 'x');
});

test('a lost answer is reported, and the check finds that the write was done once', async () => {
  let isLost = true;
  const proxy = await startRefusingProxy(service.baseUrl, ({ body, path, headers }) => {
    if (!isLost || !body.includes('INSERT')) return undefined;
    return response => {
      const { 'x-api-key': key = '', 'x-idempotency-key': once = '', 'content-type': type = '' } = headers;
      const passed = { 'x-api-key': String(key), 'x-idempotency-key': String(once), 'content-type': type };
      void fetch(service.baseUrl + path, { method: 'POST', body, headers: passed })
        .then(answer => answer.text())
        .then(() => response.socket?.resetAndDestroy());
    };
  });
  await client.execSql(projectId, { sql: 'CREATE TABLE once(a)' });
  const clock = new HandClock();
  await using agent = new TestAgent(service, {
    ...writable,
    baseUrl: proxy.baseUrl,
    limits: { call: { seconds: 2 } },
    clock,
  });
  const write = { sql: 'INSERT INTO once VALUES (?)', params: [1] };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  const committing = agent.call('sql_write', { step: 'commit', ...write, token });
  const counted = async (): Promise<unknown> =>
    (await client.execSql(projectId, { sql: 'SELECT count(*) AS n FROM once' })).rows[0]?.['n'];
  await waitUntil(async () => (await counted()) === 1, { what: 'the write is done' });
  clock.advance(2000);
  assert.equal((await committing).kind, 'outcome_unknown');
  assert.equal((await agent.call('sql_write', { step: 'commit', ...write, token })).code, 'token_used');
  isLost = false;
  const checked = await agent.call('sql_write', { step: 'check', ...write, token });
  assert.deepEqual([checked.kind, checked.changedRows], ['committed', 1]);
  assert.equal(await counted(), 1);
});

test('a project that confirms writes asks the user, and refuses where nobody can be asked', async () => {
  const project = { isWritingEnabled: true, protection: 'confirmWrites' as Protection };
  await using alone = new TestAgent(service, { project });
  assert.equal((await alone.call('sql_write', { step: 'propose', sql, params: ['y', 1] })).code, 'needs_confirmation');
  const confirmedWrites: unknown[] = [];
  let allows = false;
  await using agent = new TestAgent(service, {
    project,
    confirmWrite: async write => {
      confirmedWrites.push([write.agent, write.project.name, write.sql, write.params, write.touchedRows]);
      return allows;
    },
  });
  const refused = await propose(agent, ['y', 1]);
  const commit = { step: 'commit', sql, params: ['y', 1] };
  assert.equal((await agent.call('sql_write', { ...commit, token: refused })).code, 'refused_by_user');
  allows = true;
  assert.equal((await agent.call('sql_write', { ...commit, token: await propose(agent, ['y', 1]) })).kind, 'committed');
  assert.deepEqual(confirmedWrites[0], ['tester', 'shop', sql, ['y', 1], 1]);
});

test('an open project asks as well before all rows of a table change, where somebody can be asked', async () => {
  const confirmedWrites: string[] = [];
  await using agent = new TestAgent(service, {
    ...writable,
    confirmWrite: write => Promise.resolve(confirmedWrites.push(write.sql) === 0),
  });
  const all = { sql: 'UPDATE customers SET note = ?', params: ['all'] };
  const { token } = await agent.call('sql_write', { step: 'propose', ...all });
  assert.equal((await agent.call('sql_write', { step: 'commit', ...all, token })).code, 'refused_by_user');
  const some = await propose(agent, ['some', 1]);
  assert.equal(
    (await agent.call('sql_write', { step: 'commit', sql, params: ['some', 1], token: some })).kind,
    'committed',
  );
  assert.deepEqual(confirmedWrites, [all.sql]);
});

test('the time of a call stops while the user is asked, and a cancelled call writes nothing', async () => {
  const clock = new HandClock();
  const cancelled = new AbortController();
  const answers: (() => Promise<boolean>)[] = [
    () => {
      clock.advance(3_600_000);
      return Promise.resolve(true);
    },
    () => {
      cancelled.abort();
      return new Promise(() => undefined);
    },
  ];
  await using agent = new TestAgent(service, {
    clock,
    limits: { call: { seconds: 5 } },
    project: { isWritingEnabled: true, protection: 'confirmWrites' },
    confirmWrite: () => answers.shift()!(),
  });
  const slowly = await propose(agent, ['slowly', 1]);
  // The proposal was requested in time, whatever the time of the answer is.
  const commit = { step: 'commit', sql, token: slowly, params: ['slowly', 1] };
  assert.equal((await agent.call('sql_write', commit)).kind, 'committed');
  const never = { step: 'commit', sql, token: await propose(agent, ['never', 1]), params: ['never', 1] };
  assert.equal((await agent.call('sql_write', never, cancelled.signal)).code, 'cancelled');
  assert.equal(await noteOf(1), 'slowly');
});

test('a write is refused if its rows change while the user is asked', async () => {
  const rows = { sql: 'DELETE FROM customers WHERE note = ?', params: ['gone'] };
  await client.execSql(projectId, { sql, params: ['gone', 2] });
  await using agent = new TestAgent(service, {
    project: { isWritingEnabled: true, protection: 'confirmWrites' },
    confirmWrite: async () => {
      await client.execSql(projectId, { sql, params: ['gone', 3] });
      return true;
    },
  });
  const { token, touchedRows } = await agent.call('sql_write', { step: 'propose', ...rows });
  assert.equal(touchedRows, 2);
  assert.equal((await agent.call('sql_write', { step: 'commit', ...rows, token })).code, 'rows_changed');
  assert.equal(await noteOf(3), 'gone');
});

test('statements other than a single write of rows or tables are refused', async () => {
  await using agent = new TestAgent(service, writable);
  for (const [statement, code] of [
    ['SELECT 1', 'not_a_write'],
    ['EXPLAIN DELETE FROM customers', 'not_a_write'],
    ['DELETE FROM orders; DELETE FROM customers', 'syntax_error'],
    ['DELETE FROM', 'syntax_error'],
    ['DELETE FROM missing', 'refused_by_sqlite'],
    ["ATTACH 'x' AS y", 'write_not_allowed'],
    ['VACUUM', 'write_not_allowed'],
    ["VACUUM INTO 'x'", 'write_not_allowed'],
    ['PRAGMA user_version = 3', 'write_not_allowed'],
    ['BEGIN', 'write_not_allowed'],
    ['CREATE TEMP TABLE t(a)', 'write_not_allowed'],
    ["UPDATE sqlite_schema SET sql = ''", 'write_not_allowed'],
    ["INSERT INTO once SELECT load_extension('x')", 'function_not_allowed'],
  ] as const) {
    const answer = await agent.call('sql_write', { step: 'propose', sql: statement });
    assert.ok(answer.code !== undefined && answer.token === undefined, statement);
    if (answer.code !== code) assert.fail(`${statement}: ${answer.code}, ${answer.message}`);
  }
});

test('a refused write has its reason, and its token is used', async () => {
  await using agent = new TestAgent(service, writable);
  const write = {
    sql: 'INSERT INTO customers(id, name, email, country, created_at) VALUES (1, ?, ?, ?, ?)',
    params: ['a', 'b', 'c', 'd'],
  };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  const answer = await agent.call('sql_write', { step: 'commit', ...write, token });
  assert.equal(answer.code, 'sql_error');
  assert.match(answer.message ?? '', /UNIQUE constraint failed: customers\.id/);
  assert.equal((await agent.call('sql_write', { step: 'check', ...write, token })).kind, 'refused');
});

test('rows that a write returns come with its answer', async () => {
  await using agent = new TestAgent(service, writable);
  const write = { sql: 'INSERT INTO once VALUES (?), (?) RETURNING a', params: [7, 8] };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  const answer = await agent.call('sql_write', { step: 'commit', ...write, token });
  assert.deepEqual(answer['returned'], [[7], [8]]);
});

test('a write that returns more rows than an answer may have is done, and says how many rows are missing', async () => {
  await using agent = new TestAgent(service, { ...writable, limits: { call: { tokens: 2000 } } });
  const write = { sql: 'UPDATE customers SET note = name WHERE id > ? RETURNING *', params: [0] };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  for (const step of ['commit', 'check']) {
    const text = await agent.text('sql_write', { step, ...write, token });
    assert.ok(tokenCount(text) <= 2000, `${tokenCount(text)} tokens`);
    const { kind, summary, changedRows, notes, returned } = JSON.parse(text) as Answer & { returned: unknown[] };
    assert.deepEqual([kind, changedRows], ['committed', 2000]);
    assert.match(summary ?? '', /^The write is done, once\. 2,000 rows have changed/);
    assert.ok(returned.length > 10 && returned.length < 200);
    assert.match(notes?.[0] ?? '', new RegExp(`^${returned.length} of 2,000 returned rows are here\\.`));
  }
  const last = agent.log.at(-1);
  assert.deepEqual([last?.outcome, last?.rows], ['cut', 2000]);
});

test('a returned row that does not fit leaves the outcome of its write', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE large(a, b)' });
  await using agent = new TestAgent(service, { ...writable, limits: { call: { tokens: 300, bytes: 1000 } } });
  const write = { sql: "INSERT INTO large VALUES (printf('%.*c', 3000000, 'x'), 1) RETURNING *" };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  const answer = await agent.call('sql_write', { step: 'commit', ...write, token });
  assert.deepEqual([answer.kind, answer.changedRows, answer['returned']], ['committed', 1, []]);
  assert.match(answer.notes?.[0] ?? '', /^0 of 1 returned rows are here/);
});

test('tables can be changed, and a dropped one is counted', async () => {
  await using agent = new TestAgent(service, writable);
  for (const [statement, touched] of [
    ['CREATE TABLE made(id INTEGER PRIMARY KEY, old TEXT)', undefined],
    ['ALTER TABLE made ADD COLUMN added TEXT', undefined],
    ['ALTER TABLE made RENAME COLUMN old TO renamed', undefined],
    ['CREATE INDEX made_added ON made(added)', undefined],
    ["INSERT INTO made(renamed) VALUES ('a'), ('b')", undefined],
    ['ALTER TABLE made DROP COLUMN renamed', 2],
    ['DELETE FROM made WHERE id = 1', 1],
    ['DROP TABLE made', 1],
  ] as const) {
    const proposed = await agent.call('sql_write', { step: 'propose', sql: statement });
    assert.equal(proposed.touchedRows, touched, `${statement}: ${proposed.message}`);
    const done = await agent.call('sql_write', { step: 'commit', sql: statement, token: proposed.token });
    assert.equal(done.kind, 'committed', `${statement}: ${done.message}`);
  }
});
