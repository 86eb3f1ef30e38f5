import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Row } from '../../../src/wire/values.ts';
import { seeded, upTo } from '../../fuzz/random.ts';
import { saveThroughFaults } from '../../support/faultySaves.ts';
import { keepAnswer, keepRequest, loseAnswer, loseRequest } from '../../support/lostAnswers.ts';
import { RecordedBrowsingHost } from '../../support/recordedBrowsingHost.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { seedsOf } from '../../support/seeds.ts';
import { openTestDocument, type TestDocument } from '../../support/tableDocument.ts';
import { startTestService } from '../../support/testService.ts';

/** Saves whose requests and answers are lost, by windows that are killed between and within them. */

const service = await startTestService();
const draftsFolder = await mkdtemp(join(tmpdir(), 'drafts-'));
after(() => rm(draftsFolder, { recursive: true, force: true, maxRetries: 3 }));

/** A window is killed before the service has its write, or after that. */
const kinds = ['loseRequest', 'loseAnswer', 'killBefore', 'killBehind', 'none'] as const;

/** The next faults of writes, in order. */
let faults: (typeof kinds)[number][] = [];
let death = Promise.withResolvers<void>();
function kill(): void {
  death.resolve();
  death = Promise.withResolvers();
}

const proxy = await startRefusingProxy(service.baseUrl, request => {
  const isWrite = request.headers['x-idempotency-key'] !== undefined;
  const fault = isWrite ? (faults.shift() ?? 'none') : 'none';
  switch (fault) {
    case 'none':
      return undefined;
    case 'loseRequest':
      return loseRequest();
    case 'loseAnswer':
      return loseAnswer(service.baseUrl);
    case 'killBefore':
      return keepRequest(kill);
    case 'killBehind':
      return keepAnswer(service.baseUrl, kill);
  }
});

const client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
after(() => client.close());
const project = client.project(service.projectId);
const profile = makeProfile({ name: 'Shop', baseUrl: proxy.baseUrl, projectId: service.projectId, source: 'settings' });
const host = new RecordedBrowsingHost();

const open = async (folder = draftsFolder, ofWindow = project): Promise<TestDocument> => {
  const opened = await openTestDocument({
    project: ofWindow,
    profile,
    table: { name: 'pets', kind: 'table' },
    host,
    draftsFolder: folder,
  });
  await opened.document.editing.schema();
  await opened.document.restore();
  return opened;
};

const edit = (opened: TestDocument, row: Row, text: string): Promise<void> =>
  opened.document.edit('Edit', () =>
    opened.document.editing.setCells([{ row: { kind: 'table', row }, column: 'name', value: { kind: 'text', text } }]),
  );

const execute = async (sql: string): Promise<readonly Row[]> =>
  (await service.client.execSql(service.projectId, { sql })).rows;
const rowsOf = (): Promise<readonly Row[]> => execute('SELECT id, name FROM pets ORDER BY id');

async function createPets(): Promise<void> {
  for (const sql of [
    'DROP TABLE IF EXISTS pets',
    'CREATE TABLE pets(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)',
    `INSERT INTO pets(name) VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f')`,
  ]) {
    await service.client.execSql(service.projectId, { sql });
  }
}

for (const seed of seedsOf({ few: 20, all: 184 })) {
  test(`a save does its work once, whatever is lost or killed, seed ${seed}`, async () => {
    const numbers = seeded(seed);
    const random = (below: number): number => upTo(numbers, below);
    const folder = await mkdtemp(join(draftsFolder, 'seed-'));
    // A killed window waits for its answer for ever, so each window has a client of its own.
    const clients: Client[] = [];
    const openNext = async (): Promise<TestDocument> => {
      const own = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
      clients.push(own);
      return open(folder, own.project(service.projectId));
    };
    await saveThroughFaults({
      open: openNext,
      execute,
      host,
      random,
      onEdited: () => {
        faults = Array.from({ length: 6 }, () => kinds[random(kinds.length)]!);
      },
      killed: () => death.promise,
    });
    faults = [];
    for (const own of clients) await own.close();
  });
}

test('edits that were refused stay pending, with the reason, and nothing is saved of their statement', async () => {
  await createPets();
  const window = await open();
  const { editing } = window.document;
  await service.client.execSql(service.projectId, { sql: 'CREATE UNIQUE INDEX pets_name ON pets(name)' });
  const [first] = await rowsOf();
  await window.document.edit('Edit', () =>
    editing.setCells([{ row: { kind: 'table', row: first! }, column: 'name', value: { kind: 'text', text: 'b' } }]),
  );
  await assert.rejects(
    window.save(),
    /1 row was not updated: UNIQUE constraint failed: pets\.name\. Nothing was saved\./,
  );
  assert.equal(editing.edits.counts.updated, 1);
  assert.equal((await rowsOf())[0]?.['name'], 'a');
  await window.document.revert();
});

test('an edit that comes before the draft of an earlier window is read does not replace it', async () => {
  await createPets();
  const [first, second] = await rowsOf();
  await edit(await open(), first!, 'earlier');
  const next = await openTestDocument({ project, profile, table: { name: 'pets', kind: 'table' }, host, draftsFolder });
  await edit(next, second!, 'later');
  await next.save();
  assert.deepEqual(
    (await rowsOf()).slice(0, 2).map(({ name }) => name),
    ['earlier', 'later'],
  );
});

test('a save whose statements cannot be stored is not sent', async () => {
  await createPets();
  const [first] = await rowsOf();
  const folder = join(draftsFolder, 'lost-folder');
  const opened = await openTestDocument({
    project,
    profile,
    table: { name: 'pets', kind: 'table' },
    host,
    draftsFolder: folder,
  });
  const value = { kind: 'text', text: 'x' } as const;
  const setFirst = () =>
    opened.document.editing.setCells([{ row: { kind: 'table', row: first! }, column: 'name', value }]);
  await opened.document.edit('Edit', setFirst);
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await assert.rejects(opened.save(), /could not be stored/);
  assert.equal((await rowsOf())[0]?.['name'], 'a');
});

test('nothing is edited where edits cannot be stored, and the user sees why', async () => {
  await createPets();
  const [first] = await rowsOf();
  const folder = join(draftsFolder, 'no-folder');
  await writeFile(folder, '');
  const opened = await openTestDocument({
    project,
    profile,
    table: { name: 'pets', kind: 'table' },
    host,
    draftsFolder: folder,
  });
  await assert.rejects(edit(opened, first!, 'x'), /The edits could not be stored for a restart: EEXIST/);
  assert.ok(!opened.document.isDirty);
});

test('nothing can be edited while the outcome of a save is unknown', async () => {
  await createPets();
  const window = await open();
  const { editing } = window.document;
  const [first] = await rowsOf();
  const setFirst = () =>
    editing.setCells([{ row: { kind: 'table', row: first! }, column: 'name', value: { kind: 'text', text: 'x' } }]);
  await window.document.edit('Edit', setFirst);
  faults = ['loseAnswer'];
  await assert.rejects(window.save(), /unknown/);
  await assert.rejects(window.document.edit('Edit', setFirst), /unknown/);
  await window.save();
  assert.equal((await rowsOf())[0]?.['name'], 'x');
});
