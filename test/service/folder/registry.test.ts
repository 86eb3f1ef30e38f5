import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { hashKey, keyIdOf } from '../../../src/service/folder/keys.ts';
import { Registry } from '../../../src/service/folder/registry.ts';
import { changeDatabase } from '../../support/changeDatabase.ts';
import { HandClock } from '../../support/handClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const registryFile = (): string => join(temporaryFolder(), 'registry.sqlite');

test('a registry of version 1 is migrated with its projects and keys', () => {
  const file = registryFile();
  const old = new DatabaseSync(file);
  old.exec(`
    CREATE TABLE projects (
      project_id TEXT PRIMARY KEY, holder_id TEXT NOT NULL, project_name TEXT NOT NULL, UNIQUE (holder_id, project_name)
    ) STRICT;
    CREATE TABLE keys (
      hash BLOB PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects, issued_to TEXT NOT NULL, issued_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value ANY) STRICT;
    INSERT INTO projects VALUES ('p', 'h', 'n');
    INSERT INTO facts VALUES ('port', 4711);
    PRAGMA user_version = 1;`);
  old.prepare('INSERT INTO keys VALUES (?, ?, ?, ?)').run(hashKey('sqlp_old'), 'p', 'ann', '2026-01-01 00:00:00');
  old.close();
  for (let start = 0; start < 2; start++) {
    const registry = new Registry(file);
    assert.equal(registry.ownerOf('sqlp_old')?.project.projectName, 'n');
    assert.equal(registry.ownerOf('sqlp_old')?.scope, 'full');
    assert.equal(registry.lastPort(), 4711);
    registry.close();
  }
  const registry = new Registry(file);
  registry.revokeKey(keyIdOf(hashKey('sqlp_old')));
  assert.equal(registry.ownerOf('sqlp_old'), undefined);
  registry.close();
});

test('a key of a version without scopes is full, and new keys have their own scope', context => {
  const file = registryFile();
  const registry = new Registry(file);
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  registry.issueKey('p', 'old', 'full');
  registry.close();
  const older = new DatabaseSync(file);
  for (const column of ['scope', 'expires_at', 'last_used_at']) older.exec(`ALTER TABLE keys DROP COLUMN ${column}`);
  older.exec('PRAGMA user_version = 2');
  older.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, NULL)').run(hashKey('sqlp_v2'), 'p', 'v2', '2026-01-01');
  older.close();
  const migrated = new Registry(file);
  context.after(() => migrated.close());
  assert.equal(migrated.ownerOf('sqlp_v2')?.scope, 'full');
  const { apiKey } = migrated.issueKey('p', 'agent', 'read');
  assert.equal(migrated.ownerOf(apiKey)?.scope, 'read');
  const scopes = new Map(migrated.keys('p').map(key => [key.issuedTo, key.scope]));
  assert.deepEqual([scopes.get('old'), scopes.get('v2'), scopes.get('agent')], ['full', 'full', 'read']);
});

test('a key whose scope is unknown opens nothing, and says why', context => {
  const file = registryFile();
  const registry = new Registry(file);
  context.after(() => registry.close());
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  const { apiKey, keyId } = registry.issueKey('p', '', 'read');
  const database = new DatabaseSync(file);
  context.after(() => database.close());
  for (const scope of ['write', '', 'READ']) {
    database.prepare('UPDATE keys SET scope = ?').run(scope);
    assert.throws(() => registry.ownerOf(apiKey), {
      status: 403,
      code: 'forbidden',
      message: /has a scope that this version of the service does not know/,
    });
    assert.equal(registry.keys('p')[0]?.scope, scope);
  }
  assert.equal(registry.revokeKey(keyId)?.keyId, keyId);
  assert.equal(registry.ownerOf(apiKey), undefined);
});

test('a registry of a newer version is left alone', () => {
  const file = registryFile();
  new Registry(file).close();
  changeDatabase(file, 'PRAGMA user_version = 99');
  assert.throws(() => new Registry(file), /newer version of this program has changed the data folder/);
});

test('a key expires by the clock, and those of a version without expiry never do', context => {
  const file = registryFile();
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  const registry = new Registry(file, clock);
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  const { apiKey: lasting } = registry.issueKey('p', 'lasting', 'full');
  registry.close();
  changeDatabase(
    file,
    'ALTER TABLE keys DROP COLUMN expires_at; ALTER TABLE keys DROP COLUMN last_used_at; PRAGMA user_version = 3',
  );
  const migrated = new Registry(file, clock);
  context.after(() => migrated.close());
  const { apiKey: short } = migrated.issueKey('p', 'short', 'read', 60);
  assert.deepEqual(
    migrated.keys('p').map(key => key.expiresAt),
    [undefined, '2026-01-01T00:01:00Z'],
  );
  clock.advance(59_999);
  assert.ok(migrated.ownerOf(short));
  clock.advance(1);
  assert.equal(migrated.ownerOf(short), undefined);
  assert.ok(migrated.ownerOf(lasting));
});

test('a key knows the hour of its last use', context => {
  const clock = new HandClock(Date.parse('2026-01-01T10:20:00Z'));
  const registry = new Registry(registryFile(), clock);
  context.after(() => registry.close());
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  const { apiKey } = registry.issueKey('p', 'agent', 'read');
  const lastUse = () => registry.keys('p')[0]?.lastUsedAt;
  assert.equal(lastUse(), undefined);
  registry.ownerOf(apiKey);
  assert.equal(lastUse(), '2026-01-01T10:00:00Z');
  clock.advance(3_600_000);
  registry.ownerOf('sqlp_other');
  assert.equal(lastUse(), '2026-01-01T10:00:00Z');
  registry.ownerOf(apiKey);
  assert.equal(lastUse(), '2026-01-01T11:00:00Z');
});

test('a part of a key id revokes nothing, nor does a pattern', () => {
  const registry = new Registry(registryFile());
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  const { keyId, apiKey } = registry.issueKey('p', '', 'full');
  for (const wrong of [keyId.slice(0, 6), keyId.toUpperCase().replace(/\d/g, 'X'), '%', '', apiKey]) {
    assert.equal(registry.revokeKey(wrong), undefined);
  }
  assert.ok(registry.ownerOf(apiKey));
  registry.close();
});
