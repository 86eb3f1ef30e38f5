import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { hashKey, keyIdOf } from '../../../src/service/folder/keys.ts';
import { rowsInBatch } from '../../../src/service/http/callNotes.ts';
import { endlessRows } from '../../support/endlessRows.ts';
import { type RawAnswer, rawCall, RawConnection, requestBytes } from '../../support/rawHttp.ts';
import { ServiceProcess } from '../../support/serviceProcess.ts';

const lateError = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  SELECT CASE WHEN i < 4000 THEN i ELSE json('broken') END AS v FROM n`;

test('the JSON log has one line for each call, with its route, status, time, rows and bytes', async () => {
  await using service = await ServiceProcess.start('source', { options: ['--log', 'json'], keepsErrors: true });
  const { baseUrl, projectId, apiKey } = await service.project();
  const keyId = keyIdOf(hashKey(apiKey));
  const path = `/serviceSql/projects/${projectId}/sql`;
  const execute = (sql: string, headers: Record<string, string> = {}, params: unknown[] = []): Buffer =>
    requestBytes({
      path,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
      body: JSON.stringify({ sql, params }),
    });
  const answers: RawAnswer[] = [];
  const call = async (bytes: Buffer): Promise<RawAnswer> => {
    const answer = await rawCall(baseUrl, bytes);
    answers.push(answer);
    return answer;
  };
  const own = await call(execute('SELECT * FROM orders LIMIT 345', { 'x-correlation-id': '0123456789ab' }));
  assert.equal(own.headers['x-request-id'], '0123456789ab');
  const tricky = ['{"a":{', '\\', '"}{', '}'];
  const named = await call(
    execute('SELECT ? AS a, ? AS "{", ? AS c, ? AS d', { 'x-correlation-id': 'SELECT secret' }, tricky),
  );
  assert.match(named.headers['x-request-id'] ?? '', /^[\w-]+$/);
  await call(execute('UPDATE reviews SET stars = 5 WHERE id = 1'));
  await call(execute('SELECT nope'));
  await call(execute(lateError));
  await call(requestBytes({ path: '/nothing' }));
  await call(requestBytes({ path: '/healthz', headers: { host: 'evil.example' } }));
  await call(requestBytes({ path: '/healthz', headers: { origin: 'https://evil.example' } }));
  {
    await using leaving = new RawConnection(baseUrl).send(execute(endlessRows));
    await once(leaving.socket, 'data');
    leaving.socket.destroy();
  }
  await service.stop();

  const lines = (await service.errors).trimEnd().split('\n');
  const logged = lines.map(line => JSON.parse(line) as Record<string, unknown>);
  assert.ok(logged.every(({ level, message }) => level === 'info' && message === 'call'));
  const calls = answers.map(({ headers, body }) => {
    const id = headers['x-request-id'];
    const found = logged.filter(entry => entry['request_id'] === id);
    assert.equal(found.length, 1, `one line for ${id}`);
    const entry = found[0]!;
    assert.equal(entry['bytes'], Buffer.byteLength(body));
    const isProjectCall = entry['route'] === 'executeSql';
    assert.equal(entry['project_id'], isProjectCall ? projectId : undefined);
    assert.equal(entry['key_id'], isProjectCall ? keyId : undefined);
    assert.ok(Number(entry['duration_ms']) > 0 && Math.abs(Date.now() - Date.parse(String(entry['time']))) < 3_600_000);
    return [entry['route'], entry['status'], entry['code'], entry['complete']];
  });
  assert.deepEqual(calls, [
    ['executeSql', 200, undefined, true],
    ['executeSql', 200, undefined, true],
    ['executeSql', 200, undefined, true],
    ['executeSql', 400, 'sql_error', true],
    ['executeSql', 200, 'sql_error', true],
    ['none', 404, 'not_found', true],
    ['none', 403, 'forbidden', true],
    ['health', 403, 'forbidden', true],
  ]);
  const rowsOf = ({ headers }: RawAnswer): unknown =>
    logged.find(entry => entry['request_id'] === headers['x-request-id'])?.['rows'];
  assert.deepEqual(answers.slice(0, 4).map(rowsOf), [345, 1, 0, 0]);
  const arrived = (JSON.parse(answers[4]!.body) as { rows: unknown[] }).rows.length;
  assert.ok(arrived > 0);
  assert.equal(rowsOf(answers[4]!), arrived);
  const abandoned = logged.filter(entry => entry['complete'] === false);
  assert.equal(abandoned.length, 1);
  assert.equal(abandoned[0]!['route'], 'executeSql');
  assert.ok(Number(abandoned[0]!['rows']) > 0);
});

test('without the JSON log, calls are not logged and answers have no id', async () => {
  await using service = await ServiceProcess.start('source', { keepsErrors: true });
  const answer = await rawCall(service.baseUrl, requestBytes({ path: '/healthz' }));
  assert.deepEqual([answer.status, answer.headers['x-request-id']], [200, undefined]);
  await service.stop();
  assert.equal(await service.errors, '');
});

test('each opening brace outside a string counts as one row', () => {
  for (const rows of [
    [],
    [{}],
    [{ a: '{' }, { 'b"{': '\\' }, { c: '\\"{' }],
    Array.from({ length: 1000 }, (_, i) => ({ i, text: '{"'.repeat(i % 5), none: null })),
  ]) {
    const inside = JSON.stringify(rows).slice(1, -1);
    assert.equal(rowsInBatch(new TextEncoder().encode(inside)), rows.length);
  }
});
