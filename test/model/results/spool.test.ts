import assert from 'node:assert/strict';
import { open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Spool, spoolError } from '../../../src/model/results/spool.ts';
import { openSavedSpool, saveSpool } from '../../../src/model/results/spool/savedSpool.ts';
import type { Row } from '../../../src/wire/values.ts';
import { codeOf } from '../../support/codeOf.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

async function makeSpool(context: TestContext): Promise<{ spool: Spool; folder: string }> {
  const folder = temporaryFolder();
  const spool = await Spool.create(folder);
  context.after(() => spool.delete());
  return { spool, folder };
}

async function rowsOf(spool: Spool, start: number, count: number): Promise<Row[]> {
  return (await spool.read(start, count)).map(parsed => {
    assert.ok('row' in parsed);
    return parsed.row;
  });
}

const batch = (rows: readonly string[]) => ({ bytes: Buffer.from(rows.join(',')), rowCount: rows.length });

test('rows are read in order from any place, across batches and blocks', async context => {
  const { spool } = await makeSpool(context);
  const padding = 'x'.repeat(500);
  for (let at = 0; at < 3000; at += 3) {
    await spool.append(batch([at, at + 1, at + 2].map(n => `{"n":${n},"p":"${padding}"}`)));
  }
  assert.equal(spool.rowCount, 3000);
  for (const [start, count] of [
    [0, 5],
    [127, 300],
    [2990, 50],
    [1499, 1],
    [3000, 10],
  ] as const) {
    const rows = await rowsOf(spool, start, count);
    const expected = Array.from({ length: Math.max(0, Math.min(count, 3000 - start)) }, (_, i) => start + i);
    assert.deepEqual(
      rows.map(({ n }) => n),
      expected,
    );
  }
});

test('values are read without a change', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(
    batch(['{"big":9007199254740993,"null":null,"empty":"","zero":0,"no":false,"__proto__":"data","inf":9e999}']),
  );
  const [row] = await rowsOf(spool, 0, 1);
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

test('a read after an append includes the new rows', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(batch(['{"n":0}']));
  assert.equal((await rowsOf(spool, 0, 10)).length, 1);
  await spool.append(batch(['{"n":1}', '{"n":2}']));
  assert.deepEqual(
    (await rowsOf(spool, 0, 10)).map(({ n }) => n),
    [0, 1, 2],
  );
});

test('deleting removes the file, and may be repeated', async context => {
  const { spool, folder } = await makeSpool(context);
  await spool.append(batch(['{}']));
  await spool.delete();
  await spool.delete();
  assert.deepEqual(await readdir(folder), []);
});

test('a broken row does not take others with it', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(batch(['{"n":0}', '{"n":tru, "s":"}]\\" {"}', '{"n":2}']));
  await spool.append(batch(['{"n":3}']));
  assert.deepEqual(await spool.read(0, 4), [
    { row: { n: 0 } },
    { broken: '{"n":tru, "s":"}]\\" {"}' },
    { row: { n: 2 } },
    { row: { n: 3 } },
  ]);
});

test('a row larger than a block is read whole, and so are its neighbours', async context => {
  const { spool } = await makeSpool(context);
  const large = 'x'.repeat(3_000_000);
  await spool.append(batch(['{"n":0}', `{"n":1,"s":"${large}"}`, '{"n":2}']));
  await spool.append(batch(['{"n":3}']));
  const rows = await rowsOf(spool, 0, 10);
  assert.deepEqual(
    rows.map(({ n }) => n),
    [0, 1, 2, 3],
  );
  assert.equal(rows[1]?.['s'], large);
});

test('a single row is read even if the start of the next one is not known', async context => {
  const { spool } = await makeSpool(context);
  await spool.append(batch(['{"n":0}', '{"n":1}', '{"n":2}']));
  const starts = Uint32Array.of(0, 8);
  assert.deepEqual(await spool.readRow(0, starts), { row: { n: 0 } });
  assert.deepEqual(await spool.readRow(1, starts), { row: { n: 1 } });
});

test('a saved spool is opened with its columns, and outlives the spool', async context => {
  const { spool, folder } = await makeSpool(context);
  const columns = [{ name: 'n', type: 'INTEGER' }];
  for (let at = 0; at < 20_000; at += 100) {
    await spool.append(batch(Array.from({ length: 100 }, (_, n) => `{"n":${at + n},"p":"${'x'.repeat(20)}"}`)));
  }
  const file = join(folder, 'kept');
  await saveSpool(spool, file, columns);
  await spool.delete();
  const { spool: reopened, ...saved } = await openSavedSpool(file);
  assert.deepEqual([saved.columns, reopened.rowCount, reopened.size], [columns, 20_000, spool.size]);
  assert.deepEqual(
    (await rowsOf(reopened, 12_345, 2)).map(({ n }) => n),
    [12_345, 12_346],
  );
  await reopened.close();
  assert.deepEqual(await readdir(folder), ['kept', 'kept.index']);
});

test('a saved spool whose files are missing, cut or changed is not opened', async context => {
  const { spool, folder } = await makeSpool(context);
  await spool.append(batch(['{"n":0}', '{"n":1}']));
  const file = join(folder, 'kept');
  await saveSpool(spool, file, [{ name: 'n', type: '' }]);
  const index = await readFile(`${file}.index`);
  const refused = { code: 'result_gone' };
  for (const changed of [
    Buffer.from('garbage'),
    index.subarray(0, -1),
    Buffer.concat([index, index]),
    Buffer.from(index.toString('latin1').replace('"rowCount":2', '"rowCount":0'), 'latin1'),
    Buffer.from(index.toString('latin1').replace('"version":1', '"version":9'), 'latin1'),
  ]) {
    await writeFile(`${file}.index`, changed);
    await assert.rejects(openSavedSpool(file), refused);
  }
  await writeFile(`${file}.index`, index);
  await truncate(file, 10);
  await assert.rejects(openSavedSpool(file), refused);
  await rm(file);
  await assert.rejects(openSavedSpool(file), refused);
});

/** The index of a saved spool with these blocks. */
function indexWith(rowCount: number, size: number, blocks: readonly number[]): Buffer {
  const head = { version: 1, columns: [{ name: 'n', type: '' }], rowCount, size, blocks: blocks.length / 2 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(Float64Array.from(blocks).buffer)]);
}

test('a saved spool with an impossible index is refused before memory is allocated', async context => {
  const { folder } = await makeSpool(context);
  const file = join(folder, 'kept');
  await writeFile(file, '');
  await truncate(file, 2 ** 40);
  const megabyte = 2 ** 20;
  for (const index of [
    // More rows than fit.
    indexWith(4_000_000_000, 100, [0, 0]),
    indexWith(100, 1000, [0, 0, 99, 10]),
    // A block that is larger than any row.
    indexWith(1, 2 ** 40, [0, 0]),
    indexWith(10, 300 * megabyte, [0, 0, 5, 200 * megabyte]),
    indexWith(10, 1000, [0, 0, 5.5, 500]),
    indexWith(10, 1000, [0, 0, NaN, 500]),
    indexWith(10, 1000, [1, 0]),
    indexWith(10, 1000, [0, 0, 5, 500, 5, 600]),
    Buffer.from('x'.repeat(10 * megabyte)),
    Buffer.from(`${'['.repeat(10 * megabyte)}\n`),
  ]) {
    await writeFile(`${file}.index`, index);
    await assert.rejects(openSavedSpool(file), { code: 'result_gone' });
  }
  await writeFile(`${file}.index`, indexWith(10, 1000, [0, 0, 5, 500]));
  const { spool } = await openSavedSpool(file);
  assert.equal(spool.rowCount, 10);
  await spool.close();
});

test('a full disk has its own error code', async () => {
  await using full = await open('/dev/full', 'r+');
  const thrown: unknown = await full.writeFile('x').catch((fault: unknown) => fault);
  assert.equal(codeOf(spoolError(thrown)), 'closed/no_room_for_rows');
  await assert.rejects(Spool.create(join(import.meta.dirname, 'nowhere')), { kind: 'closed', code: 'rows_not_kept' });
});
