import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenOf } from '../../../support/childProcesses.ts';
import { endless, startTestEngine } from '../../../support/testEngine.ts';

const gone = { status: 404, code: 'project_not_found' };

test('a project is removed with its process, from the midst of its statements, and no call brings it back', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)', { once: { key: 'k', fingerprint: 'f' } });
  await run('CREATE TABLE t (a)', { project: 'other' });
  const before = childrenOf(process.pid).length;
  const runaway = assert.rejects(run(endless), gone);
  const keyed = assert.rejects(run('INSERT INTO t VALUES (1)', { once: { key: 'l', fingerprint: 'f' } }), gone);
  // Sent with this turn of the loop, so that the process is at it.
  await new Promise(setImmediate);
  const removed = engine.remove('project');
  await assert.rejects(run('SELECT 1'), gone);
  await removed;
  await Promise.all([runaway, keyed]);
  await assert.rejects(engine.listTables('project'), gone);
  assert.equal(childrenOf(process.pid).length, before - 1);
  assert.deepEqual(
    readdirSync(folder).filter(name => !name.startsWith('other')),
    [],
  );
  assert.equal(await run('INSERT INTO t VALUES (1)', { project: 'other' }), 1);
});

test('a project that was removed comes back by an import', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const once = { key: 'k', fingerprint: 'f' };
  await run('CREATE TABLE t (a)', { once });
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  await engine.remove('project');
  await engine.importFrom('project', file);
  assert.deepEqual(await engine.listTables('project'), ['t']);
  await assert.rejects(run('CREATE TABLE t (a)', { once }), { code: 'sql_error' });
});
