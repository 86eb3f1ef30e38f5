import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { API_VERSION, Client, ProjectError, VERSION } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import { rejection, reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';

test('Endpoints: executing SQL posts sql and params with the headers of the interface', async () => {
  await using server = await startScriptedServer(
    reply({ rows: [{ a: 1 }], columns: [{ name: 'a', type: 'INTEGER' }], ok: true }),
  );
  await using client = testClient(server, { apiKey: 'k1', holderId: 'h', projectName: 'проект' });
  const answer = await client.project('p 1/ü').sql('SELECT ?', [12345678901234567890n], { idempotencyKey: 'once' });
  assert.deepEqual(answer, {
    ok: true,
    rows: [{ a: 1 }],
    columns: [{ name: 'a', type: 'INTEGER' }],
    rowCount: undefined,
    replayed: false,
  });
  const [request] = server.requests;
  assert.ok(request);
  assert.equal(`${request.method} ${request.path}`, 'POST /serviceSql/projects/p%201%2F%C3%BC/sql');
  assert.equal(request.body, '{"sql":"SELECT ?","params":[12345678901234567890]}');
  const { headers } = request;
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['user-agent'], `sql-project-explorer/${VERSION} api/${API_VERSION}`);
  assert.equal(headers['x-api-key'], 'k1');
  assert.equal(headers['x-holder-id'], 'h');
  assert.equal(headers['x-idempotency-key'], 'once');
  assert.equal(Buffer.from(String(headers['x-project-name']), 'latin1').toString(), 'проект');
});

test('Authentication: headers for key, holder and project name are sent only if they are set', async () => {
  await using server = await startScriptedServer(reply({ tables: ['t'] }));
  await using client = testClient(server, { apiKey: '' });
  assert.deepEqual(await client.listTables('p'), ['t']);
  const names = Object.keys(server.requests[0]?.headers ?? {});
  assert.deepEqual(
    names.filter(name => name.startsWith('x-')),
    [],
  );
});

test('Endpoints: every other call has its method, path and decoded answer', async () => {
  const column = { cid: 0, name: 'id', type: 'INTEGER', not_null: true, default: null, primary_key: 1 };
  const cases: readonly (readonly [(client: Client) => Promise<unknown>, string, unknown, unknown])[] = [
    [
      c => c.browseRows('p', 'a/b', { limit: 2, offset: 3 }),
      'GET /x/projects/p/tables/a%2Fb/rows?limit=2&offset=3',
      { limit: 2, offset: 3, table: 'a/b', rows: [{ id: 1 }] },
      { limit: 2, offset: 3, table: 'a/b', rows: [{ id: 1 }] },
    ],
    [
      c => c.project('p').browse('t'),
      'GET /x/projects/p/tables/t/rows',
      { rows: [] },
      { limit: 0, offset: 0, table: '', rows: [] },
    ],
    [c => c.project('p').tables(), 'GET /x/projects/p/tables', { tables: ['t'] }, ['t']],
    [
      c => c.project('p').schema('t'),
      'GET /x/projects/p/tables/t/schema',
      { table: 't', columns: [column] },
      {
        table: 't',
        columns: [{ position: 0, name: 'id', type: 'INTEGER', notNull: true, defaultValue: null, primaryKey: 1 }],
      },
    ],
    [c => c.project('p').count(), 'GET /x/projects/p/tables/count', { project_id: 'p', table_count: 4 }, 4],
    [
      c => c.project('p').status(),
      'GET /x/projects/p/status',
      { project_id: 'p', is_active: true, status: 'active' },
      { projectId: 'p', isActive: true, status: 'active' },
    ],
    [c => c.project('p').commit(), 'POST /x/projects/p/commit', { committed_ops: 0 }, { committed_ops: 0 }],
    [
      c => c.listProjects(),
      'GET /x/projects',
      { projects: [{ project_id: 'p', holder_id: 'h', project_name: 'n' }] },
      [{ projectId: 'p', holderId: 'h', projectName: 'n' }],
    ],
    [
      c => c.resolveProject({ holderId: 'h', projectName: 'n' }),
      'POST /x/projects/resolve',
      { exists_meta: true, exists_chain: false, project_id: 'p', db_id: 'd', action: 'use' },
      { exists: true, existsOnChain: false, projectId: 'p', databaseId: 'd', action: 'use' },
    ],
    [
      c => c.resolveProject({ holderId: 'h', projectName: 'n' }),
      'POST /x/projects/resolve',
      { ProjectID: 'p', DBID: 'd' },
      { exists: true, existsOnChain: false, projectId: 'p', databaseId: 'd', action: '' },
    ],
    [
      c => c.resolveProject({ holderId: 'h', projectName: 'n' }),
      'POST /x/projects/resolve',
      { exists_meta: false, exists_chain: false, project_id: '', db_id: '', action: 'init' },
      { exists: false, existsOnChain: false, projectId: '', databaseId: '', action: 'init' },
    ],
    [
      c => c.initProject({ holderId: 'h', projectName: 'n', ownerAddress: 'o' }),
      'POST /x/projects/init',
      { ProjectID: 'p', DBID: 'd' },
      { projectId: 'p', databaseId: 'd' },
    ],
    [
      c => c.issueKey({ projectId: 'p', holderId: 'h', projectName: 'n', user: 'u' }),
      'POST /auth/issue',
      { apiKey: 'k', url: 'u' },
      { apiKey: 'k', url: 'u' },
    ],
    [
      c => c.issueKey({ projectId: 'p', holderId: 'h', projectName: 'n', user: 'u', scope: 'read' }),
      'POST /auth/issue',
      { apiKey: 'k', url: 'u', scope: 'read' },
      { apiKey: 'k', url: 'u', scope: 'read' },
    ],
    [
      c => c.project('p').query('SELECT 1', null, row => row['a']),
      'POST /x/projects/p/sql',
      { rows: [{ a: 1 }, { a: 2 }] },
      [1, 2],
    ],
    [
      c => c.project('p').query('SELECT 1', null, { decode: row => row['a'], retries: 0 }),
      'POST /x/projects/p/sql',
      { rows: [{ a: 1 }] },
      [1],
    ],
  ];
  for (const [call, line, body, expected] of cases) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server, { pathPrefix: '/x/' });
    assert.deepEqual(await call(client), expected);
    assert.equal(server.requests.map(({ method, path }) => `${method} ${path}`).join(), line);
  }
});

test('Endpoints: listProjects gives undefined if the service has no list, and rejects with any other refusal', async () => {
  for (const status of [404, 405]) {
    await using server = await startScriptedServer(reply({}, status));
    await using client = testClient(server);
    assert.equal(await client.listProjects(), undefined);
  }
  await using server = await startScriptedServer(reply({}, 401));
  await using client = testClient(server);
  assert.equal(codeOf(await rejection(client.listProjects())), 'service/unauthenticated');
});

test('Keys: a key that may write although one that only reads was requested is revoked', async () => {
  const issued = { apiKey: 'k', url: 'u', keyId: 'abc' };
  for (const [revoked, message] of [
    [reply({ ok: true }), /the key abc, which may write\. It is revoked\. Update the service\./],
    [reply({}, 404), /the key abc, which may write\. Revoke it, and update the service\./],
  ] as const) {
    await using server = await startScriptedServer(reply(issued), revoked);
    await using client = testClient(server);
    const request = { projectId: 'p', holderId: 'h', projectName: 'n', user: 'u', scope: 'read' } as const;
    await assert.rejects(client.issueKey(request), { code: 'scope_not_offered', message });
    assert.equal(server.requests[1]!.path, '/serviceSql/admin/keys/abc/revoke');
  }
});

test('Endpoints: an answer of another shape is a protocol error', async () => {
  const calls: ((client: Client) => Promise<unknown>)[] = [
    c => c.listTables('p'),
    c => c.listProjects(),
    c => c.browseRows('p', 't'),
    c => c.tableSchema('p', 't'),
    c => c.tableCount('p'),
    c => c.projectStatus('p'),
    c => c.commit('p'),
    c => c.resolveProject({ holderId: 'h', projectName: 'n' }),
    c => c.initProject({ holderId: 'h', projectName: 'n' }),
    c => c.issueKey({ projectId: 'p', holderId: '', projectName: '', user: '' }),
  ];
  const [, , browse] = calls;
  for (const body of ['[]', '{"tables":[1],"projects":[{}],"rows":[7],"columns":[{}]}', '"x"', 'null']) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server);
    for (const call of calls) {
      if (body.startsWith('{') && call === calls[6]) continue;
      if (call === browse) continue;
      assert.equal(
        codeOf(await rejection(call(client))),
        'protocol/unexpected_answer',
        `call ${calls.indexOf(call)} of ${body}`,
      );
    }
  }
  for (const [body, code] of [
    ['[]', 'not_an_object'],
    ['"x"', 'not_an_object'],
    ['{"rows":[7]}', 'row_not_object'],
    ['{}', 'unexpected_answer'],
    ['{"rows":null}', 'unexpected_answer'],
    ['{"rows":{}}', 'unexpected_answer'],
    ['{"rows":"none","ok":true}', 'unexpected_answer'],
    ['{"rows":3,"ok":true}', 'unexpected_answer'],
  ] as const) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server);
    assert.equal(codeOf(await rejection(browse!(client))), `protocol/${code}`, body);
  }
  for (const [body, code] of [
    ['{"tables":', 'invalid_json'],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid_utf8'],
  ] as const) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server);
    assert.equal(codeOf(await rejection(client.listTables('p'))), `protocol/${code}`);
  }
});

test('Errors: an answer with an error, or with an ok that is not true, fails every call', async () => {
  const calls: ((client: Client) => Promise<unknown>)[] = [
    c => c.execSql('p', { sql: 'DELETE FROM t' }),
    c => c.listTables('p'),
    c => c.browseRows('p', 't'),
    c => c.projectStatus('p'),
    c => c.commit('p'),
  ];
  const fields = { rows: [], tables: [], is_active: true };
  for (const refusal of [
    { ok: 0 },
    { ok: 'false', error: 'x' },
    { error: 'x' },
    { ok: true, error: {} },
    { ok: null },
  ]) {
    await using server = await startScriptedServer(reply({ ...fields, code: 'y', ...refusal }));
    await using client = testClient(server);
    for (const call of calls) assert.equal(codeOf(await rejection(call(client))), 'service/y', inspect(refusal));
  }
  for (const answer of [{ ok: true }, { error: null }, { ok: true, error: '' }, { ok: true, error: false }]) {
    await using server = await startScriptedServer(reply({ ...fields, ...answer }));
    await using client = testClient(server);
    await Promise.all(calls.map(call => call(client)));
  }
});

test('Errors: the answer of another program to a statement is a protocol error, and not a success', async () => {
  await using server = await startScriptedServer(reply({ hello: 'world' }));
  await using client = testClient(server);
  const fault = await rejection(client.execSql('p', { sql: 'INSERT INTO t VALUES (1)' }));
  assert.equal(codeOf(fault), 'protocol/not_an_sql_answer');
  assert.equal(server.requests.length, 1);
  server.answers = [reply({ ok: true, rows: { a: 1 } })];
  assert.equal(codeOf(await rejection(client.execSql('p', { sql: 'SELECT 1' }))), 'protocol/unexpected_answer');
});

test('Browse: a second key named rows is an error, whatever its value', async () => {
  for (const body of [
    '{"rows":null,"rows":[{"a":1}]}',
    '{"rows":[{"a":1}],"rows":[{"a":2}]}',
    '{"rows":[],"rows":0}',
  ]) {
    await using server = await startScriptedServer(reply(body));
    await using client = testClient(server);
    assert.equal(codeOf(await rejection(client.browseRows('p', 't'))), 'protocol/duplicate_rows', body);
  }
});

test('Browse: a page names its columns, or leaves them out', async () => {
  const named = { rows: [{ a: 1 }], columns: [{ name: 'a', type: 'INTEGER' }], limit: 5, offset: 2, table: 't' };
  await using server = await startScriptedServer(reply(named), reply({ rows: [{ a: 1 }] }));
  await using client = testClient(server);
  assert.deepEqual(await client.browseRows('p', 't'), named);
  assert.deepEqual(await client.browseRows('p', 't'), { rows: [{ a: 1 }], limit: 1, offset: 0, table: '' });
});

test('Values: integers beyond 2^53 are exact in a browsed page too, unless exactIntegers is off', async () => {
  await using server = await startScriptedServer(reply('{"rows":[{"a":9007199254740993}]}'));
  await using client = testClient(server);
  assert.deepEqual((await client.browseRows('p', 't')).rows, [{ a: 9007199254740993n }]);
  await using rounding = testClient(server, { exactIntegers: false });
  assert.deepEqual((await rounding.browseRows('p', 't')).rows, [{ a: 9007199254740992 }]);
});

test('Paths: ids and names are one encoded path segment each, and misuse if they cannot be one', async () => {
  await using server = await startScriptedServer(reply({ rows: [] }));
  await using client = testClient(server);
  for (const [name, segment] of [
    ['../x', '..%2Fx'],
    ['%2f', '%252f'],
    ['a b', 'a%20b'],
    ['naïve?#', 'na%C3%AFve%3F%23'],
    ['日本', '%E6%97%A5%E6%9C%AC'],
    ['a\\b', 'a%5Cb'],
    ['...', '...'],
  ] as const) {
    await client.browseRows(name, name);
    assert.equal(server.requests.at(-1)?.path, `/serviceSql/projects/${segment}/tables/${segment}/rows`);
  }
  const sent = server.requests.length;
  for (const name of ['', '.', '..', '\ud800']) {
    assert.equal(codeOf(await rejection(client.browseRows('p', name))), 'misuse/invalid_path');
    assert.equal(codeOf(await rejection(client.listTables(name))), 'misuse/invalid_path');
  }
  assert.equal(server.requests.length, sent);
});

test('Options: a client without an address, or with an unknown option, says what is wrong', () => {
  const AnyClient = Client as new (...options: readonly unknown[]) => Client;
  const missing = 'The option baseUrl is missing. It is the address of the service.';
  for (const [options, message] of [
    [[], missing],
    [[{}], missing],
    [[{ baseURL: 'https://h' }], 'There is no option baseURL. Did you mean baseUrl?'],
    [[{ baseUrl: 'https://h', url: '' }], /^There is no option url\. The options are baseUrl, apiKey,/],
  ] as const) {
    assert.throws(() => new AnyClient(...options), { code: 'invalid_option', message });
  }
});

test('Options: an invalid number is misuse', async () => {
  const wrong: object[] = [
    { retries: -1 },
    { retries: 1.5 },
    { headersTimeout: Number.NaN },
    { bodyTimeout: -1 },
    { maxRetryDelay: Infinity },
    { backoff: { first: -1 } },
    { pathPrefix: 'x' },
    { pathPrefix: '/a?b' },
    { apiKey: 'a\nb' },
    { maxRowBytes: 0 },
    { rowTimeout: -1 },
  ];
  for (const options of wrong) {
    assert.throws(
      () => new Client({ baseUrl: 'https://h', ...options }),
      (thrown: unknown) => thrown instanceof ProjectError && thrown.kind === 'misuse',
      inspect(options),
    );
  }
  await using server = await startScriptedServer(reply({ tables: [] }));
  await using client = testClient(server);
  for (const options of [{ retries: -1 }, { timeout: -5 }, { headers: { 'a b': 'c' } }, { headers: { a: 'b\nc' } }]) {
    const fault = await rejection(client.listTables('p', options));
    assert.ok(fault instanceof ProjectError && fault.kind === 'misuse', inspect(fault));
  }
  assert.equal(
    codeOf(await rejection(client.execSql('p', { sql: '' }, { idempotencyKey: '' }))),
    'misuse/invalid_header',
  );
  assert.equal(server.requests.length, 0);
});

test('Parameters: what cannot be bound is a misuse, and nothing is sent', async () => {
  await using server = await startScriptedServer(reply({ rows: [], ok: true }));
  await using client = testClient(server);
  const date = { sql: 'SELECT ?', params: [new Date(0) as unknown as string] };
  assert.equal(codeOf(await rejection(client.execSql('p', date))), 'misuse/invalid_parameter');
  assert.equal(codeOf(await rejection(client.execSqlStream('p', date))), 'misuse/invalid_parameter');
  const number = { sql: 5 as unknown as string };
  assert.equal(codeOf(await rejection(client.execSql('p', number))), 'misuse/invalid_statement');
  assert.equal(server.requests.length, 0);
});
