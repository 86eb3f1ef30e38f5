/** The server on its standard input and output, line by line: input that no honest client sends, and how it ends. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { builtCli, McpProcess } from '../support/mcpProcess.ts';
import { openCalls } from '../support/openCalls.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { startTestService } from '../support/testService.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const service = await startTestService();
const args = ['--data', service.folder];

test('lines that are not requests are refused, and the server continues', async () => {
  await using server = new McpProcess({ args });
  for (const [line, code] of [
    ['{', -32_700],
    ['not json', -32_700],
    ['[]', -32_600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
    ['null', -32_600],
    ['{"id":1,"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32_601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32_602],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(5_000_000)}"}}`, -32_600],
    ['['.repeat(200_000), -32_700],
    ['\uFFFE\u0000', -32_700],
  ] as const) {
    server.write(`${line}\n`);
    const { error } = await server.next();
    assert.equal(error?.code, code, line.slice(0, 80));
  }
  server.child.stdin!.write(Buffer.from([0xff, 0xfe, 0x0a]));
  assert.equal((await server.next()).error?.code, -32_600);
  server.write('\n\r\n');
  server.send({ method: 'notifications/nothing' });
  server.send({ method: 'notifications/cancelled', params: { requestId: 99 } });
  server.send({ id: 5, result: {} });
  assert.deepEqual(await server.request({ id: 'last', method: 'ping' }), { jsonrpc: '2.0', id: 'last', result: {} });
});

test('the server speaks the revision that the client requests, or its newest one', async () => {
  await using server = new McpProcess({ args });
  for (const [requestedVersion, answeredVersion] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const params = { protocolVersion: requestedVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { result } = await server.request({ id: 1, method: 'initialize', params });
    assert.equal(result?.['protocolVersion'], answeredVersion);
  }
});

test('bad input of a tool is an answer with a code', async () => {
  await using server = new McpProcess({ args });
  for (const [name, input] of [
    ['sql_query', {}],
    ['sql_query', { sql: 1 }],
    ['sql_query', { sql: 'SELECT 1', rows: -1 }],
    ['sql_query', { sql: 'SELECT ?', params: [{}] }],
    ['sql_query', { sql: 'SELECT ?', params: [[1]] }],
    ['sql_query', { sql: 'SELECT 1', extra: true }],
    ['sql_query', { sql: 'x'.repeat(300_000) }],
    ['sql_schema', { tables: 'customers' }],
    ['sql_query', []],
  ] as const) {
    assert.equal((await server.call(name, input))['code'], 'bad_input', JSON.stringify(input).slice(0, 80));
  }
  assert.equal((await server.call('drop_all', {}))['code'], 'unknown_tool');
  assert.equal((await server.call('sql_query', { sql: 'SELECT 1', project: 'x' }))['code'], 'unknown_project');
});

test('a project that an option hides is none of the projects', async () => {
  for (const name of [service.projectId, 'Sample Shop']) {
    await using server = new McpProcess({ args: [...args, '--hide', name] });
    assert.deepEqual((await server.call('sql_projects', {}))['projects'], []);
    assert.match(String((await server.call('sql_query', { sql: 'SELECT 1' }))['message']), /there are none/);
  }
});

test('values of a call are exact: integers of 64 bits, and numbers with a point', async () => {
  await using server = new McpProcess({ args });
  server.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sql_query","arguments":{"sql":"SELECT ? AS a, typeof(?) AS b, ? AS c","params":[9007199254740993,5.0,-0.0]}}}\n`,
  );
  const { result } = await server.next();
  const { rows } = JSON.parse(result?.content?.[0]?.text ?? '{}') as { rows: unknown[][] };
  assert.deepEqual(rows, [[{ type: 'integer', text: '9007199254740993' }, 'real', { type: 'real', text: '-0.0' }]]);
});

test('the shipped command judges and answers statements', async () => {
  await using server = new McpProcess({ args: [...args, '--mask', 'customers.email'], entry: builtCli });
  const { rows } = await server.call('sql_query', { sql: 'SELECT id, email FROM customers WHERE id = 1' });
  assert.deepEqual(rows, [[1, '‹masked›']]);
  assert.equal((await server.call('sql_query', { sql: 'DELETE FROM customers' }))['code'], 'not_a_read');
  assert.equal((await server.call('sql_schema', { tables: ['orders'] }))['kind'], 'schema');
});

const endless = 'SELECT count(*) FROM order_lines AS a, order_lines AS b, order_lines AS c';

for (const [name, end] of [
  ['the end of the input', (server: McpProcess) => server.child.stdin!.end()],
  ['SIGTERM', (server: McpProcess) => server.child.kill('SIGTERM')],
  ['a client that no longer reads', (server: McpProcess) => server.child.stdout!.destroy()],
] as const) {
  test(`${name} ends the process and its statements`, async () => {
    await using server = new McpProcess({ args });
    await server.call('sql_query', { sql: 'SELECT 1' });
    server.send({ id: 2, method: 'tools/call', params: { name: 'sql_query', arguments: { sql: endless } } });
    await waitUntil(async () => (await openCalls(service)) > 0, { what: 'the statement runs' });
    end(server);
    // A closed pipe shows with the next answer.
    if (name.includes('reads')) server.send({ id: 3, method: 'ping' });
    assert.deepEqual(await server.exited, [0, null], server.notes);
    await waitUntil(async () => (await openCalls(service)) === 0, { what: 'the statement is stopped' });
  });
}

test('a long call reports its progress if the client wants it, and nothing else goes to the output', async () => {
  await using server = new McpProcess({ args });
  const params = { name: 'sql_query', arguments: { sql: endless }, _meta: { progressToken: 'p' } };
  server.send({ id: 1, method: 'tools/call', params });
  const { method } = await server.next();
  assert.equal(method, 'notifications/progress');
  server.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  server.send({ id: 2, method: 'ping' });
  while ((await server.next()).id !== 2);
  for (const line of server.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0');
});

test('a project at an address takes its key from an inherited pipe, and shows it nowhere', async () => {
  const url = `${service.baseUrl}/serviceSql/projects/${service.projectId}`;
  await using server = new McpProcess({
    args: ['--project', `remote=${url}`, '--key-fd', '3'],
    key: `${service.apiKey}\n`,
  });
  const { rows } = await server.call('sql_query', { sql: 'SELECT count(*) AS n FROM customers', project: 'remote' });
  assert.deepEqual(rows, [[2000]]);
  const { pid } = server.child;
  for (const file of ['cmdline', 'environ'])
    assert.ok(!readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(service.apiKey));
  assert.ok(!server.notes.includes(service.apiKey) && !server.lines.join('').includes(service.apiKey));
});

/** The answer of a call to a server with these options. */
async function withArgs(options: readonly string[], key?: string): Promise<Record<string, unknown>> {
  await using server = new McpProcess({ args: options, ...(key !== undefined && { key }) });
  return await server.call('sql_query', { sql: 'SELECT 1' });
}

test('a key that is missing, refused or for nothing is reported with what to do', async () => {
  const url = `${service.baseUrl}/serviceSql/projects/${service.projectId}`;
  assert.equal((await withArgs(['--project', url, '--key-fd', '3'], ''))['code'], 'no_key');
  assert.equal((await withArgs(['--project', url, '--key-fd', '3'], 'wrong'))['code'], 'unauthenticated');
  assert.equal((await withArgs(['--data', import.meta.dirname]))['code'], 'local_service_not_running');
});

test('wrong options end the process with their reason', async () => {
  for (const [options, reason] of [
    [[], /Name a project/],
    [['--data', 'x', '--max-rows', 'many'], /--max-rows must be a whole number from 1 on/],
    [['--data', 'x', '--key-fd', '0'], /--key-fd must be a whole number from 3 on/],
    [['--data', 'x', '--api-key', 'y'], /There is no option --api-key\./],
    [['--project', 'https://h/serviceSql/projects/p'], /Each address of a project needs its own --key-fd/],
    [['--project', 'https://sql.example.com', '--key-fd', '0'], /--key-fd must be a whole number/],
    [['--project', 'https://sql.example.com'], /The address of a project ends with \/projects\/ID/],
    [['--project', 'shop'], /The project "shop" has no address\. Name the folder of its service with --data\./],
    [[...args, '--project', 'nothing'], /The local service has no project "nothing"\./],
  ] as const) {
    await using server = new McpProcess({ args: options });
    const [code] = await server.exited;
    assert.ok(code === 1 || code === 2, server.notes);
    assert.match(server.notes, reason);
  }
});

test('calls continue when the local service starts again, at another address', async () => {
  const folder = temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const first = stack.use(await ServiceProcess.start('source', { folder }));
  const server = stack.use(new McpProcess({ args: ['--data', folder] }));
  const ask = { sql: 'SELECT count(*) AS n FROM customers' };
  assert.deepEqual((await server.call('sql_query', ask))['rows'], [[2000]]);
  await first[Symbol.asyncDispose]();
  assert.equal((await server.call('sql_query', ask))['code'], 'local_service_not_running');
  stack.use(await ServiceProcess.start('source', { folder }));
  assert.deepEqual((await server.call('sql_query', ask))['rows'], [[2000]]);
});
