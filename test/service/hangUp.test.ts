import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { RawConnection, requestBytes } from '../support/rawHttp.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import { startTestService } from '../support/testService.ts';

const { logger, logged } = recordingLogger();
const { baseUrl, client, projectId, apiKey } = await startTestService({ logger });

const countForever = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

function begin(sql: string): RawConnection {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const request = { path: `/serviceSql/projects/${projectId}/sql`, headers, body: JSON.stringify({ sql }) };
  return new RawConnection(baseUrl).send(requestBytes(request));
}

for (const [name, sql] of [
  ['finds no more rows', `${countForever} SELECT i FROM n WHERE i < 2`],
  ['sends rows', `${countForever} SELECT i FROM n`],
] as const) {
  test(`an endless statement that ${name} is stopped when its client hangs up`, async () => {
    await using connection = begin(sql);
    await once(connection.socket, 'data');
    connection.socket.destroy();
    const written = await client.execSql(projectId, { sql: 'UPDATE reviews SET stars = 5 WHERE id = 1' });
    assert.equal(written.rowCount, 1);
  });
}

test('clients that hang up are not logged', () => assert.deepEqual(logged, []));
