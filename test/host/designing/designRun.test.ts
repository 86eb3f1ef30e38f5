import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type Project } from '../../../src/client/index.ts';
import { planChange } from '../../../src/model/shaping/changePlan.ts';
import { readTableDesign } from '../../../src/model/shaping/readTableDesign.ts';
import { readSchemaEntries } from '../../../src/model/catalog/schemaEntries.ts';
import type { ChangePlan } from '../../../src/model/shaping/plan.ts';
import type { UnfinishedDesign } from '../../../src/protocol/designer.ts';
import { rememberedMs } from '../../../src/wire/headers.ts';
import { loseAnswer } from '../../support/lostAnswers.ts';
import { type Refusal, type SeenRequest, startRefusingProxy } from '../../support/refusingProxy.ts';
import { type Answer, reply } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { DesignRun } = await import('../../../src/host/designing/designRun.ts');
const { emptyPlan } = await import('../../../src/host/designing/designPlan.ts');

const service = await startTestService();
const shop = service.client.project(service.projectId);
const busy: Refusal = { status: 503, code: 'busy' };

interface FailingRebuild {
  /** A project whose rebuild fails, because a row breaks the new check. */
  readonly project: Project;
  readonly plan: ChangePlan;
  readonly schema: () => Promise<string[]>;
  /** Answers the next statements that match otherwise. */
  readonly fail: (matches: RegExp, answer: Refusal | Answer) => void;
}

async function withFailingRebuild(table: string, body: (rebuild: FailingRebuild) => Promise<void>): Promise<void> {
  await shop.sql(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, a TEXT)`);
  await shop.sql(`CREATE INDEX ${table}_a ON ${table} (a)`);
  await shop.sql(`INSERT INTO ${table} VALUES (1, 'x'), (2, 'abc')`);
  let failure: { readonly matches: RegExp; readonly answer: Refusal | Answer } | undefined;
  using proxy = await startRefusingProxy(service.baseUrl, (request: SeenRequest) => {
    const { sql = '' } = JSON.parse(request.body || '{}') as { sql?: string };
    if (failure?.matches.test(sql) !== true) return undefined;
    const { answer } = failure;
    failure = undefined;
    return answer;
  });
  await using client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
  const entries = await readSchemaEntries(shop);
  const before = readTableDesign(entries, table);
  assert.ok(typeof before === 'object');
  const checks = [{ expression: 'length(a) < 2' }];
  const after = {
    ...before,
    columns: before.columns.map(column => (column.name === 'a' ? { ...column, checks } : column)),
  };
  const plan = await planChange({ before, after, schema: entries });
  assert.equal(plan.way, 'rebuild');
  await body({
    project: client.project(service.projectId),
    plan,
    schema: async () =>
      // A table that was renamed and renamed back has its name in quotes.
      (await readSchemaEntries(shop))
        .filter(entry => entry.table.endsWith(table))
        .map(({ sql }) => sql.replaceAll('"', ''))
        .toSorted(),
    fail: (matches, answer) => (failure = { matches, answer }),
  });
}

const options = (project: Project, unfinished?: UnfinishedDesign) => ({
  project,
  onProgress: () => undefined,
  onUndo: () => undefined,
  unfinished,
});

test('an undo that stops says what stays, and continues where it stopped', async () => {
  await withFailingRebuild('stopped', async ({ project, plan, schema, fail }) => {
    const before = await schema();
    const run = new DesignRun(plan, options(project));
    fail(/^DROP TRIGGER sqlproject_lock_update/, busy);
    const stop = await run.run();
    // Three statements refuse writes, the fourth makes the copy, and the fifth fails to fill it.
    assert.match(
      stop!.message,
      /^Statement 5 of \d+ failed \(Copy the rows[^]*CHECK constraint failed[^]*\nStatement 2 could not be undone\.\n[^]*\nUndone: statements 3 to 4\.\nRun, with changes that stay: statements 1 to 2\.\nChoose Undo Statements: it continues where it stopped\.\nNot sent: statements 6 to \d+\.$/,
    );
    assert.equal(stop!.isUndone, false);
    assert.deepEqual(run.actions, ['undo', 'openRemaining']);
    const left = ['DROP TRIGGER sqlproject_lock_update_stopped', 'DROP TRIGGER sqlproject_lock_insert_stopped'];
    assert.deepEqual(run.unfinished('').remaining, left);
    assert.deepEqual(run.unfinished('').undo, left);
    await assert.rejects(shop.sql("INSERT INTO stopped VALUES (3, 'y')"), /being rebuilt/);
    assert.equal(await run.undo(), undefined);
    assert.deepEqual(await schema(), before);
    await shop.sql("INSERT INTO stopped VALUES (3, 'y')");
  });
});

test('a check that fails says what it has found', async () => {
  await withFailingRebuild('checked', async ({ project, plan, fail }) => {
    await shop.sql('DELETE FROM checked WHERE id = 2');
    fail(/AS difference/, reply({ ok: false, code: 'sql_error', error: 'malformed JSON' }, 400));
    const stop = await new DesignRun(plan, options(project)).run();
    assert.match(stop?.message ?? '', /\nThe rows of '[^']+' differ from those of 'checked'\.\n/);
    assert.equal(stop?.isUndone, true);
  });
});

test('tables that begin to refer to the old one during a rebuild keep it, and the rebuild is undone', async () => {
  await withFailingRebuild('referred', async ({ project, plan, schema }) => {
    await shop.sql('DELETE FROM referred WHERE id = 2');
    const before = await schema();
    const { other: old } = plan.steps.find(({ code }) => code === 'checkUses')!;
    const lateTables = ['visits', `"Ann's tours"`];
    const sql: Project['sql'] = async (statement, ...rest) => {
      if (statement.includes('AS uses')) {
        for (const table of lateTables) await shop.sql(`CREATE TABLE ${table} (id REFERENCES "${old}")`);
      }
      return project.sql(statement, ...rest);
    };
    const stop = await new DesignRun(plan, { ...options(project), project: { sql } }).run();
    assert.match(
      stop?.message ?? '',
      new RegExp(`\\nThe old table '${RegExp.escape(old!)}' is still used by: visits, Ann's tours\\.\\n`),
    );
    assert.equal(stop?.isUndone, true);
    for (const table of lateTables) await shop.sql(`DROP TABLE ${table}`);
    assert.deepEqual(await schema(), before);
  });
});

test('an undo whose answer is lost continues in the next window, and runs nothing twice', async () => {
  await withFailingRebuild('lost', async ({ project, plan, schema, fail }) => {
    const before = await schema();
    const run = new DesignRun(plan, options(project));
    fail(/^DROP TRIGGER sqlproject_lock_delete/, loseAnswer(service.baseUrl));
    const stop = await run.run();
    assert.match(
      stop!.message,
      /\nNo answer came when statement 3 was undone, so it is unknown whether it stays\.\n[^]*\nUndone: statement 4\.\nRun, with changes that stay: statements 1 to 2\.\nChoose Undo Statements: it continues with the same key, so that nothing runs twice\./,
    );
    const next = new DesignRun(emptyPlan, options(project, run.unfinished('')));
    assert.deepEqual(next.actions, ['undo', 'openRemaining']);
    fail(/^DROP TRIGGER sqlproject_lock_insert/, busy);
    assert.match(
      (await next.undo())!.message,
      /^Statement 3 of 3 of the undo failed\. Those before it have run\.\n[^]*\nChoose Undo Statements: it continues where it stopped\.$/,
    );
    assert.deepEqual(next.unfinished('').remaining, ['DROP TRIGGER sqlproject_lock_insert_lost']);
    assert.equal(await next.undo(), undefined);
    assert.deepEqual(await schema(), before);
  });
});

test('an undo whose lost answer the service may have forgotten is not sent again, and the user is told', async () => {
  await withFailingRebuild('forgotten', async ({ project, plan, schema, fail }) => {
    const run = new DesignRun(plan, options(project));
    fail(/^DROP TRIGGER sqlproject_lock_delete/, loseAnswer(service.baseUrl));
    await run.run();
    const left = run.unfinished('');
    const sentKey = { ...left.sentKey!, since: left.sentKey!.since - rememberedMs };
    const stopped = await schema();
    const next = new DesignRun(emptyPlan, options(project, { ...left, sentKey }));
    assert.deepEqual(next.actions, ['openRemaining']);
    assert.match(next.undoRefusal ?? '', /^The statement was not sent again\./);
    const { message } = (await next.undo())!;
    assert.match(
      message,
      /^No answer came to statement 1 of 3 of the undo, so it is unknown whether it ran\.\nThe statement was not sent again\. [^\n]*$/,
    );
    assert.deepEqual(next.unfinished('').undo, left.undo);
    assert.deepEqual(await schema(), stopped);
  });
});

test('the window that ends in an undo leaves to the next one what is not undone', async () => {
  await withFailingRebuild('ended', async ({ project, plan, schema, fail }) => {
    const before = await schema();
    const states: UnfinishedDesign[] = [];
    const run = new DesignRun(plan, { ...options(project), onUndo: () => states.push(run.unfinished('')) });
    fail(/^DROP TRIGGER sqlproject_lock_update/, loseAnswer(service.baseUrl));
    await run.run();
    assert.deepEqual(
      states.map(({ undo }) => undo!.length),
      [4, 3, 2],
    );
    // The last statement was sent and has run, as far as the service knows.
    const next = new DesignRun(emptyPlan, options(project, states.at(-1)));
    assert.equal(await next.undo(), undefined);
    assert.deepEqual(await schema(), before);
  });
});

test('a window that ends at any statement of a rebuild leaves what takes it back', async () => {
  for (const isRun of [true, false]) {
    const table = isRun ? 'ran' : 'unsent';
    await withFailingRebuild(table, async ({ project, schema, plan: { steps: failing } }) => {
      await shop.sql(`DELETE FROM ${table} WHERE id = 2`);
      const before = await schema();
      const last = failing.findIndex(({ undo }) => undo === undefined);
      for (let end = 0; end < last; end++) {
        let state: UnfinishedDesign | undefined;
        const { code, other } = failing[end]!;
        // The locks of the three kinds of writes are alike.
        if (code === 'lockTable' && other !== 'UPDATE') continue;
        const steps = failing.slice(0, end + 1);
        const ending = {
          sql: (...call: Parameters<Project['sql']>) => {
            if (call[0] !== steps[end]!.sql || isRun) return project.sql(...call);
            return Promise.reject(new Error('The window has ended.'));
          },
        };
        const run = new DesignRun(
          { ...emptyPlan, way: 'alter', steps },
          { ...options(project), project: ending, onProgress: () => (state = run.unfinished('')) },
        );
        await run.run();
        const next = new DesignRun(emptyPlan, options(project, state));
        assert.equal(await next.undo(), undefined, steps[end]!.sql);
        assert.deepEqual(await schema(), before);
      }
    });
  }
});
