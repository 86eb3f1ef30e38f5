import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSavedSpool } from '../../../src/model/results/spool/savedSpool.ts';
import { openProjectRuns, changesUntil, shownRows, sortedRows, statesOf } from '../../support/projectRuns.ts';
import { HandClock } from '../../support/handClock.ts';
import { loseAnswer, passOn } from '../../support/lostAnswers.ts';
import { type Answer, ScriptedServer } from '../../support/scriptedServer.ts';
import { ProjectError } from '../../../src/base/errors.ts';
import { startTestService } from '../../support/testService.ts';
import { createProject } from '../../support/projectKeys.ts';
import { Client } from '../../../src/client/index.ts';

const { service, folder, newTarget, newRun, newWrite } = await openProjectRuns();

const pets = (...names: readonly string[]): string[] => [
  'CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)',
  ...names.map(name => `INSERT INTO pets (name) VALUES ('${name}')`),
];

test('each row names its project, and columns are matched by name', async () => {
  const one = await newTarget('One', {
    setup: ['CREATE TABLE t (id, v, project)', "INSERT INTO t VALUES (9007199254740993, -0.0, 'own')"],
  });
  const two = await newTarget('Two', { setup: ['CREATE TABLE t (v, extra)', "INSERT INTO t VALUES ('text', 'more')"] });
  await using run = newRun('SELECT * FROM t', [one, two]);
  await run.start();
  assert.equal(run.state, 'done');
  const names = run.columns.map(({ name }) => name);
  assert.equal(names[0], 'project');
  assert.deepEqual(names.toSorted(), ['extra', 'id', 'project', 'project:1', 'v']);
  const at = (name: string): number => names.indexOf(name);
  assert.deepEqual(
    run.projects.map(({ lacks }) => lacks.map(column => String(names[column])).toSorted()),
    [['extra'], ['id', 'project:1']],
  );
  const rows = (await run.rows(0, 10)).toSorted((a, b) => JSON.stringify(a[0]).localeCompare(JSON.stringify(b[0])));
  const order = ['project', 'id', 'v', 'project:1', 'extra'].map(at);
  assert.deepEqual(
    rows.map(row => order.map(column => row[column])),
    [
      [
        { kind: 'text', text: 'One' },
        { kind: 'integer', text: '9007199254740993' },
        { kind: 'real', text: '-0' },
        { kind: 'text', text: 'own' },
        { kind: 'null' },
      ],
      [
        { kind: 'text', text: 'Two' },
        { kind: 'null' },
        { kind: 'text', text: 'text' },
        { kind: 'null' },
        { kind: 'text', text: 'more' },
      ],
    ],
  );
});

test('a project that fails, one that is rate limited and one that is slow leave the rows of two others alone', async () => {
  const clock = new HandClock(Date.now());
  const limited = await startTestService({ rateLimit: { perSecond: 1, burst: 1 } });
  const release = Promise.withResolvers<void>();
  const hold = (): Answer => async (response, request) => {
    await release.promise;
    passOn(service.baseUrl)(response, request);
  };
  await using held = await new ScriptedServer([hold()]).listen();
  const targets = [
    await newTarget('Quick', { setup: pets('Rex') }),
    await newTarget('Broken'),
    await newTarget('Slow', { setup: pets('Tom'), url: held.url }),
    await newTarget('Other', { setup: pets('Ada', 'Bo') }),
  ];
  const { projectId, apiKey } = await createProject(limited.admin, { holderId: 'test', projectName: 'Limited' });
  await using client = new Client({ baseUrl: limited.baseUrl, apiKey, retries: 3, clock, random: () => 1 });
  // The last token of the caller.
  await client.execSql(projectId, { sql: 'CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)' });
  targets.push({ ...targets[0]!, name: 'Limited', projectId, connect: async () => client });
  await using run = newRun('SELECT name FROM pets', targets, { clock });
  const ended = run.start();
  await changesUntil(
    run,
    () =>
      run.projects[4]?.run?.controls.wait !== undefined &&
      run.projects[3]?.state === 'done' &&
      run.projects[1]?.state === 'failed' &&
      run.projects[0]?.state === 'done',
  );
  assert.deepEqual(statesOf(run), [
    'Quick done 1',
    'Broken failed 0',
    'Slow running 0',
    'Other done 2',
    'Limited running 0',
  ]);
  assert.deepEqual(await sortedRows(run), ['Other Ada', 'Other Bo', 'Quick Rex']);
  assert.match(String(run.projects[1]?.run?.error), /no such table: pets/);
  assert.ok(run.projects[4]!.run!.controls.wait!.remainingMs > 0);
  release.resolve();
  await changesUntil(run, () => run.projects[2]?.state === 'done');
  run.projects[4]!.run!.controls.wait!.cancel();
  await ended;
  assert.equal(run.state, 'done');
  assert.deepEqual(statesOf(run), [
    'Quick done 1',
    'Broken failed 0',
    'Slow done 1',
    'Other done 2',
    'Limited failed 0',
  ]);
});

test('Retry removes what a project gave before it failed, and adds its rows once', async () => {
  const setup = [
    'CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT)',
    "INSERT INTO t (j) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT '[]' FROM n",
  ];
  const good = await newTarget('Good', { setup });
  const bad = await newTarget('Bad', { setup: [...setup, "UPDATE t SET j = '[' WHERE id = 1900"] });
  await using run = newRun('SELECT id, json(j) AS j FROM t', [bad, good]);
  await run.start();
  assert.deepEqual([run.projects[0]?.state, run.projects[1]?.state], ['failed', 'done']);
  assert.ok(run.projects[0]!.rowCount > 0 && run.rowCount > 2000);
  const file = join(folder, 'saved.rows');
  await run.storage.save(file);
  await run.queries.arrange({
    sort: [
      { column: 0, descending: true },
      { column: 1, descending: false },
    ],
    filters: [],
  });
  await bad.execute("UPDATE t SET j = '[]' WHERE id = 1900");
  await run.retryProject(0);
  await changesUntil(
    run,
    () => run.state === 'done' && run.projects[0]?.state === 'done' && run.queries.shownRows === 4000,
  );
  assert.deepEqual(statesOf(run), ['Bad done 2000', 'Good done 2000']);
  const rows = await shownRows(run);
  assert.deepEqual([rows[0], rows[2000], new Set(rows).size], ['Good 1 []', 'Bad 1 []', 4000]);
  await run.storage.save(file);
  const { spool, columns } = await openSavedSpool(file);
  assert.deepEqual([spool.rowCount, columns], [4000, run.columns]);
  await spool.close();
});

test('a project is stopped alone, and runs again by Retry', async () => {
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT max FROM limits)) SELECT i FROM n';
  const small = await newTarget('Small', { setup: ['CREATE TABLE limits (max)', 'INSERT INTO limits VALUES (3)'] });
  const large = await newTarget('Large', { setup: ['CREATE TABLE limits (max)', 'INSERT INTO limits VALUES (1e18)'] });
  await using run = newRun(endless, [large, small]);
  const ended = run.start();
  await changesUntil(run, () => run.projects[0]!.rowCount > 1000 && run.projects[1]?.state === 'done');
  run.stopProject(0);
  await ended;
  assert.deepEqual([run.state, run.projects[0]?.state, run.projects[1]?.state], ['done', 'cancelled', 'done']);
  await large.execute('UPDATE limits SET max = 2');
  await run.retryProject(0);
  await changesUntil(run, () => run.projects[0]?.state === 'done');
  assert.deepEqual(await sortedRows(run), ['Large 1', 'Large 2', 'Small 1', 'Small 2', 'Small 3']);
});

test('a project that cannot be reached has its own error, and the rest waits for a place', async () => {
  let connecting = 0;
  let most = 0;
  const one = await newTarget('Any', { setup: pets('Rex') });
  const release = Promise.withResolvers<void>();
  const targets = Array.from({ length: 12 }, (_, nth) => ({
    ...one,
    name: `P${nth}`,
    async connect() {
      most = Math.max(most, ++connecting);
      await release.promise;
      connecting--;
      if (nth === 0) throw new ProjectError('misuse', 'no_key', 'No API key is set.');
      return one.connect();
    },
  }));
  await using run = newRun('SELECT name FROM pets', targets);
  const ended = run.start();
  await changesUntil(run, () => run.projects.filter(({ state }) => state === 'running').length === 8);
  assert.equal(run.projects.filter(({ state }) => state === 'waiting').length, 4);
  run.stopProject(11);
  await changesUntil(run, () => run.projects[11]?.state === 'cancelled');
  const retried = run.retryProject(11);
  assert.equal(run.projects[11]?.state, 'waiting');
  release.resolve();
  await ended;
  assert.ok(await retried);
  assert.equal(most, 8);
  assert.deepEqual([run.state, run.rowCount, run.projects[0]?.state], ['done', 11, 'failed']);
});

test('the limits hold for all projects together', async () => {
  const setup = pets('a', 'b', 'c', 'd');
  const targets = [
    await newTarget('One', { setup }),
    await newTarget('Two', { setup }),
    await newTarget('Three', { setup }),
  ];
  await using run = newRun('SELECT name FROM pets', targets, { limits: { maxRows: 5, maxBytes: Infinity } });
  const ended = run.start();
  await changesUntil(run, () => run.projects.filter(({ state }) => state === 'paused').length === 2);
  assert.equal(run.rowCount, 5);
  run.controls.pause?.resume();
  await changesUntil(run, () => run.state === 'paused' && run.rowCount === 10);
  run.controls.pause?.finish();
  await ended;
  assert.deepEqual([run.state, run.rowCount], ['limited', 10]);
});

test('each write has its own key and outcome, and Retry asks the service for an unknown one', async () => {
  await using losing = await new ScriptedServer([loseAnswer(service.baseUrl), passOn(service.baseUrl)]).listen();
  const one = await newTarget('One', { setup: pets() });
  const two = await newTarget('Two', { setup: pets(), url: losing.url });
  const three = await newTarget('Three');
  await using run = newWrite("INSERT INTO pets (name) VALUES ('Rex')", [one, two, three]);
  await run.start();
  assert.deepEqual(
    run.projects.map(({ state, run: part }) => [state, part?.changedRows, part?.writeOutcome]),
    [
      ['done', 1, undefined],
      ['failed', undefined, 'unknown'],
      ['failed', undefined, undefined],
    ],
  );
  await run.retryProject(1);
  await changesUntil(run, () => run.projects[1]?.state === 'done');
  assert.deepEqual([run.projects[1]?.run?.changedRows, run.projects[1]?.run?.writeOutcome], [1, 'replayed']);
  assert.deepEqual(await two.execute('SELECT count(*) AS n FROM pets'), [{ n: 1 }]);
  const keys = new Set(losing.requests.map(({ headers }) => headers['x-idempotency-key']));
  assert.equal(keys.size, 1);
  assert.equal(run.changedRows, 2);
});
