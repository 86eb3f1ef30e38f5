import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seeded, upTo } from '../fuzz/random.ts';
import { startRefusingProxy } from '../support/refusingProxy.ts';
import { openTestService, type TestService } from '../support/testService.ts';
import { openWorkerdService } from '../support/workerdService.ts';
import { type TransferCommand, TransferProcess } from '../support/transferProcess.ts';
import { contentOf, emptyProject, makeFile, uploadFrom } from '../support/transferProject.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const killCount = 10;
/** A round ends at a random request, whose number is at most this. */
const maxRequests = 25;

const statements = [
  `CREATE TABLE big (a, b TEXT, c REAL)`,
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO big (rowid, a, b, c) SELECT i * 3, i, hex(randomblob(120)), i / 7.0 FROM n`,
  `CREATE TABLE keyed (a TEXT, b, PRIMARY KEY (a, b)) WITHOUT ROWID`,
  `INSERT INTO keyed SELECT b, a FROM big WHERE a % 5 = 0`,
  `CREATE TABLE tree (id INTEGER PRIMARY KEY, parent REFERENCES tree)`,
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO tree SELECT i, CASE WHEN i < 19000 THEN i + 1000 END FROM n`,
  `CREATE TABLE long_ones (id INTEGER PRIMARY KEY, bytes BLOB)`,
  `INSERT INTO long_ones SELECT value, randomblob(1500000) FROM json_each('[1,2,3]')`,
  ...Array.from({ length: 5 }, (_, nth) => `CREATE TABLE small${nth} AS SELECT a, c FROM big WHERE a < ${10 * nth}`),
  `CREATE INDEX big_b ON big (b)`,
];

interface KilledRun {
  readonly service: TestService;
  readonly command: Omit<TransferCommand, 'url'>;
  readonly seed: number;
  readonly afterKill?: () => void;
}

/** Runs a command to its end, and kills it before that, each time at a random request. Gives the texts of all requests. */
async function runWithKills({ service, command, seed, afterKill }: KilledRun): Promise<string[]> {
  const random = seeded(seed);
  let left = Infinity;
  let running: TransferProcess | undefined;
  const proxy = await startRefusingProxy(service.baseUrl, () => {
    left--;
    if (left !== 0) return undefined;
    running?.kill();
    // The request came to the service all the same, or it was lost.
    return random() < 0.5 ? undefined : { status: 503, code: 'busy' };
  });
  using _proxy = proxy;
  for (let round = 0; round < killCount; round++) {
    left = 1 + upTo(random, maxRequests);
    await using killed = new TransferProcess({ ...command, url: proxy.baseUrl });
    running = killed;
    const { code, notes } = await killed.ended();
    assert.equal(code, undefined, `It ended before it was killed. ${notes}`);
    afterKill?.();
  }
  left = Infinity;
  await using last = new TransferProcess({ ...command, url: proxy.baseUrl });
  const { code, notes } = await last.ended();
  assert.equal(code, 0, notes);
  return proxy.seenRequests.map(({ body }) => body);
}

const services = { sqlite: openTestService, worker: openWorkerdService };

for (const engine of ['sqlite', 'worker'] as const) {
  test(`an upload to ${engine} that is killed ten times writes each row once`, async () => {
    const service = await services[engine]();
    after(() => service[Symbol.asyncDispose]());
    const file = join(folder, `up-${engine}.sqlite`);
    makeFile(file, statements);
    const target = await emptyProject(service);
    const bodies = await runWithKills({ service, command: { direction: 'upload', ...target, file }, seed: 5 });
    const inserts = bodies.filter(body => body.includes('INSERT INTO \\"big\\"'));
    assert.ok(inserts.length <= new Set(inserts).size + killCount, `${inserts.length} batches were sent`);
    const { projectId } = target;
    const copy = join(folder, `copy-${engine}.sqlite`);
    const command = { direction: 'download', projectId, apiKey: target.apiKey, file: copy } as const;
    await using download = new TransferProcess({ ...command, url: service.baseUrl });
    assert.equal((await download.ended()).code, 0);
    assert.deepEqual(contentOf(copy), contentOf(file));
  });

  test(`a download from ${engine} that is killed ten times writes each row once`, async () => {
    const service = await services[engine]();
    after(() => service[Symbol.asyncDispose]());
    const source = join(folder, `source-${engine}.sqlite`);
    makeFile(source, statements);
    const project = await emptyProject(service);
    await uploadFrom(project, source);
    const file = join(folder, `down-${engine}.sqlite`);
    const bodies = await runWithKills({
      service,
      command: { direction: 'download', ...project, file },
      seed: 6,
      afterKill: () => assert.ok(!existsSync(file), 'a file that is not complete has its name already'),
    });
    assert.deepEqual(contentOf(file), contentOf(source));
    assert.ok(!existsSync(`${file}.part`));
    const pages = bodies.filter(body => body.includes('FROM \\"big\\"'));
    assert.ok(pages.length < new Set(pages).size * 3, `${pages.length} pages were read`);
  });
}
