import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { ProjectError } from '../../../src/base/errors.ts';
import { isCut } from '../../../src/model/history/historyEntry.ts';
import { keptRowsFile, keptRowsFolder } from '../../../src/model/history/historyFiles.ts';
import { startHistoryThread } from '../../support/historyThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const writer = join(import.meta.dirname, '../../support/historyWriter.ts');

test('when one of two windows that write at once is killed, at most its last entry is lost', async () => {
  const folder = temporaryFolder();
  const start = (name: string) => {
    const child = spawn(process.execPath, [writer, folder, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    const state = { stored: 0 };
    const lines = createInterface(child.stdout).on('line', line => (state.stored = Number(line)));
    const reach = async (count: number): Promise<void> => {
      while (state.stored < count) await once(lines, 'line');
    };
    const end = async (): Promise<void> => {
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    return { state, reach, end };
  };
  const killed = start('killed');
  const other = start('other');
  await Promise.all([killed.reach(100), other.reach(100)]);
  await killed.end();
  await other.reach(other.state.stored + 20);
  await other.end();

  await using history = startHistoryThread(folder);
  for (const [name, { state }] of Object.entries({ killed, other })) {
    const entries = await history.page({ filter: { text: `'${name}` }, count: 100_000 });
    const numbers = entries.map(({ sql }) => Number(/\d+/.exec(sql)?.[0])).toReversed();
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => index + 1),
      'no entry is missing',
    );
    // The last entry may be stored although the window was killed before it could say so.
    assert.ok(numbers.length === state.stored || numbers.length === state.stored + 1, `${numbers.length}`);
  }
});

test('statements that differ only in values are one, and those that took most of the time come first', async () => {
  await using history = startHistoryThread(temporaryFolder());
  await history.add({ sql: 'SELECT * FROM pets WHERE id = 1', elapsedMs: 10, rowCount: 1 });
  await history.add({ sql: 'select  1 -- slow\n', elapsedMs: 25 });
  await history.add({
    sql: "SELECT * FROM pets /* hint */\n WHERE id = 'b'",
    elapsedMs: 30,
    rowCount: 3,
    kind: 'agent',
  });
  await history.add({ sql: 'SELECT * FROM pets WHERE id = 3', elapsedMs: 20, outcome: 'limited', kind: 'rerun' });
  await history.add({ sql: 'SELECT * FROM pets WHERE id = 4', elapsedMs: 900, outcome: 'failed' });
  await history.add({ sql: 'SELECT * FROM pets WHERE id = 5', elapsedMs: 900, profileId: 'bank' });
  await history.add({ sql: 'INSERT INTO pets VALUES (6)', elapsedMs: 900, kind: 'import' });
  const insights = await history.call('insights', { profileId: 'shop', count: 10 });
  assert.deepEqual(insights, [
    {
      statement: 'SELECT * FROM pets WHERE id = ?',
      runs: 3,
      totalMs: 60,
      slowestMs: 30,
      rows: 4,
      sql: "SELECT * FROM pets /* hint */\n WHERE id = 'b'",
    },
    { statement: 'select ?', runs: 1, totalMs: 25, slowestMs: 25, rows: 0, sql: 'select  1 -- slow\n' },
  ]);
  assert.equal((await history.call('insights', { profileId: 'shop', count: 1 })).length, 1);
});

test('a search finds words in any order and case, with filters, page by page', async () => {
  await using history = startHistoryThread(temporaryFolder());
  await history.add({ sql: 'SELECT name FROM Customers' });
  await history.add({ sql: 'DELETE FROM customers', isWrite: true, changedRows: 3 });
  await history.add({ sql: 'SELECT 100%_\\', profileId: 'bank', project: 'Bank' });
  await history.add({ sql: 'SELECT x', outcome: 'failed', message: 'no such column: x' });
  await history.add({ sql: 'SELECT y', kind: 'agent', agent: 'Claude' });
  const found = async (...page: Parameters<typeof history.page>) => (await history.page(...page)).map(({ sql }) => sql);

  assert.deepEqual(await found({ filter: { text: 'customers select' } }), ['SELECT name FROM Customers']);
  assert.deepEqual(await found({ filter: { text: '%_\\' } }), ['SELECT 100%_\\']);
  assert.deepEqual(await found({ filter: { text: 'SUCH column' } }), ['SELECT x']);
  assert.deepEqual(await found({ filter: { isWrite: true } }), ['DELETE FROM customers']);
  assert.deepEqual(await found({ filter: { isFailed: true } }), ['SELECT x']);
  assert.deepEqual(await found({ filter: { isAgent: true } }), ['SELECT y']);
  assert.deepEqual(await found({ filter: { profileIds: ['bank', 'missing'] } }), ['SELECT 100%_\\']);
  const [newest, second] = await history.page({ count: 2 });
  assert.deepEqual([newest?.sql, newest?.agent, second?.message], ['SELECT y', 'Claude', 'no such column: x']);
  await history.call('remove', newest!.id);
  assert.deepEqual(await found({ count: 1 }), ['SELECT x']);
});

test('the newest entries stay within the bound, and a long statement is cut', async () => {
  const folder = temporaryFolder();
  await using history = startHistoryThread(folder);
  for (let number = 1; number <= 12; number++) await history.add({ sql: `SELECT ${number}` }, 10);
  const entries = await history.page();
  assert.deepEqual([entries.length, entries[0]?.sql, entries.at(-1)?.sql], [10, 'SELECT 12', 'SELECT 3']);
  await history.add({ sql: 'x'.repeat(1_000_000), message: 'y'.repeat(1_000_000) });
  const [long] = await history.page({ count: 1 });
  assert.ok(long && isCut(long));
  assert.deepEqual([long.sql.length, long.message?.length], [100_001, 2000]);
});

test('a damaged file is renamed and told, and a new one begins', async () => {
  const folder = temporaryFolder();
  await using before = startHistoryThread(folder);
  await before.add({ sql: 'SELECT 1' });
  const file = join(folder, 'history.sqlite');
  await before[Symbol.asyncDispose]();
  writeFileSync(file, 'this is no database'.repeat(1000));
  await using history = startHistoryThread(folder);
  let renamed = '';
  await assert.rejects(history.add({ sql: 'SELECT 2' }), ({ code, message }: ProjectError) => {
    renamed = message;
    return code === 'history_damaged';
  });
  assert.deepEqual(
    (await history.page()).map(({ sql }) => sql),
    ['SELECT 2'],
  );
  assert.match(readFileSync(renamed, 'utf8'), /^this is no database/);
  // Another window that still has the renamed file open finds the new one.
  await using other = startHistoryThread(folder);
  await history.add({ sql: 'SELECT 3' });
  assert.deepEqual(
    (await other.page()).map(({ sql }) => sql),
    ['SELECT 3', 'SELECT 2'],
  );
});

test('nothing of cleared entries and dropped values stays on disk', async () => {
  const folder = temporaryFolder();
  await using history = startHistoryThread(folder);
  const onDisk = (text: string): string[] =>
    readdirSync(folder).filter(name => name !== 'rows' && readFileSync(join(folder, name)).includes(text));
  await history.add({ sql: 'SELECT secretSql', params: '["secretValue"]', run: 'one' });
  mkdirSync(keptRowsFolder(folder));
  for (const file of [keptRowsFile(folder, 'one'), `${keptRowsFile(folder, 'one')}.index`]) writeFileSync(file, '');
  assert.equal((await history.page())[0]?.run, 'one');
  assert.notDeepEqual(onDisk('secretValue'), []);
  await history.call('dropValues', undefined);
  assert.deepEqual(onDisk('secretValue'), []);
  assert.notDeepEqual(onDisk('secretSql'), []);
  await history.call('clear', undefined);
  assert.deepEqual(onDisk('secretSql'), []);
  assert.deepEqual(readdirSync(keptRowsFolder(folder)), []);
});

test('kept rows stay within their budget, the oldest go first, and those without an entry go too', async () => {
  const folder = temporaryFolder();
  mkdirSync(keptRowsFolder(folder));
  const keep = (name: string, bytes: number, minutesAgo: number): void => {
    for (const file of [keptRowsFile(folder, name), `${keptRowsFile(folder, name)}.index`]) {
      writeFileSync(file, Buffer.alloc(bytes / 2));
      const time = Date.now() / 1000 - minutesAgo * 60;
      utimesSync(file, time, time);
    }
  };
  keep('orphan', 10, 90);
  keep('old', 100, 30);
  keep('middle', 100, 20);
  keep('new', 100, 10);
  await using history = startHistoryThread(folder);
  for (const run of ['old', 'middle', 'new']) await history.add({ run });
  const isKept = (name: string): boolean => existsSync(keptRowsFile(folder, name));
  await history.call('pruneRows', 310);
  assert.deepEqual(['orphan', 'old', 'middle', 'new'].map(isKept), [false, true, true, true]);
  await history.call('pruneRows', 250);
  assert.deepEqual(['old', 'middle', 'new'].map(isKept), [false, true, true]);
});
