import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenCount } from '../../../src/model/agent/untrustedJson.ts';
import { type Answer, TestAgent } from '../../support/agentCalls.ts';
import { HandClock } from '../../support/handClock.ts';
import { openCalls } from '../../support/openCalls.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const service = await startTestService();
const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`;

test('a cut answer names its rows of all and a cursor, and the cursor gives the rows that follow', async () => {
  await using agent = new TestAgent(service);
  const sql = 'SELECT order_id, line FROM order_lines ORDER BY order_id, line -- the lines';
  const first = await agent.call('sql_query', { sql });
  assert.equal(first.rows?.length, 200);
  assert.equal(first.summary, `200 of 100,000 rows; continue with cursor ${first.cursor}`);
  const second = await agent.call('sql_query', { cursor: first.cursor });
  assert.match(second.summary ?? '', /^rows 201 to 400 of 100,000; continue with cursor /);
  const { rows: all } = await service.client.execSql(service.projectId, { sql: `${sql}\nLIMIT 400` });
  const seen = [...first.rows, ...(second.rows ?? [])];
  assert.deepEqual(
    seen,
    all.map(row => Object.values(row)),
    'no row is missing, and none came twice',
  );
  const again = await agent.call('sql_query', { cursor: first.cursor });
  assert.deepEqual(again.rows, second.rows, 'a lost page can be asked for again');
  assert.deepEqual(agent.log.map(({ outcome, rows }) => [outcome, rows]).slice(0, 1), [['cut', 200]]);
});

test('the last page says so and has no cursor', async () => {
  await using agent = new TestAgent(service);
  const first = await agent.call('sql_query', { sql: `${numbers(5)} WHERE i > ?`, params: [1], rows: 3 });
  const last = await agent.call('sql_query', { cursor: first.cursor });
  assert.deepEqual([last.rows, last.summary, last.cursor], [[[5]], 'rows 4 to 4, the last ones', undefined]);
});

test('a statement whose rows take too long to count has more than the shown ones', async () => {
  const clock = new HandClock();
  await using agent = new TestAgent(service, { clock });
  const calling = agent.call('sql_query', { sql: numbers(2_000_000_000), rows: 2 });
  // The time of the call, and then that of counting.
  await waitUntil(async () => clock.timerCount === 2, { what: 'the rows are counted' });
  clock.advance(1000);
  const { summary, rows } = await calling;
  assert.deepEqual(rows, [[1], [2]]);
  assert.match(summary ?? '', /^2 of more than 2 rows; continue with cursor /);
});

test('a cursor ends after ten minutes, and when the schema changes', async () => {
  const clock = new HandClock();
  await using agent = new TestAgent(service, { clock });
  const { cursor } = await agent.call('sql_query', { sql: 'SELECT * FROM customers', rows: 1 });
  await service.client.execSql(service.projectId, { sql: 'CREATE TABLE IF NOT EXISTS added(a)' });
  assert.equal((await agent.call('sql_query', { cursor })).code, 'schema_changed');
  clock.advance(11 * 60_000);
  assert.equal((await agent.call('sql_query', { cursor })).code, 'cursor_expired');
});

test('an answer beyond the bytes of a call has the rows that fit, with their types', async () => {
  await using agent = new TestAgent(service, { limits: { call: { bytes: 100_000 } } });
  const sql = `SELECT i, randomblob(3000) AS bytes FROM (${numbers(100)})`;
  const { rows = [], cursor } = await agent.call('sql_query', { sql });
  assert.ok(rows.length > 5 && rows.length < 40, `${rows.length} rows`);
  assert.ok(rows.every(([, value]) => (value as { type: string }).type === 'blob'));
  assert.ok(cursor);
  const wide = await agent.call('sql_query', { sql: 'SELECT randomblob(200000) AS bytes' });
  assert.equal(wide.code, 'row_too_large');
});

test('an answer fits the tokens of a call, and a row that does not is refused', async () => {
  await using agent = new TestAgent(service, { limits: { call: { tokens: 2000 } } });
  const text = await agent.text('sql_query', { sql: 'SELECT * FROM customers' });
  const { rows, cursor } = JSON.parse(text) as { rows: unknown[]; cursor: string };
  assert.ok(text.length / 3.5 < 2000 && rows.length > 20 && rows.length < 200, `${text.length} characters`);
  assert.ok(cursor);
  const columns = Array.from({ length: 300 }, (_, nth) => `'${'x'.repeat(60)}' AS c${nth}`).join();
  assert.equal((await agent.call('sql_query', { sql: `SELECT ${columns}` })).code, 'row_too_large');
});

test('a small limit leaves a small answer whole, and of a larger one its summary or its code', async () => {
  await using agent = new TestAgent(service, {
    limits: { call: { tokens: 250 } },
    project: { isWritingEnabled: true },
  });
  assert.deepEqual((await agent.call('sql_query', { sql: `SELECT 'a' AS a` })).rows, [['a']]);
  await using smallest = new TestAgent(service, { limits: { call: { tokens: 80, seconds: 1 } } });
  for (const [tool, input] of [
    ['sql_projects', {}],
    ['sql_schema', {}],
    ['sql_query', { sql: 'SELECT id FROM customers' }],
    ['sql_query', { sql: 'SELECT missing' }],
    ['sql_explain', { sql: 'SELECT id FROM customers' }],
    ['sql_query', { sql: endless }],
  ] as const) {
    const text = await smallest.text(tool, input);
    assert.ok(tokenCount(text) <= 80, `${tokenCount(text)}: ${text}`);
    const { kind, code } = JSON.parse(text) as Answer;
    assert.ok(kind !== 'error' || code !== undefined, text);
  }
});

test('no row is passed over at a limit that leaves no room for rows', async () => {
  await using agent = new TestAgent(service, { limits: { call: { tokens: 100 } } });
  const first = await agent.call('sql_query', { sql: numbers(30) });
  assert.ok(first.code === 'row_too_large' || first.rows!.length > 0, JSON.stringify(first));
});

test('a code that is none does not use up the tokens of an error', async () => {
  const proxy = await startRefusingProxy(service.baseUrl, () => response => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'no', code: '`'.repeat(2000) }));
  });
  await using agent = new TestAgent(service, { baseUrl: proxy.baseUrl, limits: { call: { tokens: 100 } } });
  const text = await agent.text('sql_query', { sql: 'SELECT 1 AS one' });
  assert.ok(tokenCount(text) <= 100, text);
  assert.equal((JSON.parse(text) as Answer).code, 'service_error');
});

const scans = Array.from({ length: 400 }, () => 'SELECT id FROM customers WHERE note = 1').join(' UNION ALL ');

test('no answer of any tool has more tokens than a call may have, and each says that it is cut', async () => {
  const long = 'x'.repeat(20_000);
  await service.client.execSql(service.projectId, { sql: `CREATE TABLE "${long}"("c${long}", b)` });
  const wide = Array.from({ length: 1500 }, (_, nth) => `1 AS column_with_a_name_${nth}`).join();
  const limits = { call: { tokens: 2000 } };
  const masked = Array.from({ length: 300 }, (_, nth) => `none.column_with_a_long_name_${nth}`);
  await using masking = new TestAgent(service, { limits, project: { masked } });
  await using agent = new TestAgent(service, { limits, project: { isWritingEnabled: true } });
  for (const [tool, input] of [
    ['sql_projects', {}],
    ['sql_explain', { sql: scans }],
    ['sql_query', { sql: `SELECT ${wide} WHERE 0` }],
    ['sql_query', { sql: 'SELECT * FROM customers' }],
    ['sql_query', { sql: `SELECT "${long}"` }],
    ['sql_schema', { tokens: 100_000, tables: [long, `un${long}`] }],
    ['sql_write', { step: 'propose', sql: `UPDATE "${long}" SET b = 'y${long}' WHERE 1 OR '${long}' = ''` }],
  ] as const) {
    const text = await (tool === 'sql_projects' ? masking : agent).text(tool, input);
    const name = `${tool} ${JSON.stringify(input).slice(0, 60)}: ${text.slice(0, 300)}`;
    assert.ok(tokenCount(text) <= 2000, `${tokenCount(text)} tokens, ${name}`);
    const { code, cut, cursor } = JSON.parse(text) as Answer;
    assert.ok(code === undefined || code === 'refused_by_sqlite', name);
    assert.ok(cut ?? cursor ?? /…|\d+ more\b|more than|see the others|are missing/.test(text), name);
  }
});

test('plans count for the bytes of a call and of a session', async () => {
  await using small = new TestAgent(service, { limits: { call: { bytes: 3000 } } });
  assert.equal((await small.call('sql_explain', { sql: 'SELECT id FROM customers' })).kind, 'plan');
  assert.equal((await small.call('sql_explain', { sql: scans })).code, 'answer_too_large');
  await using short = new TestAgent(service, { limits: { session: { bytes: 500_000 } } });
  await short.call('sql_projects');
  let calls = 0;
  for (let code; code === undefined && calls < 100; calls++) {
    code = (await short.call('sql_explain', { sql: scans })).code;
  }
  assert.ok(calls > 2 && calls < 20, `${calls} calls`);
});

test('errors count for the tokens of a session', async () => {
  await using agent = new TestAgent(service, { limits: { session: { tokens: 500 } } });
  const codes = new Set<string | undefined>();
  for (let call = 0; call < 20; call++) codes.add((await agent.call('sql_query', { sql: 'SELECT missing' })).code);
  assert.deepEqual([...codes], ['refused_by_sqlite', 'session_limit']);
});

test('a session ends with its rows, and a project lowers the rows of a call', async () => {
  await using agent = new TestAgent(service, {
    limits: { session: { rows: 15 } },
    project: { limits: { call: { rows: 10 } } },
  });
  const counts = [];
  for (let call = 0; call < 2; call++) {
    counts.push((await agent.call('sql_query', { sql: 'SELECT id FROM customers', rows: 100 })).rows?.length);
  }
  assert.deepEqual(counts, [10, 5]);
  const { code, message } = await agent.call('sql_query', { sql: 'SELECT id FROM customers' });
  assert.equal(code, 'session_limit');
  assert.match(message ?? '', /15 rows/);
});

/** A statement that runs for hours. */
const endless = 'SELECT count(*) FROM order_lines AS a, order_lines AS b, order_lines AS c';

test('the time of a call stops its statement at the service', async () => {
  const clock = new HandClock();
  await using agent = new TestAgent(service, { clock, limits: { call: { seconds: 5 } } });
  const calling = agent.call('sql_query', { sql: endless });
  await waitUntil(async () => (await openCalls(service)) > 0, { what: 'the statement runs' });
  clock.advance(5000);
  const { code, message } = await calling;
  assert.equal(code, 'time_limit');
  assert.match(message ?? '', /longer than 5 seconds/);
  await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
});

test('cancelling a call stops its statement at the service', async () => {
  await using agent = new TestAgent(service);
  const cancelled = new AbortController();
  const calling = agent.call('sql_query', { sql: endless }, cancelled.signal);
  await waitUntil(async () => (await openCalls(service)) > 0, { what: 'the statement runs' });
  cancelled.abort();
  assert.equal((await calling).code, 'cancelled');
  await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
  assert.deepEqual(
    agent.log.map(({ outcome }) => outcome),
    ['cancelled'],
  );
});

test('a rate limit is waited out within the time of the call, and reported when it is longer', async () => {
  let refusals = 2;
  let retryAfter = '0';
  const proxy = await startRefusingProxy(service.baseUrl, () => {
    if (refusals-- <= 0) return undefined;
    return response => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter });
      response.end('{"message":"too many"}');
    };
  });
  await using agent = new TestAgent(service, { baseUrl: proxy.baseUrl });
  assert.deepEqual((await agent.call('sql_query', { sql: 'SELECT 1 AS one' })).rows, [[1]]);
  refusals = 1;
  retryAfter = '3600';
  const { code, message } = await agent.call('sql_query', { sql: 'SELECT 1 AS one' });
  assert.equal(code, 'rate_limited');
  assert.match(message ?? '', /wait 3600 seconds/);
});

test('more than eight calls at the same time are refused', async () => {
  await using agent = new TestAgent(service);
  const answers = await Promise.all(Array.from({ length: 9 }, () => agent.call('sql_query', { sql: 'SELECT 1' })));
  assert.equal(answers.filter(({ code }) => code === 'too_many_calls').length, 1);
});
