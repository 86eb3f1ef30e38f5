import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DiskReserve } from '../../src/service/diskReserve.ts';
import { isDiskFull, onDisk } from '../../src/service/faults.ts';
import { childrenOf, limitFiles } from '../support/childProcesses.ts';
import { HandClock } from '../support/handClock.ts';
import { startTestEngine } from '../support/testEngine.ts';

function startReserve(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'reserve-'));
  const file = join(folder, 'reserve');
  const clock = new HandClock();
  const reserve = new DiskReserve(file, clock);
  context.after(() => {
    reserve.dispose();
    rmSync(folder, { recursive: true });
  });
  return { file, clock, reserve };
}

/** Work for which the disk has space only when the reserve is released. */
const deletion = (file: string) => (): string =>
  onDisk(() => {
    if (existsSync(file)) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    return 'deleted';
  });

test('the reserve is spent on work that the disk has no space for, and is made again', async context => {
  const { file, clock, reserve } = startReserve(context);
  reserve.keep();
  const { size, blocks } = statSync(file);
  assert.equal(size, 2 * 1024 * 1024);
  assert.ok(blocks * 512 >= size);
  assert.equal(reserve.spend(deletion(file)), 'deleted');
  assert.ok(!existsSync(file));
  clock.advance(60_000);
  assert.ok(existsSync(file));
  assert.equal(await reserve.spendOn(async () => deletion(file)()), 'deleted');
  assert.ok(!existsSync(file));
});

test('other errors do not spend the reserve, and work is not repeated without one', async context => {
  const { file, reserve } = startReserve(context);
  reserve.keep();
  assert.throws(() => reserve.spend(() => assert.fail('another error')), /another error/);
  assert.ok(existsSync(file));
  rmSync(file);
  let runs = 0;
  const work = async (): Promise<never> => {
    runs++;
    return onDisk(() => assert.fail(Object.assign(new Error('full'), { code: 'ENOSPC' })));
  };
  await assert.rejects(reserve.spendOn(work), { code: 'disk_full' });
  assert.equal(runs, 1);
});

test('an incomplete reserve is completed', context => {
  const { file, reserve } = startReserve(context);
  writeFileSync(file, 'x');
  reserve.keep();
  assert.equal(statSync(file).size, 2 * 1024 * 1024);
});

/** Limits the files of the projects' processes of this test. */
function limitEngine(bytes: number | 'unlimited'): void {
  for (const pid of childrenOf(process.pid)) limitFiles(pid, bytes);
}

/** Makes space by raising the limits of all projects' processes, and counts how often it did. */
class LimitReserve extends DiskReserve {
  releases = 0;

  override async spendOn<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((thrown: unknown) => {
      if (!isDiskFull(thrown)) throw thrown;
      this.releases++;
      limitEngine('unlimited');
      return work();
    });
  }
}

test('a project spends the reserve on deletions and not on other writes', async context => {
  const reserve = new LimitReserve('unused', new HandClock());
  const { engine, run } = startTestEngine(context, { reserve });
  for (const sql of ['CREATE TABLE t (a)', 'CREATE TABLE u (a)', 'INSERT INTO t VALUES (1), (2)']) await run(sql);
  limitEngine(4096);
  await assert.rejects(run('INSERT INTO t VALUES (3)'), { code: 'disk_full' });
  assert.equal(reserve.releases, 0);
  assert.equal(await run('DELETE FROM t WHERE a = 1'), 1);
  limitEngine(4096);
  await run('DROP TABLE u');
  limitEngine(4096);
  await engine.vacuum('project');
  assert.equal(reserve.releases, 3);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 2 }]);
});

test('small writes continue in the space of the log when the disk is full', async context => {
  const { run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  await run('INSERT INTO t VALUES (0)');
  limitEngine(64 * 1024);
  // Each commit needs 4 KiB of log.
  for (let i = 1; i <= 50; i++) assert.equal(await run('UPDATE t SET a = a + 1'), 1);
  await assert.rejects(run('INSERT INTO t VALUES (zeroblob(100000))'), { code: 'disk_full' });
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 50 }]);
});
