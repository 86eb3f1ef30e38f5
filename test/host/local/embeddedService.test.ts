import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { toDisposable } from '../../../src/base/disposable.ts';
import { Clients } from '../../../src/host/connections/clients.ts';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { LocalServiceKeys } from '../../../src/host/connections/localServiceKeys.ts';
import { EmbeddedService } from '../../../src/host/local/embeddedService.ts';
import type { Profile } from '../../../src/model/profiles.ts';
import { processesOf } from '../../support/processesOf.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';
import { windowsFolder, type WindowsFolder } from '../../support/windowsFolder.ts';

/** A window as far as the local service concerns it. The windows of one user share the keys and the folder. */
function openWindow({ folder, script, owned }: WindowsFolder, secrets = secretStorage()) {
  const keys = new KeyStore(secrets, { clock: new HandClock() });
  const serviceKeys = new LocalServiceKeys(keys);
  const embedded = new EmbeddedService({ folder, script, serviceKeys, keys });
  const clients = new Clients({
    keys,
    ensureRunning: async profile => (await embedded.ensureRunning(profile)) ?? { profile },
    askForReuse: async () => undefined,
  });
  const close = (): void => {
    clients.dispose();
    embedded.dispose();
  };
  owned.add(toDisposable(close));
  const countCustomers = async (profile: Profile): Promise<unknown> => {
    const client = await clients.for(profile);
    return (await client.execSql(profile.projectId, { sql: 'SELECT count(*) AS n FROM customers' })).rows[0]?.['n'];
  };
  return { secrets, keys, serviceKeys, embedded, close, countCustomers };
}

/** How many keys of its projects the service accepts. */
function openKeys({ dataFolder }: WindowsFolder): unknown {
  using registry = new DatabaseSync(join(dataFolder, 'registry.sqlite'), { readOnly: true });
  return registry.prepare('SELECT count(*) AS n FROM keys WHERE revoked_at IS NULL').get()?.['n'];
}

test('before the first use the service has no projects, and listing them does not start it', async context => {
  const shared = await windowsFolder(context);
  const { embedded } = openWindow(shared);
  assert.deepEqual(await embedded.listedProjects(), []);
  assert.deepEqual(processesOf(shared.folder), []);
});

test('a later window lists the project without the service, and starts it with the first statement', async context => {
  const shared = await windowsFolder(context);
  const first = openWindow(shared);
  await first.embedded.start();
  first.close();
  await shared.empty();
  const later = openWindow(shared, first.secrets);
  const [sample] = await later.embedded.listedProjects();
  assert.equal(sample?.name, 'Sample Shop');
  assert.deepEqual(processesOf(shared.folder), []);
  const key = await later.keys.get(sample);
  assert.equal(await later.countCustomers(sample), 2000);
  assert.equal(await later.keys.get(sample), key);
});

test('a window that was open before shows the project when it gets the focus, and fires once', async context => {
  const shared = await windowsFolder(context);
  const first = openWindow(shared);
  const other = openWindow(shared);
  let changes = 0;
  other.embedded.onDidChange(() => changes++);
  assert.deepEqual(await other.embedded.listedProjects(), []);
  const started = await first.embedded.start();
  await other.embedded.refresh();
  await other.embedded.refresh();
  assert.deepEqual(await other.embedded.listedProjects(), started);
  assert.equal(changes, 1);
});

test('at another address the project is the same, with a key for that address only', async context => {
  const shared = await windowsFolder(context);
  const first = openWindow(shared);
  const [before] = await first.embedded.start();
  assert.ok(before);
  first.close();
  await shared.empty();
  const other = createServer().listen(Number(new URL(before.baseUrl).port), '127.0.0.1');
  context.after(() => other.close());
  await once(other, 'listening');
  const later = openWindow(shared, first.secrets);
  let changes = 0;
  later.embedded.onDidChange(() => changes++);
  assert.equal(await later.countCustomers(before), 2000);
  const [after] = await later.embedded.listedProjects();
  assert.equal(after?.id, before.id);
  await waitUntil(() => openKeys(shared) === 1, { what: 'the key of the old address is not revoked' });
  assert.notEqual(after.origin, before.origin);
  assert.deepEqual([changes, await later.keys.get(before)], [1, undefined]);
});

test('a service whose data was deleted has a new project, and the old key is forgotten', async context => {
  const shared = await windowsFolder(context);
  const first = openWindow(shared);
  const [before] = await first.embedded.start();
  assert.ok(before);
  first.close();
  await shared.empty();
  await rm(shared.dataFolder, { recursive: true });
  const later = openWindow(shared, first.secrets);
  await assert.rejects(later.countCustomers(before), { code: 'project_not_found' });
  const [after] = await later.embedded.listedProjects();
  assert.ok(after);
  assert.equal(await later.countCustomers(after), 2000);
  assert.deepEqual([await later.keys.get(before), (await later.embedded.listedProjects()).length], [undefined, 1]);
});

test('an issued key can be revoked, and then opens nothing', async context => {
  const shared = await windowsFolder(context);
  const first = openWindow(shared);
  const [sample] = await first.embedded.start();
  assert.ok(sample);
  const { issuedAs } = (await first.keys.stored(sample)) ?? {};
  assert.ok(issuedAs);
  first.close();
  await shared.empty();
  const later = openWindow(shared, first.secrets);
  await later.serviceKeys.revoke(await later.embedded.runningFolder(), issuedAs);
  await assert.rejects(later.countCustomers(sample), { code: 'unauthenticated' });
  // The extension does not revoke a key that the user has entered.
  await later.keys.setEntered(sample, 'entered');
  assert.equal((await later.keys.stored(sample))?.issuedAs, undefined);
});

test('simultaneous calls share one client and one new key in place of a forgotten one', async context => {
  const shared = await windowsFolder(context);
  const window = openWindow(shared);
  const [sample] = await window.embedded.start();
  assert.ok(sample);
  await window.keys.forget(sample);
  const counts = await Promise.all([1, 2, 3].map(() => window.countCustomers(sample)));
  assert.deepEqual(counts, [2000, 2000, 2000]);
  const registry = new DatabaseSync(join(shared.dataFolder, 'registry.sqlite'), { readOnly: true });
  assert.equal(registry.prepare('SELECT count(*) AS n FROM keys').get()?.['n'], 2);
  registry.close();
});

test('only the secret storage holds the key of a project', async context => {
  const shared = await windowsFolder(context);
  const { embedded, keys } = openWindow(shared);
  const [sample] = await embedded.start();
  const key = sample && (await keys.get(sample));
  assert.ok(key);
  for (const name of ['projects.json', 'data/service.json', 'data/registry.sqlite']) {
    assert.ok(!(await readFile(join(shared.folder, name), 'latin1')).includes(key), name);
  }
});
