import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { asProjectError } from '../../../src/base/errors.ts';
import type { GeneratedTable } from '../../../src/model/generating/generatedTable.ts';
import { generateRows } from '../../../src/model/generating/generateRows.ts';
import { generateInProcess } from '../../../src/model/generating/process/generatorProcess.ts';
import { trialFile } from '../../../src/model/generating/trialDatabase.ts';
import { childrenOf, OwnedChild } from '../../support/childProcesses.ts';
import { endlessTable, generatorEntry, smallTable } from '../../support/generatorProcess.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const folder = new ImportFolder();
let count = 0;
const newPath = (): string => join(folder.path, `rows ${++count}.db`);
const requestOf = (table: GeneratedTable) => ({ table, seed: 7, count: 20, path: newPath() });

function rowsIn(path: string): unknown[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database.prepare('SELECT * FROM t').all();
}

const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (thrown: unknown) => asProjectError(thrown)?.code,
  );

test('the process gives the same rows as the function, and leaves only their file', async () => {
  const inProcess = requestOf(smallTable);
  const counts: number[] = [];
  const onProgress = (rowCount: number): number => counts.push(rowCount);
  const generated = await generateInProcess({ ...inProcess, onProgress }, { entry: generatorEntry });
  const here = requestOf(smallTable);
  assert.deepEqual(generated, await generateRows(here));
  assert.deepEqual(rowsIn(inProcess.path), rowsIn(here.path));
  assert.deepEqual([trialFile(inProcess.path), trialFile(here.path)].filter(existsSync), []);
});

test('a check that keeps SQLite busy without end ends the process, and says so', async () => {
  const request = requestOf(endlessTable);
  const work = generateInProcess(request, { entry: generatorEntry, maxSilenceMs: 2000 });
  assert.equal(await codeOf(work), 'checks_too_slow');
  assert.deepEqual([childrenOf(process.pid), existsSync(trialFile(request.path))], [[], false]);
});

test('a user who cancels does not wait for such a check', async () => {
  const cancel = new AbortController();
  const request = requestOf(endlessTable);
  const work = generateInProcess({ ...request, signal: cancel.signal }, { entry: generatorEntry });
  await waitUntil(() => existsSync(request.path), { what: 'the process has not begun' });
  cancel.abort(new Error('The user cancelled.'));
  await assert.rejects(work, /The user cancelled/);
  assert.deepEqual(childrenOf(process.pid), []);
});

test('an error of the process has its code, and a process that ends early is an error', async () => {
  const reference = { columns: ['a'], table: 'other', targets: ['id'], rows: [], isCircle: false };
  const columns = smallTable.columns.map(column => ({ ...column, notNull: true }));
  const table = { ...smallTable, columns, references: [reference] };
  assert.equal(await codeOf(generateInProcess(requestOf(table), { entry: generatorEntry })), 'no_referenced_rows');
  const broken = generateInProcess(requestOf(smallTable), { entry: join(folder.path, 'nothing.mjs') });
  assert.equal(await codeOf(broken), 'generator_failed');
});

test('a process whose window is gone ends, even in the middle of such a check', async () => {
  const path = newPath();
  const entry = new URL('../../support/generatorProcess.ts', import.meta.url);
  const child = fork(entry, [path]);
  await using window = new OwnedChild(child, () => child.kill());
  await waitUntil(() => existsSync(path), { what: 'the process has not begun' });
  const [pid] = childrenOf(child.pid!);
  assert.ok(pid);
  child.kill('SIGKILL');
  await window.exited;
  await waitUntil(() => !existsSync(`/proc/${pid}`), { what: 'the process has not ended' });
});
