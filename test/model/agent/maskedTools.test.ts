import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestAgent } from '../../support/agentCalls.ts';
import { startTestService } from '../../support/testService.ts';

const service = await startTestService();
const { client, projectId } = service;
const canary = 'canary-7f3a';
await client.execSql(projectId, { sql: `UPDATE customers SET email = '${canary}.' || id || '@example.com'` });
await client.execSql(projectId, { sql: 'CREATE VIEW contacts AS SELECT id, email AS contact FROM customers' });
await client.execSql(projectId, { sql: 'CREATE TABLE copies(id, text)' });

const masked = { project: { masked: ['customers.email'], isWritingEnabled: true } };

test('no tool shows a masked value', async () => {
  await using agent = new TestAgent(service, masked);
  for (const [name, input] of [
    ['sql_projects', {}],
    ['sql_schema', { search: 'customers email' }],
    ['sql_query', { sql: 'SELECT * FROM customers' }],
    ['sql_query', { sql: 'SELECT email AS e FROM customers' }],
    ['sql_query', { sql: 'SELECT * FROM contacts ORDER BY contact' }],
    ['sql_query', { sql: 'SELECT email FROM main.customers' }],
    ['sql_query', { sql: "SELECT count(*) FROM customers WHERE email LIKE 'canary-7f%'" }],
    ['sql_query', { sql: 'SELECT max(email) FROM customers' }],
    [
      'sql_query',
      { sql: 'SELECT id FROM customers JOIN (SELECT ? AS email) USING (email)', params: [`${canary}.1@example.com`] },
    ],
    ['sql_explain', { sql: 'SELECT * FROM customers WHERE email = ?' }],
    ['sql_query', { sql: 'SELECT * FROM contacts ORDER BY random() LIMIT 10' }],
    ['sql_query', { sql: 'SELECT count(email), count(DISTINCT email), min(email), max(email) FROM customers' }],
  ] as const) {
    const text = await agent.text(name, input);
    assert.doesNotMatch(text, /canary/, `${name} ${JSON.stringify(input)}: ${text.slice(0, 500)}`);
  }
  const { rows, notes } = await agent.call('sql_query', { sql: 'SELECT id, email FROM customers WHERE id = 5' });
  assert.deepEqual(rows, [[5, '‹masked›']]);
  assert.match(notes?.[0] ?? '', /Masked columns show ‹masked› in "customers"/);
  const counts = await agent.call('sql_query', { sql: "SELECT count(*) FROM customers WHERE email LIKE 'canary-7f%'" });
  assert.deepEqual(counts.rows, [[0]], 'a condition does not find a masked value');
  const schema = await agent.text('sql_schema', { tables: ['customers'] });
  assert.match(schema, /"masked":\["email"\]/);
});

test('cursors show masked values as the first page does', async () => {
  await using agent = new TestAgent(service, masked);
  const first = await agent.call('sql_query', { sql: 'SELECT email FROM customers ORDER BY id', rows: 2 });
  const second = await agent.call('sql_query', { cursor: first.cursor });
  assert.ok([...(first.rows ?? []), ...(second.rows ?? [])].every(([email]) => email === '‹masked›'));
});

test('a mask that is set during a session counts for the next call', async () => {
  await using agent = new TestAgent(service);
  const sql = 'SELECT email FROM customers WHERE id = 1';
  assert.deepEqual((await agent.call('sql_query', { sql })).rows, [[`${canary}.1@example.com`]]);
  agent.project = { ...agent.project, masked: ['*.email'] };
  assert.deepEqual((await agent.call('sql_query', { sql })).rows, [['‹masked›']]);
});

test('a mask that names no column refuses everything', async () => {
  await using agent = new TestAgent(service, { project: { masked: ['customers..email'] } });
  const { kind, rows } = await agent.call('sql_query', { sql: 'SELECT email FROM customers' });
  assert.deepEqual([kind, rows], ['error', undefined]);
});

test('no write copies a masked value, reveals it, or renames its column', async () => {
  await using agent = new TestAgent(service, masked);
  for (const sql of [
    'INSERT INTO copies SELECT id, email FROM customers',
    'INSERT INTO copies(text) SELECT contact FROM contacts',
    'INSERT INTO copies SELECT * FROM contacts',
    'INSERT INTO copies(id) SELECT id FROM customers',
    'UPDATE copies SET text = (SELECT id FROM customers LIMIT 1)',
    'UPDATE customers SET note = email',
    'UPDATE customers SET note = "EMAIL"',
    'UPDATE customers SET note = (SELECT group_concat(contact) FROM contacts)',
    "UPDATE customers SET note = 'x' WHERE email LIKE 'canary-7%'",
    "DELETE FROM copies WHERE EXISTS (SELECT 1 FROM customers WHERE email > 'c')",
    "DELETE FROM copies WHERE EXISTS (SELECT 1 FROM customers NATURAL JOIN (SELECT 'x' AS text))",
    'UPDATE customers SET name = name RETURNING *',
    'UPDATE customers SET name = name RETURNING rowid',
    "INSERT INTO customers VALUES (9999, 'a', 'b', NULL, 'c', 0, NULL, 'd')",
    "INSERT INTO customers(id, name, email, country, created_at) VALUES (1, 'a', 'b', 'c', 'd') ON CONFLICT(email) DO NOTHING",
    'ALTER TABLE customers RENAME COLUMN email TO shown',
    'ALTER TABLE customers RENAME TO people',
    'CREATE TABLE shown AS SELECT email FROM customers',
    'CREATE VIEW shown AS SELECT email AS e FROM customers',
    'CREATE TRIGGER t AFTER UPDATE ON customers BEGIN INSERT INTO copies(text) VALUES (new.email); END',
    'CREATE INDEX i ON customers(email)',
  ]) {
    const { code, message, token } = await agent.call('sql_write', { step: 'propose', sql });
    assert.deepEqual([code, token], ['masked', undefined], `${sql}: ${message}`);
  }
  await client.execSql(projectId, { sql: 'CREATE TABLE members (ssn INTEGER PRIMARY KEY, name)' });
  agent.project = { ...agent.project, masked: ['members.ssn'] };
  for (const sql of [
    'INSERT INTO copies(text) VALUES (last_insert_rowid())',
    'UPDATE copies SET text = last_insert_rowid()',
    "INSERT INTO members(_rowid_, name) VALUES (5, 'a taken key fails')",
    "UPDATE members SET oid = 5, name = 'x'",
    'INSERT INTO copies(text) SELECT rowid FROM members',
    'DELETE FROM members',
  ]) {
    const { code, message, token } = await agent.call('sql_write', { step: 'propose', sql });
    assert.deepEqual([code, token], ['masked', undefined], `${sql}: ${message}`);
    assert.match(message ?? '', /ssn|rowid|oid/, sql);
  }
  agent.project = { ...agent.project, masked: ['customers.email'] };
  const allowed = { sql: "UPDATE customers SET note = 'called' WHERE id = 3" };
  const { token } = await agent.call('sql_write', { step: 'propose', ...allowed });
  assert.equal((await agent.call('sql_write', { step: 'commit', ...allowed, token })).changedRows, 1);
});

test('a table that a trigger fills is masked as a whole, with the reason, and other tables are not', async () => {
  for (const sql of [
    'CREATE TABLE changes (id, name, at)',
    "CREATE TRIGGER note_change AFTER UPDATE ON customers BEGIN INSERT INTO changes VALUES (1, 'x', new.note); END",
    'CREATE TABLE counters (id INTEGER PRIMARY KEY, n INT)',
    'CREATE TRIGGER count_visits AFTER INSERT ON copies BEGIN UPDATE counters SET n = n + 1; END',
    'INSERT INTO counters VALUES (1, 0)',
    "INSERT INTO copies VALUES (1, 'one')",
  ])
    await client.execSql(projectId, { sql });
  await using agent = new TestAgent(service, masked);
  await client.execSql(projectId, { sql: "UPDATE customers SET note = 'called' WHERE id = 3" });
  const reason =
    /'changes' is masked as a whole: the trigger 'note_change' writes it, and reads or fires on 'customers'\. 'customers\.email' is masked\./;
  const { rows, notes } = await agent.call('sql_query', { sql: 'SELECT name, at FROM changes' });
  assert.deepEqual(rows, [['‹masked›', '‹masked›']]);
  assert.match(notes?.[0] ?? '', reason);
  for (const sql of ['SELECT rowid FROM changes', 'SELECT at FROM main.changes']) {
    const { code, message } = await agent.call('sql_query', { sql });
    assert.equal(code, 'masked');
    assert.match(message ?? '', reason);
  }
  const counters = await agent.call('sql_query', { sql: 'SELECT rowid, * FROM counters' });
  assert.deepEqual([counters.rows, counters.notes], [[[1, 1, 1]], undefined]);
  const write = { sql: "INSERT INTO copies(id, text) VALUES (2, 'two')" };
  const { token } = await agent.call('sql_write', { step: 'propose', ...write });
  assert.equal((await agent.call('sql_write', { step: 'commit', ...write, token })).changedRows, 1, 'fires a trigger');
  const named = await agent.call('sql_write', { step: 'propose', sql: "UPDATE changes SET name = 'y'" });
  assert.equal(named.code, 'masked');
});
