import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import type { ImportRun, SendStatement } from '../../src/model/importing/importRun.ts';
import { unknownRows } from '../../src/model/importing/importEnd.ts';
import type { ImportMode } from '../../src/model/importing/importOptions.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { seeded } from '../fuzz/random.ts';
import { newRun, planOf, rejectedLines, savedProgress } from '../support/importRuns.ts';
import { ImportFolder } from '../support/importSource.ts';
import { KillableService } from '../support/killableService.ts';

const imports = 50;
/** Starting a service takes seconds. */
const maxKills = 6;
const modes: readonly ImportMode[] = ['insert', 'insert', 'ignore', 'upsert'];

/** A window that is killed stops at once: only its last journal is left. */
class Killed extends Error {}

test(`Faults: ${imports} imports with faults at random points lose no row, write none twice, and report what is true`, async context => {
  const random = seeded(2024);
  const chance = (share: number): boolean => random() < share;
  await using folder = await ImportFolder.create();
  await using service = await KillableService.start();
  const { projectId } = service;
  const counts = { runs: 0, kills: 0, lost: 0, windows: 0, limits: 0, reports: 0, unknown: 0 };

  for (let number = 0; number < imports; number++) {
    const table = `t${number}`;
    await service.client.execSql(projectId, {
      sql: `CREATE TABLE ${table} (id TEXT, name TEXT, age INTEGER CHECK (age < 100))`,
    });
    const rowCount = 100 + Math.floor(random() * 300);
    const bad = new Set<number>();
    const lines = Array.from({ length: rowCount }, (_, id) => {
      if (chance(0.01)) bad.add(id);
      const isShort = chance(0.5);
      if (bad.has(id)) return isShort ? `${id},short` : `${id},"a ""bad"" one",100`;
      return `${id},"name, ${id}\n${'é'.repeat(Math.floor(random() * 900))}",${id % 100}`;
    });
    const path = await folder.write(`${table}.csv`, `id,name,age\n${lines.join('\n')}\n`);
    const mode = modes[number % modes.length]!;
    if (mode === 'upsert')
      await service.client.execSql(projectId, { sql: `CREATE UNIQUE INDEX ${table}_id ON ${table} (id)` });
    const plan = await planOf(service.client, projectId, { path, table, target: { mode, key: ['id'] } });

    /** Faults stop after a while, so that the import ends. */
    let faultsLeft = 4;
    const isFault = (): boolean => faultsLeft > 0 && chance(0.35) && faultsLeft-- > 0;
    const send: SendStatement = async (request, options) => {
      if (!isFault()) return service.client.execSql(projectId, request, options);
      switch (Math.floor(random() * (counts.kills < maxKills ? 5 : 4))) {
        case 0:
          counts.limits++;
          throw new ServiceError({ status: 429, code: 'rate_limited', message: 'slow down', retryAfter: 1 });
        case 1:
          // The answer is lost.
          counts.lost++;
          await service.client.execSql(projectId, request, options).catch(() => undefined);
          throw new ProjectError('transport', 'connection_lost', 'The connection was lost.');
        case 2:
          counts.lost++;
          throw new ProjectError('transport', 'connection_lost', 'The connection was lost.');
        case 3:
          // The window dies before or after the call.
          counts.windows++;
          if (chance(0.5)) await service.client.execSql(projectId, request, options).catch(() => undefined);
          throw new Killed();
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
    /** The message at the end of a run agrees with the table and the file of rejected rows. */
    const requireTruth = async (run: ImportRun): Promise<void> => {
      counts.reports++;
      const { changedRows, rejectedRows } = run.progress.counts;
      const { rows } = await service.client.execSql(projectId, { sql: `SELECT count(*) AS n FROM ${table}` });
      const stored = Number(rows[0]!['n']);
      const unknown = run.isLastCallUnknown ? unknownRows(run.progress) : undefined;
      if (run.isLastCallUnknown) counts.unknown++;
      if (run.isLastCallUnknown) assert.ok(unknown && 'from' in unknown, `${table} names no rows without an answer`);
      const most = unknown && 'from' in unknown ? changedRows + unknown.to - unknown.from + 1 : changedRows;
      assert.ok(
        stored >= changedRows && stored <= most,
        `${table}: ${changedRows} to ${most} reported, ${stored} stored`,
      );
      assert.equal(rejectedRows, (await rejectedLines(folder.path, plan)).length, `${table} rejected`);
    };
    let isDead = false;
    const sendUntilKilled: SendStatement = async (...call) => {
      try {
        return await send(...call);
      } catch (thrown) {
        isDead ||= thrown instanceof Killed;
        throw thrown;
      }
    };
    for (let state = 'failed'; state !== 'done';) {
      isDead = false;
      const progress = await savedProgress(folder.path, plan);
      const run = newRun({
        folder: folder.path,
        plan,
        progress,
        send: sendUntilKilled,
        // A dead window writes nothing more. It may also die before it writes.
        beforeJournal: () => {
          if (!isDead && isFault()) {
            counts.windows++;
            isDead = true;
          }
          if (isDead) throw new Killed();
        },
      });
      await run.start();
      counts.runs++;
      ({ state } = run);
      assert.ok(state === 'done' || state === 'failed', state);
      assert.ok(state === 'failed' || !run.isLastCallUnknown, `${table} is done without an answer`);
      // A window that was killed reports nothing.
      if (!isDead) await requireTruth(run);
    }

    const { rows } = await service.client.execSql(projectId, {
      sql: `SELECT id, name, count(*) AS n FROM ${table} GROUP BY id ORDER BY CAST(id AS INTEGER)`,
    });
    assert.deepEqual(
      rows.filter(({ n }) => n !== 1),
      [],
      `${table} has rows twice`,
    );
    assert.deepEqual(
      rows.map(({ id, name }) => `${id as string},"${name as string}"`),
      lines.flatMap((line, id) => (bad.has(id) ? [] : [line.slice(0, line.lastIndexOf(','))])),
      `${table} lost rows`,
    );
    const rejected = (await rejectedLines(folder.path, plan)).map(line =>
      Number(/(?:"|,)(\d+),(?:short|""a)/.exec(line)?.[1]),
    );
    assert.deepEqual(
      rejected.toSorted((a, b) => a - b),
      [...bad],
    );
  }
  assert.ok(counts.reports > imports && counts.unknown > 0, JSON.stringify(counts));
  context.diagnostic(JSON.stringify(counts));
});
