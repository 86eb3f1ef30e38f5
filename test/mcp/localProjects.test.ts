import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentLocalProjects } from '../../src/mcp/localProjects.ts';
import { defaultAgentLimits } from '../../src/model/agent/limits.ts';
import { HandClock } from '../support/handClock.ts';
import { startTestService } from '../support/testService.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const hourMs = 3_600_000;
const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
const service = await startTestService({ clock });

interface ListedKey {
  readonly issued_to: string;
  readonly issued_at: string;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  readonly scope: string;
}

async function agentKeys(): Promise<ListedKey[]> {
  const headers = { 'x-api-key': service.adminKey };
  const answer = await fetch(`${service.baseUrl}/serviceSql/admin/keys`, { headers });
  const { keys } = (await answer.json()) as { keys: ListedKey[] };
  return keys
    .filter(key => key.issued_to === 'agent')
    .toSorted((one, other) => ((one.expires_at ?? '') < (other.expires_at ?? '') ? -1 : 1));
}

test('the key of a server for agents expires, and a server that runs on renews it before', async () => {
  const limits = defaultAgentLimits.call;
  const options = { folder: service.folder, names: [], isWritingEnabled: false, masked: [], limits, clock };
  await using agents = new AgentLocalProjects(options);
  const open = async () => (await agents.list())[0]!.open('read');
  const first = await open();
  clock.advance(11 * hourMs);
  await (await open()).sql('SELECT 1');
  assert.deepEqual(
    (await agentKeys()).map(key => [key.scope, key.revoked_at, key.expires_at]),
    [['read', null, '2026-01-02T00:00:00Z']],
  );

  clock.advance(2 * hourMs);
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  const rows = await first.stream(many, [], { isReadOnly: true });
  const renewed = await Promise.all([open(), open()]);
  for (const project of renewed) await project.sql('SELECT 1');
  assert.ok(await rows.next({}), 'a call goes on with the key that it began with');
  assert.deepEqual(
    (await agentKeys()).map(key => [key.revoked_at, key.expires_at]),
    [
      [null, '2026-01-02T00:00:00Z'],
      [null, '2026-01-02T13:00:00Z'],
    ],
  );
  await rows.close();
  await waitUntil(async () => (await agentKeys())[0]?.revoked_at, { what: 'the old key is revoked' });

  clock.advance(25 * hourMs);
  await assert.rejects(renewed[0].sql('SELECT 1'), { status: 401, code: 'unauthenticated' }, 'the key has expired');
  await (await open()).sql('SELECT 1');
});
