import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultAgentLimits } from '../../../src/model/agent/limits.ts';
import type { LocalProjects } from '../../../src/host/local/localProjects.ts';
import type { Projects } from '../../../src/host/connections/projects.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { cli, McpProcess } from '../../support/mcpProcess.ts';
import { HistoryStore } from '../../../src/model/history/historyStore.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { workspace } = await import('vscode');
const { mcpServers, serverArguments } = await import('../../../src/host/agents/mcpServers.ts');

const service = await startTestService();
const { baseUrl, projectId, folder, adminKey, apiKey } = service;
const history = temporaryFolder();
const fields = { baseUrl, projectId };
const local = makeProfile({ ...fields, name: 'Mine', source: 'local' });
const remote = makeProfile({ ...fields, baseUrl: 'https://sql.example.com', source: 'settings', scope: 'user' });

function serversFor(profiles: readonly (typeof local)[]) {
  const started: string[] = [];
  const projects = { list: () => Promise.resolve({ profiles, problems: [], localFault: undefined }) };
  const ensureRunning = async (_folder: string, profile: typeof local) => {
    started.push(profile.name);
    return Promise.resolve({ profile });
  };
  const servers = mcpServers({
    projects: projects as unknown as Projects,
    local: () => Promise.resolve({ dataFolder: () => folder, ensureRunning } as unknown as LocalProjects),
    script: cli,
    history,
  });
  return { servers, started };
}

test('each project of the local service has a server, and no key is in how it is started', async () => {
  const { servers, started } = serversFor([local, remote]);
  const [server, ...others] = await servers.list();
  assert.ok(server);
  assert.deepEqual(others, []);
  assert.equal(server.label, 'SQL: Mine');
  assert.equal(server.command, process.execPath);
  for (const key of [adminKey, apiKey]) assert.ok(!JSON.stringify(server).includes(key));
  assert.deepEqual(started, []);
  assert.equal(await servers.prepare(server), server);
  assert.deepEqual(started, ['Mine'], 'the service runs before its server starts');
});

const inspectHidden = (name: string) => (name.endsWith('hidden') ? { workspaceValue: ['Mine'] } : undefined);

test('a project that the settings hide has no server, and one that VS Code knows from before does not start', async () => {
  const { servers, started } = serversFor([local]);
  const [server] = await servers.list();
  const { getConfiguration } = workspace;
  Object.assign(workspace, { getConfiguration: () => ({ ...getConfiguration(), inspect: inspectHidden }) });
  assert.deepEqual(await servers.list(), []);
  assert.equal(await servers.prepare(server!), undefined);
  assert.deepEqual(started, []);
  Object.assign(workspace, { getConfiguration });
});

test("a project's own lower limits reach its server, and another version of it starts when they change", async () => {
  const { servers } = serversFor([{ ...local, maxRows: 2, maxBytesMb: 1 }]);
  const [server] = await servers.list();
  const [unlimited] = await serversFor([local]).servers.list();
  assert.ok(server && server.version !== unlimited?.version);
  const [, , ...args] = server.args;
  await using started = new McpProcess({ args });
  const answer = await started.call('sql_query', { sql: 'SELECT id FROM customers ORDER BY id' });
  assert.deepEqual(answer['rows'], [[1], [2]]);
  const large = await started.call('sql_query', { sql: "SELECT printf('%.*c', 1500000, 'x') AS x" });
  assert.equal(large['code'], 'row_too_large');
});

test('the limits of a session reach the server', async () => {
  const limits = { ...defaultAgentLimits, session: { ...defaultAgentLimits.session, bytes: 1 } };
  const [, ...args] = serverArguments(projectId, { folder, masked: [], limits, history: undefined });
  await using server = new McpProcess({ args });
  await server.call('sql_query', { sql: 'SELECT 1' });
  assert.equal((await server.call('sql_query', { sql: 'SELECT 1' }))['code'], 'session_limit');
});

const inspect = (name: string) => (name.endsWith('masked') ? { globalValue: ['a.b'] } : undefined);

test('the version of a server changes with the masks, so that VS Code starts it anew', async () => {
  const { servers } = serversFor([local]);
  const [before] = await servers.list();
  Object.assign(workspace, { getConfiguration: () => ({ inspect, get: (_: string, fallback: unknown) => fallback }) });
  const [after] = await servers.list();
  assert.notEqual(before?.version, after?.version);
});

test('the server that the arguments start reads within masks and limits, and offers no writes', async () => {
  const { call, session } = defaultAgentLimits;
  const limits = { call: { ...call, rows: 3, seconds: 12.5 }, session };
  const [command, ...args] = serverArguments(projectId, {
    folder,
    masked: ['customers.email', '-x.y'],
    limits,
    history,
  });
  assert.equal(command, 'mcp');
  await using server = new McpProcess({ args });
  const answer = await server.call('sql_query', { sql: 'SELECT id, email FROM customers ORDER BY id' });
  assert.deepEqual(answer['rows'], [
    [1, '‹masked›'],
    [2, '‹masked›'],
    [3, '‹masked›'],
  ]);
  const store = new HistoryStore(history);
  const newest = () => store.page({ count: 1 }).find(({ sql }) => sql.includes('email'));
  await waitUntil(async () => newest() !== undefined, { what: 'the call is not in the history' });
  const entry = newest();
  store.close();
  assert.deepEqual(
    [entry?.kind, entry?.profileId, entry?.sql, entry?.rowCount],
    ['agent', `local ${projectId}`, 'SELECT id, email FROM customers ORDER BY id', 3],
  );
  const listed = await server.request({ id: 2, method: 'tools/list' });
  assert.doesNotMatch(JSON.stringify(listed.result), /sql_write/);
});
