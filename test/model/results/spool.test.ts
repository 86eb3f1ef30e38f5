import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Spool } from '../../../src/model/results/spool.ts';

async function makeSpool(context: TestContext): Promise<{ spool: Spool; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-'));
  const spool = await Spool.create(folder);
  context.after(async () => {
    await spool.close();
    await rm(folder, { recursive: true });
  });
  return { spool, folder };
}

const frame = (rows: readonly string[]) => ({ bytes: Buffer.from(rows.join(',')), rowCount: rows.length });

test('rows come back in order from any place, across frames and blocks', async context => {
  const { spool } = await makeSpool(context);
  const padding = 'x'.repeat(500);
  for (let at = 0; at < 3000; at += 3) {
    await spool.append(frame([at, at + 1, at + 2].map(n => `{"n":${n},"p":"${padding}"}`)));
  }
  assert.equal(spool.rowCount, 3000);
  for (const [start, count] of [
    [0, 5],
    [127, 300],
    [2990, 50],
    [1499, 1],
    [3000, 10],
  ] as const) {
    const rows = await spool.read(start, count);
    const expected = Array.from({ length: Math.max(0, Math.min(count, 3000 - start)) }, (_, i) => start + i);
    assert.deepEqual(
      rows.map(({ n }) => n),
      expected,
    );
  }
});

test('values come back exactly', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(
    frame(['{"big":9007199254740993,"null":null,"empty":"","zero":0,"no":false,"__proto__":"data","inf":9e999}']),
  );
  const [row] = await spool.read(0, 1);
  const values = Object.entries(row ?? {});
  assert.deepEqual(values, [
    ['big', 9_007_199_254_740_993n],
    ['null', null],
    ['empty', ''],
    ['zero', 0],
    ['no', false],
    ['__proto__', 'data'],
    ['inf', Infinity],
  ]);
});

test('rows that arrive are seen by the next read', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(frame(['{"n":0}']));
  assert.equal((await spool.read(0, 10)).length, 1);
  await spool.append(frame(['{"n":1}', '{"n":2}']));
  assert.deepEqual(
    (await spool.read(0, 10)).map(({ n }) => n),
    [0, 1, 2],
  );
});

test('closing removes the file, and is safe twice', async context => {
  const { spool, folder } = await makeSpool(context);
  await spool.append(frame(['{}']));
  await spool.close();
  await spool.close();
  assert.deepEqual(await readdir(folder), []);
});
