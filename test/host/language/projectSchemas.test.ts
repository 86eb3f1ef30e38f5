import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { ProjectError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { ProjectSchemas, type ProjectSchemasParts } from '../../../src/host/language/projectSchemas.ts';
import type { Project } from '../../../src/client/index.ts';
import { makeProfile, type Profile, type ProfileFields } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const key = 'canary-key-0123456789';
const fields: ProfileFields = { baseUrl: 'http://127.0.0.1:9', projectId: 'shop', source: 'settings', scope: 'user' };
const shop = makeProfile(fields);
const lookups = {
  query: async () => [
    { isTyped: 1, value: 1, label: 'new' },
    { isTyped: 1, value: 2, label: `a ${key}` },
  ],
};
const orders = 'CREATE TABLE orders(id INTEGER PRIMARY KEY)';
const customers = 'CREATE TABLE customers(name TEXT)';
const second = 1000;

/** A window with one project. Tests change its service, its settings and its documents. */
class Window {
  readonly clock = new HandClock();
  readonly systemTime = new HandClock(1_000_000);
  readonly changes = new Emitter<string | undefined>();
  readonly events: string[] = [];
  readonly lines: string[] = [];
  readonly storage: string;
  readonly folder: string;
  profiles: readonly Profile[] = [shop];
  localFault: unknown;
  isOpen = true;
  isTrusted = true;
  isServiceIdle = false;
  fetchCount = 0;
  fetch: () => Promise<readonly string[] | undefined> = async () => [orders];
  readonly schemas: ProjectSchemas;

  constructor(storage: string) {
    this.storage = storage;
    this.folder = join(storage, 'schemas');
    const log = (line: string): void => void this.lines.push(line);
    const parts: ProjectSchemasParts = {
      listProjects: async () => ({ profiles: this.profiles, problems: [], localFault: this.localFault }),
      catalogs: {
        for: () => ({
          lastRowCounts: new Map([['orders', 7n]]),
          schemaStatements: () => {
            this.fetchCount++;
            return this.fetch();
          },
          openQuietly: async () => lookups as unknown as Project,
        }),
        onDidChange: this.changes.on,
      },
      isInUse: async () => this.isOpen,
      isTrusted: () => this.isTrusted,
      wouldStartService: async () => this.isServiceIdle,
      keyOf: async () => key,
      storage,
      log: { ...silentLogger, warn: log, debug: log },
      clock: this.clock,
      systemTime: this.systemTime,
    };
    this.schemas = new ProjectSchemas(parts);
    this.schemas.onDidChange(({ hasNewStatements }) => this.events.push(hasNewStatements ? 'new' : 'same'));
  }

  async statements(): Promise<readonly string[] | undefined> {
    return (await this.schemas.get(shop.id))?.statements;
  }

  /** Resolves when the schema was fetched that many times, and taken. */
  async fetched(count: number): Promise<void> {
    while (this.fetchCount < count) await nextTurn();
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    assert.equal(this.fetchCount, count);
  }

  async stored(): Promise<string> {
    // The refresh of the user ends after the file was written.
    await this.schemas.refresh(shop.id);
    const [name] = await readdir(this.folder);
    return readFile(join(this.folder, name!), 'utf8');
  }
}

function openWindow(context: TestContext, storage: string): Window {
  const window = new Window(storage);
  context.after(() => window.schemas.dispose());
  return window;
}

const makeWindow = async (context: TestContext): Promise<Window> => openWindow(context, temporaryFolder());

test('an unknown schema is fetched, and its arrival is reported', async context => {
  const window = await makeWindow(context);
  assert.equal(await window.statements(), undefined);
  assert.equal(window.schemas.fetchedAt(shop.id), undefined);
  await window.fetched(1);
  assert.deepEqual(await window.statements(), [orders]);
  assert.equal(window.schemas.fetchedAt(shop.id), window.systemTime.now());
  assert.deepEqual(window.events, ['same', 'new']);
  await window.fetched(1);
});

test('the schema of the last window is served at once, and fetched again in the background', async context => {
  const storage = temporaryFolder();
  const lastWindow = openWindow(context, storage);
  await lastWindow.schemas.refresh(shop.id);
  const window = openWindow(context, storage);
  const answer = Promise.withResolvers<readonly string[]>();
  window.fetch = () => answer.promise;
  assert.deepEqual(await window.statements(), [orders]);
  answer.resolve([orders, customers]);
  await window.fetched(1);
  assert.deepEqual(await window.statements(), [orders, customers]);
  assert.deepEqual(window.events, ['same', 'new']);
});

test('a fetch that brings the same statements does not report new ones', async context => {
  const window = await makeWindow(context);
  await window.schemas.refresh(shop.id);
  window.clock.advance(second);
  await window.schemas.refresh(shop.id);
  assert.deepEqual(window.events.slice(-2), ['new', 'same']);
  assert.equal(window.schemas.fetchedAt(shop.id), window.systemTime.now());
});

test('a system time that is set back does not delay a fetch', async context => {
  const window = await makeWindow(context);
  await window.statements();
  await window.fetched(1);
  window.systemTime.advance(-3600 * second);
  window.clock.advance(second);
  window.changes.fire(shop.id);
  await window.fetched(2);
  assert.equal(window.schemas.fetchedAt(shop.id), window.systemTime.now());
});

test('a change of the catalog fetches the schema of an open project', async context => {
  const window = await makeWindow(context);
  await window.schemas.refresh(shop.id);
  window.fetch = async () => [orders, customers];
  window.changes.fire('another project');
  await window.fetched(1);
  window.changes.fire(shop.id);
  await window.fetched(2);
  assert.deepEqual(await window.statements(), [orders, customers]);
});

test('a project without an open document is not fetched before one is opened', async context => {
  const window = await makeWindow(context);
  window.isOpen = false;
  assert.equal(await window.statements(), undefined);
  window.changes.fire(shop.id);
  await window.fetched(0);
  window.isOpen = true;
  window.clock.advance(second);
  await window.statements();
  await window.fetched(1);
});

test('nothing is fetched in an untrusted workspace', async context => {
  const window = await makeWindow(context);
  window.isTrusted = false;
  await window.statements();
  await window.fetched(0);
  await assert.rejects(window.schemas.refresh(shop.id), { code: 'untrusted_schema' });
  window.isTrusted = true;
  window.clock.advance(second);
  // VS Code lists the projects again when the user trusts the workspace.
  window.changes.fire(undefined);
  await window.fetched(1);
});

test('a failed fetch keeps the last schema, goes to the log, and is tried again later', async context => {
  const window = await makeWindow(context);
  await window.schemas.refresh(shop.id);
  window.fetch = () => Promise.reject(new ProjectError('transport', 'connect_failed', 'No answer.'));
  window.changes.fire(shop.id);
  await window.fetched(2);
  assert.deepEqual(await window.statements(), [orders]);
  assert.match(window.lines.at(-1) ?? '', /shop: the schema was not read: No answer\./);
  // The editor asks for the schema with each document that it opens.
  await window.statements();
  await window.fetched(2);
  window.clock.advance(10 * second);
  await window.fetched(3);
});

for (const [what, answer] of [
  ['without a key', () => Promise.reject(new ProjectError('misuse', 'no_key', 'No key.'))],
  ['that does not give its schema', async () => undefined],
] as const) {
  test(`a project ${what} is asked again only after a change`, async context => {
    const window = await makeWindow(context);
    window.fetch = answer;
    await window.statements();
    await window.fetched(1);
    window.clock.advance(3600 * second);
    await window.statements();
    await window.fetched(1);
    window.changes.fire(shop.id);
    await window.fetched(2);
  });
}

test('a schema that is known starts no local service, unless the user asks for it', async context => {
  const window = await makeWindow(context);
  window.isServiceIdle = true;
  // Without a schema, completion needs the service.
  await window.statements();
  await window.fetched(1);
  window.changes.fire(shop.id);
  window.clock.advance(second);
  await window.fetched(1);
  await window.schemas.refresh(shop.id);
  await window.fetched(2);
  window.changes.fire(shop.id);
  window.clock.advance(second);
  await window.fetched(2);
  window.isServiceIdle = false;
  window.clock.advance(10 * second);
  await window.fetched(3);
});

test('the refresh of the user rejects with what went wrong', async context => {
  const window = await makeWindow(context);
  window.fetch = () => Promise.reject(new ProjectError('misuse', 'no_key', 'No key.'));
  await assert.rejects(window.schemas.refresh(shop.id), { code: 'no_key' });
});

test('a removed project loses its schema and its file', async context => {
  const window = await makeWindow(context);
  await window.stored();
  window.profiles = [];
  window.changes.fire(undefined);
  while ((await readdir(window.folder)).length > 0) await nextTurn();
  assert.equal(await window.statements(), undefined);
  assert.equal(window.schemas.fetchedAt(shop.id), undefined);
});

test('while the local service does not list its projects, none counts as removed', async context => {
  const window = await makeWindow(context);
  await window.stored();
  window.profiles = [];
  window.localFault = new Error('away');
  window.changes.fire(undefined);
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  assert.equal((await readdir(window.folder)).length, 1);
  const events = window.events.length;
  window.profiles = [shop];
  window.localFault = undefined;
  assert.deepEqual(await window.statements(), [orders]);
  assert.deepEqual(window.events.slice(events), [], 'the schema is the one that was known before');
});

test('a project at another address does not get the schema of the former one', async context => {
  const window = await makeWindow(context);
  await window.schemas.refresh(shop.id);
  window.fetch = () => Promise.reject(new ProjectError('transport', 'connect_failed', 'No answer.'));
  window.profiles = [makeProfile({ ...fields, pathPrefix: '/other' })];
  assert.equal(window.profiles[0]?.id, shop.id);
  window.changes.fire(undefined);
  assert.equal(await window.statements(), undefined);
});

test('a retry does not ask another address for the schema of the former one', async context => {
  const window = await makeWindow(context);
  window.fetch = () => Promise.reject(new ProjectError('transport', 'connect_failed', 'No answer.'));
  await window.statements();
  await window.fetched(1);
  window.profiles = [makeProfile({ ...fields, pathPrefix: '/other' })];
  window.fetch = async () => [orders];
  window.clock.advance(10 * second);
  await window.fetched(1);
});

const spellings: readonly (readonly [name: string, text: string])[] = [
  ['as it is', key],
  ['in base64', btoa(`key ${key}`)],
  ['in hexadecimal digits', Buffer.from(key).toString('hex')],
  ['with escapes of URLs', key.replaceAll(/[a-z]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)],
  ['in another case', key.toUpperCase()],
  ['after much text', `${'x '.repeat(20_000)}${key}`],
];

for (const [name, text] of spellings) {
  test(`a statement with the key ${name} reaches neither the server nor the disk`, async context => {
    const window = await makeWindow(context);
    window.fetch = async () => [orders, `CREATE TABLE leak(a DEFAULT '${text}')`, customers];
    assert.ok(!(await window.stored()).includes('leak'));
    assert.deepEqual(await window.statements(), [orders, customers]);
  });
}

test('a long statement without the key is kept', async context => {
  const window = await makeWindow(context);
  const long = `CREATE TABLE long(${Array.from({ length: 3000 }, (_, number) => `column_${number} TEXT`).join()})`;
  window.fetch = async () => [long, customers];
  await window.schemas.refresh(shop.id);
  assert.deepEqual(await window.statements(), [long, customers]);
});

test('row counts are those that are known already', async context => {
  const window = await makeWindow(context);
  assert.deepEqual([...(await window.schemas.rowCounts(shop.id))], [['orders', 7n]]);
  assert.deepEqual([...(await window.schemas.rowCounts('gone'))], []);
  assert.equal(window.fetchCount, 0);
});

test('the values of a lookup table come without the key, and only from a service that runs for a trusted workspace', async context => {
  const window = await makeWindow(context);
  const column = { table: 'states', column: 'id', textColumn: 'name' };
  const read = () => window.schemas.lookupValues(shop.id, column);
  assert.deepEqual(await read(), [{ value: '1', text: 'new' }]);
  window.isServiceIdle = true;
  assert.deepEqual(await read(), []);
  window.isServiceIdle = false;
  window.isTrusted = false;
  assert.deepEqual(await read(), []);
});
