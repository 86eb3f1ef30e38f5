import { test } from 'node:test';
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
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';

/** Saves whose requests and answers are lost, by windows that are killed between and within them. */

const service = await startTestService();

/** `killBefore` kills the window before the service has its write, `killBehind` after that. */
const kinds = ['loseRequest', 'loseAnswer', 'killBefore', 'killBehind', 'none'] as const;

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

const profile = makeProfile({ name: 'Shop', baseUrl: proxy.baseUrl, projectId: service.projectId, source: 'settings' });
const host = new RecordedBrowsingHost();

const execute = async (sql: string): Promise<readonly Row[]> =>
  (await service.client.execSql(service.projectId, { sql })).rows;

for (const seed of seedsOf({ few: 20, all: 184 })) {
  test(`a save does its work once, whatever is lost or killed, seed ${seed}`, async () => {
    const numbers = seeded(seed);
    const random = (below: number): number => upTo(numbers, below);
    const folder = temporaryFolder();
    // A killed window waits for its answer for ever, so each window has a client of its own.
    const clients: Client[] = [];
    const open = async (): Promise<TestDocument> => {
      const client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
      clients.push(client);
      const opened = await openTestDocument({
        project: client.project(service.projectId),
        profile,
        table: { name: 'pets', kind: 'table' },
        host,
        draftsFolder: folder,
      });
      await opened.document.editing.schema();
      await opened.document.restore();
      return opened;
    };
    await saveThroughFaults({
      open,
      execute,
      host,
      random,
      onEdited: () => {
        faults = Array.from({ length: 6 }, () => kinds[random(kinds.length)]!);
      },
      killed: () => death.promise,
    });
    faults = [];
    for (const client of clients) await client.close();
  });
}
