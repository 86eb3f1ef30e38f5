import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { LogLine, ResultSubject } from '../../../src/host/results/result.ts';
import { ResultTab } from '../../../src/host/results/resultTab.ts';
import { planRun } from '../../../src/model/results/planRun.ts';
import { dropSavedValues } from '../../../src/model/savedValues.ts';
import { savedResultsFolder } from '../../support/savedResultsFolder.ts';
import { TestRun } from '../../support/testRun.ts';

const profile = { id: 'p1', name: 'Shop', protection: 'open', color: undefined } as const;

/** A result that has ended. Its rows are saved once `beforeSaved` has settled. */
function endedResult(
  title: string,
  subject: Partial<ResultSubject> = {},
  beforeSaved = (): Promise<void> => Promise.resolve(),
): ResultTab {
  const run = new TestRun({
    state: 'done',
    rowCount: 5,
    storage: {
      releaseBudget: () => undefined,
      async save(file) {
        await beforeSaved();
        await writeFile(file, 'rows');
      },
    },
  });
  return new ResultTab(run, { profile, statement: title, ...subject });
}

/** A result whose rows take until `finish` to be saved. */
function largeResult() {
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const result = endedResult('large', {}, () => {
    started.resolve();
    return finished.promise;
  });
  return { result, started: started.promise, finish: () => finished.resolve() };
}

test('results are listed while the rows of another one are still written, and the clean-up then removes none of them', async () => {
  const folder = savedResultsFolder();
  const saved = folder.open();
  const { result: large, started, finish } = largeResult();
  const small = endedResult('small');
  const changes = [saved.save(large, false), saved.save(small, false)];
  await started;
  assert.deepEqual(
    (await saved.records()).map(({ title }) => title),
    ['large', 'small'],
  );
  changes.push(saved.removeOrphans());
  finish();
  await Promise.all(changes);
  assert.deepEqual(await folder.files(), [large, small].map(({ id }) => `${id}.rows`).toSorted());
});

test('a result that is removed while its rows are written leaves no file', async () => {
  const folder = savedResultsFolder();
  const saved = folder.open();
  const { result, started, finish } = largeResult();
  const changes = [saved.save(result, false)];
  await started;
  changes.push(saved.remove(result));
  finish();
  await Promise.all(changes);
  assert.deepEqual([await saved.records(), await folder.files()], [[], []]);
});

test('the next window gets the steps of a pinned query plan', async () => {
  const folder = savedResultsFolder();
  const plan = [
    { detail: 'MERGE', step: 'other', depth: 0 },
    { detail: 'SCAN a', step: 'scan', depth: 1 },
  ] as const;
  const tab = new ResultTab(planRun(3), { profile, statement: 'SELECT ? FROM a', title: 'Plan: a', plan });
  await folder.open().save(tab, false);
  const [record] = await folder.open().records();
  assert.deepEqual(record?.subject, { profile, statement: 'SELECT ? FROM a', plan, params: [] });
  assert.deepEqual([record?.title, record?.run.elapsedMs], ['Plan: a', 3]);
});

test('the next window gets the sources and the counts of a comparison', async () => {
  const folder = savedResultsFolder();
  const side = { name: 'pets', at: 5, isPart: false };
  const changes = [{ column: 2, before: 4 }];
  const summary = { added: 1, removed: 2, changed: 1, same: 3, duplicates: 0, changedColumns: [2] };
  const comparison = { before: side, after: { ...side, at: 6, isPart: true }, key: ['id'], changes, summary };
  await folder.open().save(endedResult('pets → pets', { comparison: () => comparison }), false);
  const [record] = await folder.open().records();
  assert.deepEqual(record?.subject.comparison?.(), comparison);
});

test('the next window gets what a search was for and how far it came', async () => {
  const folder = savedResultsFolder();
  const search = { text: 'oak', column: 3, tables: 12, searched: 5, table: undefined };
  await folder.open().save(endedResult('Search: oak', { search: () => search }), false);
  const [record] = await folder.open().records();
  assert.deepEqual(record?.subject.search?.(), search);
});

test('the next window gets a record with the statement, its position and the run’s figures', async () => {
  const folder = savedResultsFolder();
  const origin = { uri: 'file:///shop.sql', start: 3, end: 11, isUnchanged: true };
  const result = endedResult('SELECT 1', { table: 'orders', origin });
  result.title = 'One';
  await folder.open().save(result, true);
  const [record] = await folder.open().records();
  assert.deepEqual([record?.id, record?.title, record?.isInEditor], [result.id, 'One', true]);
  assert.deepEqual(record?.subject, {
    profile,
    statement: 'SELECT 1',
    table: 'orders',
    origin: { ...origin, isUnchanged: false },
    params: [],
  });
  assert.deepEqual([record.run.state, record.run.rowCount], ['done', 5]);
});

test('the next window gets the places of the lines of a pinned script log, unless its script is long', async () => {
  const folder = savedResultsFolder();
  const origin = { uri: 'file:///shop.sql', start: 3, end: 11, isUnchanged: true };
  const line = { statement: 'DELETE x', origin, errorRange: { start: 7, end: 8 } };
  const gone = { statement: 'DROP y', origin: undefined, errorRange: undefined };
  const logAfterReload = async (log: readonly LogLine[]) => {
    await folder.open().save(endedResult('DELETE x;DROP y', { log }), false);
    return (await folder.open().records()).at(-1)?.subject.log;
  };
  assert.deepEqual(await logAfterReload([line, gone]), [{ ...line, origin: { ...origin, isUnchanged: false } }, gone]);
  assert.equal(await logAfterReload([line, { ...gone, statement: 'x'.repeat(100_000) }]), undefined);
});

test('a result that has not ended is listed without rows', async () => {
  const folder = savedResultsFolder();
  const saved = folder.open();
  const result = new ResultTab(new TestRun(), { profile, statement: 'SELECT 1' });
  await saved.save(result, false);
  const [record] = await folder.open().records();
  assert.deepEqual([record?.run.state, await folder.files()], ['running', []]);
});

const sizes = [
  ['short', 10],
  ['longer than VS Code’s state should hold', 1_000_000],
] as const;

for (const [size, length] of sizes) {
  test(`parameter values that are ${size} survive a reload if the user lets them be stored`, async () => {
    const folder = savedResultsFolder();
    const params = ['x'.repeat(length), 9_007_199_254_740_993n, null];
    const result = endedResult('SELECT ?, ?, ?', { params });
    await folder.open({ savesValues: true }).save(result, false);
    const saved = folder.open({ savesValues: true });
    const [record] = await saved.records();
    assert.deepEqual([record?.subject.params, record?.subject.lacksValues], [params, undefined]);
    assert.ok(JSON.stringify(folder.list()).length < 10_000, 'the list stays short');
    await saved.remove(result);
    assert.deepEqual(await folder.files(), []);
  });

  test(`parameter values that are ${size} are not stored otherwise, and the next window knows that they are missing`, async () => {
    const folder = savedResultsFolder();
    const secret = 'canary'.repeat(length);
    const result = endedResult('SELECT ?', { params: [secret] });
    await folder.open().save(result, false);
    assert.deepEqual(await folder.files(), [`${result.id}.rows`]);
    assert.doesNotMatch(JSON.stringify(folder.list()), /canary/);
    const [record] = await folder.open().records();
    assert.deepEqual([record?.subject.params, record?.subject.lacksValues], [undefined, true]);
    assert.equal(record?.subject.statement, 'SELECT ?');
  });

  test(`stored parameter values that are ${size} are removed when the user no longer allows them`, async () => {
    const folder = savedResultsFolder();
    const results = [endedResult('SELECT ?', { params: ['canary'.repeat(length)] }), endedResult('SELECT 1')];
    for (const result of results) await folder.open({ savesValues: true }).save(result, false);
    await dropSavedValues(folder.state, folder.path);
    assert.deepEqual(await folder.files(), results.map(({ id }) => `${id}.rows`).toSorted());
    assert.doesNotMatch(JSON.stringify(folder.list()), /canary|params/i);
    const records = await folder.open({ savesValues: true }).records();
    assert.deepEqual(
      records.map(({ subject }) => [subject.statement, subject.lacksValues]),
      [
        ['SELECT ?', true],
        ['SELECT 1', undefined],
      ],
    );
  });
}

test('a file of values that was written while the user forbade them goes with the clean-up', async () => {
  const folder = savedResultsFolder();
  const result = endedResult('SELECT ?', { params: ['x'] });
  await folder.open().save(result, false);
  await folder.addFile(`${result.id}.params.json`);
  await folder.open().removeOrphans();
  assert.deepEqual(await folder.files(), [`${result.id}.rows`]);
});

for (const [what, fields] of [
  ['with an unknown outcome', { state: 'failed', writeOutcome: 'unknown' }],
  ['that had not ended', { state: 'running' }],
] as const) {
  test(`the outcome of a write ${what} whose parameter values were not stored cannot be checked`, async () => {
    const folder = savedResultsFolder();
    const writeKey = { saved: { text: 'once', since: 0 }, wasSent: true, isRemembered: true };
    const run = new TestRun({ ...fields, writeKey: writeKey as TestRun['writeKey'] });
    const withParams = new ResultTab(run, { profile, statement: 'DELETE FROM t WHERE a = ?', params: [1] });
    const without = new ResultTab(run, { profile, statement: 'DELETE FROM t WHERE a = 1', params: [] });
    const saved = folder.open();
    await saved.save(withParams, false);
    await saved.save(without, false);
    const records = await folder.open().records();
    assert.deepEqual(
      records.map(record => [record.run.writeKey?.text, record.run.writeOutcome]),
      [
        [undefined, 'expired'],
        ['once', run.writeOutcome],
      ],
    );
  });
}

test('the clean-up removes what a killed window left: rows without a record, and half-written files', async () => {
  const folder = savedResultsFolder();
  const saved = folder.open();
  const result = endedResult('SELECT 1');
  await saved.save(result, false);
  for (const name of ['lost.rows', 'lost.rows.index', `${result.id}.rows.index.new`]) await folder.addFile(name);
  await saved.removeOrphans();
  assert.deepEqual(await folder.files(), [`${result.id}.rows`]);
});

test('the projects of a result are saved with it, and a write that was under way has an open outcome', async () => {
  const saved = savedResultsFolder().open();
  const part = {
    name: 'A',
    state: 'done',
    rowCount: 5,
    changedRows: undefined,
    elapsedMs: 12,
    problem: undefined,
    waitsMs: undefined,
    isWriting: false,
    outcome: undefined,
    lacks: [2],
    actions: ['retry'],
  } as const;
  const parts = [
    part,
    { ...part, state: 'running', isWriting: true },
    { ...part, state: 'failed', problem: 'No.' },
  ] as const;
  await saved.save(endedResult('several', { projects: { ids: ['a', 'b', 'c'], parts: () => parts } }), false);
  const [record] = await saved.records();
  assert.deepEqual(record?.subject.projects?.ids, ['a', 'b', 'c']);
  assert.deepEqual(
    record.subject.projects
      .parts()
      .map(({ state, outcome, problem, actions }) => [state, outcome, problem, actions.length]),
    [
      ['done', undefined, undefined, 0],
      ['cancelled', 'expired', undefined, 0],
      ['failed', undefined, 'No.', 0],
    ],
  );
});
