import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportRun, SendStatement } from '../../src/model/importing/importRun.ts';
import { unknownRows } from '../../src/model/importing/importEnd.ts';
import type { ImportMode } from '../../src/model/importing/importOptions.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { seeded } from '../fuzz/random.ts';
import { FaultyWindow } from '../support/faultyWindow.ts';
import { newRun, planOf, rejectedLines, savedProgress } from '../support/importRuns.ts';
import { ImportFolder } from '../support/importSource.ts';
import { KillableService } from '../support/killableService.ts';

const imports = 50;
const maxKills = 6;
const modes: readonly ImportMode[] = ['insert', 'insert', 'ignore', 'upsert'];

test(`Faults: ${imports} imports with faults at random points lose no row, write none twice, and report what is true`, async context => {
  const random = seeded(2024);
  const chance = (share: number): boolean => random() < share;
  const folder = new ImportFolder();
  await using service = await KillableService.start();
  const { projectId } = service;
  const shares = { send: 0.3, journal: 0.35 };
  const window = new FaultyWindow({ service, random, maxKills, shares });
  const counts = { runs: 0, limits: 0, reports: 0, unknown: 0 };

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

    window.expectFaults();
    const send: SendStatement = async (...call) => {
      if (!window.isFault(0.07)) return window.send(...call);
      counts.limits++;
      throw new ServiceError({ status: 429, code: 'rate_limited', message: 'slow down', retryAfter: 1 });
    };
    /** The message at the end of a run agrees with the table and the file of rejected rows. */
    const requireTruth = async (run: ImportRun): Promise<void> => {
      counts.reports++;
      const { changedRows, rejectedRows } = run.progress.counts;
      const { rows } = await service.client.execSql(projectId, { sql: `SELECT count(*) AS n FROM ${table}` });
      const stored = Number(rows[0]!['n']);
      const unknown = run.end.isLastCallUnknown ? unknownRows(run.progress) : undefined;
      if (run.end.isLastCallUnknown) counts.unknown++;
      if (run.end.isLastCallUnknown)
        assert.ok(unknown && 'from' in unknown, `${table} names no rows without an answer`);
      const most = unknown && 'from' in unknown ? changedRows + unknown.to - unknown.from + 1 : changedRows;
      assert.ok(
        stored >= changedRows && stored <= most,
        `${table}: ${changedRows} to ${most} reported, ${stored} stored`,
      );
      assert.equal(rejectedRows, (await rejectedLines(folder.path, plan)).length, `${table} rejected`);
    };
    for (let state = 'failed'; state !== 'done';) {
      window.isDead = false;
      const progress = await savedProgress(folder.path, plan);
      const run = newRun({
        folder: folder.path,
        plan,
        progress,
        send,
        beforeJournal: window.beforeJournal,
      });
      await run.start();
      counts.runs++;
      ({ state } = run);
      assert.ok(state === 'done' || state === 'failed', state);
      assert.ok(state === 'failed' || !run.end.isLastCallUnknown, `${table} is done without an answer`);
      // A window that was killed reports nothing.
      if (!window.isDead) await requireTruth(run);
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
  context.diagnostic(JSON.stringify({ ...counts, ...window.counts }));
});
