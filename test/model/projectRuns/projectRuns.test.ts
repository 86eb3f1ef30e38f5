import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSavedSpool } from '../../../src/model/results/spool/savedSpool.ts';
import { openProjectRuns, changesUntil, shownRows, sortedRows, statesOf } from '../../support/projectRuns.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
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
  const columns = [at('project'), at('id'), at('project:1')];
  const request = { format: 'ndjson', headers: true, guardFormulas: false, table: 't' } as const;
  const ranges = [{ firstRow: 0, endRow: 2, columns }];
  const { signal } = new AbortController();
  const pieces = await Array.fromAsync(run.queries.text({ ...request, ranges }, { signal }));
  assert.deepEqual(Buffer.concat(pieces).toString().trim().split('\n').toSorted(), [
    '{"project":"One","id":9007199254740993,"project:1":"own"}',
    '{"project":"Two","id":null,"project:1":null}',
  ]);
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
      run.projects[4]?.run.controls.wait !== undefined &&
      run.projects[3]?.run.state === 'done' &&
      run.projects[1]?.run.state === 'failed' &&
      run.projects[0]?.run.state === 'done',
  );
  assert.deepEqual(statesOf(run), [
    'Quick done 1',
    'Broken failed 0',
    'Slow running 0',
    'Other done 2',
    'Limited running 0',
  ]);
  assert.deepEqual(await sortedRows(run), ['Other Ada', 'Other Bo', 'Quick Rex']);
  assert.match(String(run.projects[1]?.run.error), /no such table: pets/);
  assert.ok(run.projects[4]!.run.controls.wait!.remainingMs > 0);
  release.resolve();
  await changesUntil(run, () => run.projects[2]?.run.state === 'done');
  run.projects[4]!.run.controls.wait!.cancel();
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

test('Retry adds the rows of a project that gave none, to the result and to its saved rows', async () => {
  const good = await newTarget('Good', { setup: pets('Rex', 'Tom') });
  const bad = await newTarget('Bad');
  await using run = newRun('SELECT id, name FROM pets', [bad, good]);
  await run.start();
  assert.deepEqual(statesOf(run), ['Bad failed 0', 'Good done 2']);
  const file = join(folder, 'saved.rows');
  await run.storage.save(file);
  await run.queries.arrange({
    sort: [
      { column: 0, descending: true },
      { column: 1, descending: false },
    ],
    filters: [],
  });
  for (const sql of pets('Ada', 'Bo')) await bad.execute(sql);
  assert.ok(await run.retryProject(0));
  await changesUntil(run, () => run.state === 'done' && run.queries.shownRows === 4);
  assert.deepEqual(await shownRows(run), ['Good 1 Rex', 'Good 2 Tom', 'Bad 1 Ada', 'Bad 2 Bo']);
  assert.equal(await run.retryProject(0), false);
  await run.storage.save(file);
  const { spool, columns } = await openSavedSpool(file);
  assert.deepEqual([spool.rowCount, columns], [4, run.columns]);
  await spool.close();
});

test('a project that fails after its first rows keeps them, and is not tried again alone', async () => {
  const setup = [
    'CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT)',
    "INSERT INTO t (j) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT '[]' FROM n",
    "UPDATE t SET j = '[' WHERE id = 1900",
  ];
  await using run = newRun('SELECT id, json(j) AS j FROM t', [await newTarget('Bad', { setup })]);
  await run.start();
  const { rowCount } = run;
  assert.ok(rowCount > 0);
  assert.deepEqual([run.state, run.projects[0]?.canRetry], ['failed', false]);
  assert.equal(await run.retryProject(0), false);
  assert.equal(run.rowCount, rowCount);
});

test('a project is stopped alone, and keeps its rows', async () => {
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT max FROM limits)) SELECT i FROM n';
  const small = await newTarget('Small', { setup: ['CREATE TABLE limits (max)', 'INSERT INTO limits VALUES (3)'] });
  const large = await newTarget('Large', { setup: ['CREATE TABLE limits (max)', 'INSERT INTO limits VALUES (1e18)'] });
  await using run = newRun(endless, [large, small]);
  const ended = run.start();
  await changesUntil(run, () => run.projects[0]!.run.rowCount > 1000 && run.projects[1]?.run.state === 'done');
  run.stopProject(0);
  await ended;
  assert.deepEqual([run.state, run.projects[0]?.run.state, run.projects[1]?.run.state], ['done', 'cancelled', 'done']);
  assert.ok(run.projects[0]!.run.rowCount > 1000);
  assert.equal(run.rowCount, run.projects[0]!.run.rowCount + 3);
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
  run.stopProject(11);
  await changesUntil(run, () => run.projects[11]?.run.state === 'cancelled');
  release.resolve();
  await ended;
  assert.equal(most, 8);
  assert.deepEqual([run.state, run.rowCount, run.projects[0]?.run.state], ['done', 10, 'failed']);
  assert.ok(await run.retryProject(11));
  assert.equal(run.rowCount, 11);
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
  await changesUntil(run, () => run.projects.filter(({ run: { state } }) => state === 'paused').length === 2);
  assert.equal(run.rowCount, 5);
  run.controls.pause?.resume();
  await changesUntil(run, () => run.state === 'paused' && run.rowCount === 10);
  run.controls.pause?.finish();
  await ended;
  assert.deepEqual([run.state, run.rowCount], ['limited', 10]);
});

test('the rows of all projects take their size once from the disk budget', async () => {
  const setup = pets('a', 'b');
  const targets = [await newTarget('One', { setup }), await newTarget('Two', { setup })];
  let limit = Infinity;
  const disk = new DiskBudget(() => limit);
  const run = newRun('SELECT name FROM pets', targets, { disk });
  await run.start();
  const isFullAt = (bytes: number): boolean => {
    limit = bytes;
    return disk.isFull;
  };
  assert.deepEqual([isFullAt(run.sizeBytes), isFullAt(run.sizeBytes + 1)], [true, false]);
  await run.dispose();
  assert.equal(isFullAt(1), false);
});

test('each write has its own key and outcome, and Retry asks the service for an unknown one', async () => {
  await using losing = await new ScriptedServer([loseAnswer(service.baseUrl), passOn(service.baseUrl)]).listen();
  const one = await newTarget('One', { setup: pets() });
  const two = await newTarget('Two', { setup: pets(), url: losing.url });
  const three = await newTarget('Three');
  await using run = newWrite("INSERT INTO pets (name) VALUES ('Rex')", [one, two, three]);
  await run.start();
  assert.deepEqual(
    run.projects.map(({ run: part }) => [part.state, part.changedRows, part.writeOutcome]),
    [
      ['done', 1, undefined],
      ['failed', undefined, 'unknown'],
      ['failed', undefined, undefined],
    ],
  );
  await run.retryProject(1);
  await changesUntil(run, () => run.projects[1]?.run.state === 'done');
  assert.deepEqual([run.projects[1]?.run.changedRows, run.projects[1]?.run.writeOutcome], [1, 'replayed']);
  assert.deepEqual(await two.execute('SELECT count(*) AS n FROM pets'), [{ n: 1 }]);
  const keys = new Set(losing.requests.map(({ headers }) => headers['x-idempotency-key']));
  assert.equal(keys.size, 1);
  assert.equal(run.changedRows, 2);
});
