import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenOf } from '../../../support/childProcesses.ts';
import { endless, startTestEngine } from '../../../support/testEngine.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const gone = { status: 404, code: 'project_not_found' };

test('a project is removed with its process and running statements, and no call brings it back', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)', { idempotencyKey: 'k' });
  await run('CREATE TABLE t (a)', { project: 'other' });
  const before = childrenOf(process.pid).length;
  const runaway = assert.rejects(run(endless), gone);
  const keyed = assert.rejects(run('INSERT INTO t VALUES (1)', { idempotencyKey: 'l' }), gone);
  // The calls are sent with this turn of the event loop.
  await new Promise(setImmediate);
  const removed = engine.remove('project');
  await assert.rejects(run('SELECT 1'), gone);
  await removed;
  await Promise.all([runaway, keyed]);
  await assert.rejects(engine.listTables('project'), gone);
  await waitUntil(() => childrenOf(process.pid).length === before - 1, { what: 'the process of the project goes on' });
  assert.deepEqual(
    readdirSync(folder).filter(name => !name.startsWith('other')),
    [],
  );
  assert.equal(await run('INSERT INTO t VALUES (1)', { project: 'other' }), 1);
});

test('an import brings a removed project back', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)', { idempotencyKey: 'k' });
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  await engine.remove('project');
  await engine.importFrom('project', file);
  assert.deepEqual(await engine.listTables('project'), ['t']);
  await assert.rejects(run('CREATE TABLE t (a)', { idempotencyKey: 'k' }), { code: 'sql_error' });
});
