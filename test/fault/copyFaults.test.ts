import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { ProjectError } from '../../src/base/errors.ts';
import { openTableSource } from '../../src/model/copying/openTableSource.ts';
import { isFileSource } from '../../src/model/importing/journal.ts';
import type { SendStatement } from '../../src/model/importing/importRun.ts';
import type { OpenSource } from '../../src/model/importing/rowSource.ts';
import { seeded } from '../fuzz/random.ts';
import { copyPlanOf } from '../support/copyRuns.ts';
import { newRun, savedProgress } from '../support/importRuns.ts';
import { ImportFolder } from '../support/importSource.ts';
import { KillableService } from '../support/killableService.ts';

const copies = 12;
/** Starting a service takes seconds. */
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

/** A window that is killed stops at once: only its last journal is left. */
class Killed extends Error {}

test(`Faults: ${copies} copies with faults at random points lose no row and write none twice, although the source changes`, async context => {
  const random = seeded(77);
  const chance = (share: number): boolean => random() < share;
  await using folder = await ImportFolder.create();
  await using service = await KillableService.start();
  const { projectId } = service;
  const counts = { runs: 0, kills: 0, readKills: 0, lost: 0, windows: 0, changes: 0 };

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

    /** Faults stop after a while, so that the copy ends. */
    let faultsLeft = 4;
    const isFault = (share = 0.3): boolean => faultsLeft > 0 && chance(share) && faultsLeft-- > 0;
    let isDead = false;
    const die = (): never => {
      counts.windows++;
      isDead = true;
      throw new Killed();
    };
    const send: SendStatement = async (request, options) => {
      if (!isFault()) return service.client.execSql(projectId, request, options);
      switch (Math.floor(random() * (counts.kills < maxKills ? 4 : 3))) {
        case 0:
          counts.lost++;
          await service.client.execSql(projectId, request, options).catch(() => undefined);
          throw new ProjectError('transport', 'connection_lost', 'The connection was lost.');
        case 1:
          counts.lost++;
          throw new ProjectError('transport', 'connection_lost', 'The connection was lost.');
        case 2:
          // The window dies before or after the call.
          if (chance(0.5)) await service.client.execSql(projectId, request, options).catch(() => undefined);
          return die();
        default: {
          // The service dies while it has the call.
          counts.kills++;
          const pending = service.client.execSql(projectId, request, options);
          pending.catch(() => undefined);
          if (chance(0.5)) await new Promise(setImmediate);
          await service.killAndRestart();
          return pending;
        }
      }
    };
    const open = async () => {
      // The service dies before a page is read, and the reader waits for the next one.
      if (counts.readKills < maxKills && isFault(0.1)) {
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
      isDead = false;
      const progress = await savedProgress(folder.path, plan);
      // The rows of a batch in flight are changed before it is sent again. They must arrive as they were read.
      if (progress?.pending && chance(0.5)) {
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
        send,
        // A dead window writes nothing more. It may also die before it writes.
        beforeJournal: () => {
          if (isDead) throw new Killed();
          if (isFault(0.1)) die();
        },
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
  context.diagnostic(JSON.stringify(counts));
});
