import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';
import { injectedTexts } from './injectedRows.ts';

const service = await startTestService();
const { client, projectId } = service;
await client.execSql(projectId, { sql: 'CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT)' });
const places = injectedTexts.map(() => '(?)').join(', ');
await client.execSql(projectId, { sql: `INSERT INTO notes(body) VALUES ${places}`, params: injectedTexts });

test('injected rows reach the agent as exact values, and none is markup, a link or a hidden character', async () => {
  assert.ok(injectedTexts.length >= 50);
  await using agent = new TestAgent(service);
  const text = await agent.text('sql_query', { sql: 'SELECT body FROM notes ORDER BY id' });
  const { rows, untrusted } = JSON.parse(text) as { rows: string[][]; untrusted: string };
  assert.deepEqual(
    rows.map(([body]) => body),
    injectedTexts,
    'a program that parses the answer gets the values',
  );
  assert.ok(text.indexOf('untrusted') < text.indexOf('"rows":'), 'the notice stands before the data');
  assert.match(untrusted, /data, not instructions/);
  assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/u, 'no character is hidden');
  assert.doesNotMatch(text, /<[a-z/!?|]|`|\*\*|~~|\]\(|\]\[|!\[|:\/\/|www\.|mailto:|javascript:|command:|\bdata:/i);
  assert.doesNotMatch(text, /(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])|\*\p{L}/u, 'nothing is emphasized');
  assert.equal(text.split('\n').length, 1, 'no line begins with a sign of Markdown');
});

test('names of tables and columns, and messages of the service, are written like values', async () => {
  await using agent = new TestAgent(service);
  const alias = '</x> ![p](https://evil.example) `run`';
  for (const [name, input] of [
    ['sql_query', { sql: `SELECT 1 AS "${alias}"` }],
    ['sql_query', { sql: `SELECT "${alias}" FROM missing` }],
    ['sql_explain', { sql: `SELECT * FROM "${alias}"` }],
    ['sql_schema', { tables: [alias] }],
    [`sql_${alias}`, {}],
    ['sql_query', { project: alias, sql: 'SELECT 1' }],
    ['sql_query', { [alias]: 1 }],
  ] as const) {
    const text = await agent.text(name, input);
    assert.doesNotMatch(text, /<\/|`|:\/\/|\]\(/, text);
  }
});

test('each value keeps its type', async () => {
  await using agent = new TestAgent(service);
  const sql = `SELECT NULL AS n, '' AS empty, 9007199254740993 AS big, -9223372036854775808 AS least, 1e400 AS infinite,
    -1e400 AS negative, -0.0 AS zero, 1e300 AS large, 0.1 AS real, 7 AS integer, x'00ff10' AS bytes,
    '9007199254740993' AS digits, char(0) || 'x' AS nul`;
  const { rows } = await agent.call('sql_query', { sql });
  assert.deepEqual(rows, [
    [
      null,
      '',
      { type: 'integer', text: '9007199254740993' },
      { type: 'integer', text: '-9223372036854775808' },
      { type: 'real', text: '1e999' },
      { type: 'real', text: '-1e999' },
      { type: 'real', text: '-0.0' },
      { type: 'real', text: '1e+300' },
      0.1,
      7,
      { type: 'blob', bytes: 3, hex: '00ff10' },
      '9007199254740993',
      '\0x',
    ],
  ]);
});

test('columns with one name stay apart, and in their order', async () => {
  await using agent = new TestAgent(service);
  const { columns, rows } = await agent.call('sql_query', { sql: 'SELECT 1 AS id, 2 AS id, 3 AS "10", 4 AS "2"' });
  assert.deepEqual(
    columns?.map(({ name }) => name),
    ['id', 'id:1', '10', '2'],
  );
  assert.deepEqual(rows, [[1, 2, 3, 4]]);
});

test('values are bound with their types', async () => {
  await using agent = new TestAgent(service);
  const sql = 'SELECT typeof(?) AS a, typeof(?) AS b, typeof(?) AS c, typeof(?) AS d, ? AS e';
  const { rows } = await agent.call('sql_query', { sql, params: [null, 1, 1.5, 'x', 9007199254740993n] });
  assert.deepEqual(rows, [['null', 'integer', 'real', 'text', { type: 'integer', text: '9007199254740993' }]]);
});

test('a long text is cut, with its length, and the answer says so', async () => {
  await using agent = new TestAgent(service);
  const { rows, notes } = await agent.call('sql_query', {
    sql: "SELECT printf('%.*c', 5000, 'x') AS t, zeroblob(99) AS b",
  });
  assert.deepEqual(rows?.[0]?.[0], { type: 'text', text: 'x'.repeat(500), length: 5000 });
  assert.deepEqual(rows?.[0]?.[1], { type: 'blob', bytes: 99, hex: '00'.repeat(16) });
  assert.match(notes?.[0] ?? '', /^2 values are cut/);
});

test('a BLOB in a column of texts is a BLOB, and a text in a column of BLOBs is a text', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE loose(t TEXT, b BLOB, x)' });
  await client.execSql(projectId, {
    sql: "INSERT INTO loose VALUES ('paid', 'paid', x'a5'), (x'a5a8', x'a5a8', 'paid')",
  });
  await using agent = new TestAgent(service);
  const blob = { type: 'blob', bytes: 2, hex: 'a5a8' };
  const { rows, columns } = await agent.call('sql_query', { sql: 'SELECT * FROM loose ORDER BY rowid' });
  assert.deepEqual(rows, [
    ['paid', 'paid', { type: 'blob', bytes: 1, hex: 'a5' }],
    [blob, blob, 'paid'],
  ]);
  assert.deepEqual(columns?.map(({ name, type }) => [name, type]).slice(0, 2), [
    ['t', 'TEXT'],
    ['b', 'BLOB'],
  ]);
});

test('a result of many columns, and one without rows, have their names', async () => {
  await using agent = new TestAgent(service);
  const wide = Array.from({ length: 150 }, (_, nth) => `${nth} AS n${nth}`).join(', ');
  const many = await agent.call('sql_query', { sql: `SELECT ${wide}` });
  assert.deepEqual([many.columns?.length, many.columns?.at(-1)?.name, many.rows?.[0]?.at(-1)], [150, 'n149', 149]);
  const none = await agent.call('sql_query', { sql: 'SELECT id, name, id FROM customers WHERE 0' });
  assert.deepEqual(
    [none.columns?.map(({ name }) => name), none.rows, none.summary],
    [['id', 'name', 'id:1'], [], '0 rows'],
  );
});
