import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from '../../../src/client/index.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Row } from '../../../src/wire/values.ts';
import { seeded, upTo } from '../../fuzz/random.ts';
import { saveThroughFaults } from '../../support/faultySaves.ts';
import { RecordedBrowsingHost } from '../../support/recordedBrowsingHost.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import type { Answer } from '../../support/scriptedServer.ts';
import { ServiceProcess } from '../../support/serviceProcess.ts';
import { openTestDocument, type TestDocument } from '../../support/tableDocument.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** Saves whose service is killed before, while or after it works, and started again with the same data folder. */

const owned = new AsyncDisposableStack();
after(() => owned.disposeAsync());
const folder = temporaryFolder();
const draftsFolder = temporaryFolder();
let service = await ServiceProcess.start('source', { folder });
owned.defer(() => service.stop());
const { projectId, apiKey } = await service.project();

type Kill = 'before' | 'during' | 'after' | 'none';
/** The next kills, the first one for the first write. */
let kills: Kill[] = [];

const killAt =
  (moment: Kill, turns: number): Answer =>
  async (response, { method, path, headers, body }) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    if (moment !== 'before') {
      const init = { method, headers: passed as Record<string, string>, body };
      // The killed service gives no answer.
      const answered = fetch(service.baseUrl + path, init)
        .then(answer => answer.text())
        .catch(() => undefined);
      if (moment === 'after') await answered;
      else for (let turn = 0; turn < turns; turn++) await nextTurn();
    }
    await service.kill();
    service = await ServiceProcess.start('source', { folder });
    response.destroy();
  };

let random = (_below: number): number => 0;
const proxy = await startRefusingProxy(
  () => service.baseUrl,
  request => {
    const isWrite = request.headers['x-idempotency-key'] !== undefined;
    const moment = isWrite ? (kills.shift() ?? 'none') : 'none';
    return moment === 'none' ? undefined : killAt(moment, random(60));
  },
);
const client = owned.use(new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 }));
const project = client.project(projectId);
const profile = makeProfile({ name: 'Shop', baseUrl: proxy.baseUrl, projectId, source: 'settings' });
const host = new RecordedBrowsingHost();
const table = { name: 'pets', kind: 'table' } as const;

async function open(): Promise<TestDocument> {
  const opened = await openTestDocument({ project, profile, table, host, draftsFolder });
  await opened.document.editing.schema();
  await opened.document.restore();
  return opened;
}

const execute = async (sql: string): Promise<readonly Row[]> => (await project.sql(sql)).rows;

for (let seed = 1; seed <= 16; seed++) {
  test(`a save does its work once, although its service is killed, seed ${seed}`, async () => {
    const numbers = seeded(seed);
    random = below => upTo(numbers, below);
    await saveThroughFaults({
      open,
      execute,
      host,
      random,
      onEdited: () => {
        // One kill a save: each start of a service takes its time.
        const write = random(3);
        const moment = (['before', 'during', 'during', 'after'] as const)[random(4)]!;
        kills = Array.from({ length: write + 1 }, (_, index): Kill => (index === write ? moment : 'none'));
      },
    });
  });
}
