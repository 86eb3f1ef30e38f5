import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openTableSource } from '../../src/model/copying/openTableSource.ts';
import { isFileSource } from '../../src/model/importing/journal.ts';
import type { OpenSource } from '../../src/model/importing/rowSource.ts';
import { seeded } from '../fuzz/random.ts';
import { copyPlanOf } from '../support/copyRuns.ts';
import { FaultyWindow } from '../support/faultyWindow.ts';
import { newRun, savedProgress } from '../support/importRuns.ts';
import { ImportFolder } from '../support/importSource.ts';
import { KillableService } from '../support/killableService.ts';

const copies = 12;
const maxKills = 3;

/** Sources with keys of each kind. */
const sources: readonly { readonly columns: string; readonly suffix: string; readonly values: string }[] = [
  {
    columns: 'id INTEGER PRIMARY KEY, a TEXT, b',
    suffix: '',
    values: `n * 3, hex(randomblob(abs(random() % 400))), n / 7.0`,
  },
  {
    columns: 'id TEXT, a TEXT, b, PRIMARY KEY (id, b)',
    suffix: 'WITHOUT ROWID',
    values: `'k' || n % 5, hex(randomblob(200)), n`,
  },
  {
    columns: 'id, a TEXT, b BLOB',
    suffix: '',
    values: `n, CASE n % 4 WHEN 0 THEN NULL ELSE 'x' || char(0) || n END, randomblob(300)`,
  },
];

test(`Faults: ${copies} copies with faults at random points lose no row and write none twice, although the source changes`, async context => {
  const random = seeded(77);
  const folder = new ImportFolder();
  await using service = await KillableService.start();
  const { projectId } = service;
  const shares = { send: 0.3, journal: 0.1 };
  const window = new FaultyWindow({ service, random, maxKills, shares });
  const counts = { runs: 0, readKills: 0, changes: 0 };

  for (let number = 0; number < copies; number++) {
    const { columns, suffix, values } = sources[number % sources.length]!;
    const source = `s${number}`;
    const table = `t${number}`;
    for (const name of [source, table]) await service.run(`CREATE TABLE ${name} (${columns}) ${suffix}`);
    const rowCount = 1000 + Math.floor(random() * 3000);
    await service.run(`INSERT INTO ${source} WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${rowCount})
      SELECT ${values} FROM c`);
    const plan = await copyPlanOf({ client: service.client, projectId, source, table });
    const expected = await service.run(`SELECT * FROM ${source} ORDER BY 1, 3`);

    window.expectFaults();
    const open = async () => {
      // The service dies before a page is read, and the reader waits for the next one.
      if (counts.readKills < maxKills && window.isFault(0.1)) {
        counts.readKills++;
        await service.killAndRestart();
      }
      return service.client.project(projectId);
    };
    const openSource: OpenSource = async signal => {
      if (isFileSource(plan.source)) throw new Error('The plan reads no table.');
      return openTableSource({ source: plan.source, open, clock: systemClock, signal });
    };
    for (let state = 'failed'; state !== 'done';) {
      window.isDead = false;
      const progress = await savedProgress(folder.path, plan);
      // The rows of a batch in flight are changed before it is sent again. They must arrive as they were read.
      if (progress?.pending && random() < 0.5) {
        counts.changes++;
        const { rows: from } = progress.place;
        const changed = expected.slice(from, from + progress.pending.rows);
        if (number % sources.length === 0) {
          const ids = changed.map(([id]) => String(id));
          await service.run(`UPDATE ${source} SET a = 'changed' WHERE id IN (${ids.join(', ')})`);
        }
      }
      const copy = newRun({
        folder: folder.path,
        plan,
        progress,
        openSource,
        send: window.send,
        beforeJournal: window.beforeJournal,
      });
      await copy.start();
      counts.runs++;
      ({ state } = copy);
      assert.ok(state === 'done' || state === 'failed', state);
    }
    assert.deepEqual(
      await service.run(`SELECT * FROM ${table} ORDER BY 1, 3`),
      expected,
      `${table} is not as ${source} was`,
    );
    assert.equal(await savedProgress(folder.path, plan), undefined);
  }
  context.diagnostic(JSON.stringify({ ...counts, ...window.counts }));
});
