import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Registry } from '../../../src/service/folder/registry.ts';
import { changeDatabase } from '../../support/changeDatabase.ts';
import { HandClock } from '../../support/handClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const registryFile = (): string => join(temporaryFolder(), 'registry.sqlite');

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

test('a registry of another version is left alone', () => {
  const file = registryFile();
  for (const version of [1, 99]) {
    new Registry(file).close();
    changeDatabase(file, `PRAGMA user_version = ${version}`);
    assert.throws(() => new Registry(file), /Another version of this program has made the data folder/);
    rmSync(file);
  }
});

test('a key expires by the clock, and a key without an expiry never does', context => {
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  const registry = new Registry(registryFile(), clock);
  context.after(() => registry.close());
  registry.addProject({ projectId: 'p', holderId: 'h', projectName: 'n' });
  const { apiKey: lasting } = registry.issueKey('p', 'lasting', 'full');
  const { apiKey: short } = registry.issueKey('p', 'short', 'read', 60);
  assert.deepEqual(
    registry.keys('p').map(key => key.expiresAt),
    [undefined, '2026-01-01T00:01:00Z'],
  );
  clock.advance(59_999);
  assert.ok(registry.ownerOf(short));
  clock.advance(1);
  assert.equal(registry.ownerOf(short), undefined);
  assert.ok(registry.ownerOf(lasting));
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
