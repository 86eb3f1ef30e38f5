import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SendStatement } from '../../../src/model/importing/importRun.ts';
import type { ImportMode } from '../../../src/model/importing/importOptions.ts';
import { unknownRows } from '../../../src/model/importing/importEnd.ts';
import { ImportedProject, savedProgress } from '../../support/importRuns.ts';

/** Rows that refer to rows of the same file which come after them. */

const imports = await ImportedProject.start();
const { folder, send } = imports;
let count = 0;

async function createTree(): Promise<string> {
  const table = `tree ${++count}`;
  await imports.sql(
    `CREATE TABLE "${table}" (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES "${table}", name TEXT CHECK (name <> 'bad'))`,
  );
  return table;
}

async function idsOf(table: string): Promise<unknown[]> {
  const rows = await imports.sql(`SELECT id FROM "${table}" ORDER BY id`);
  return rows.map(row => row['id']);
}

interface TreeChoice {
  readonly mode?: ImportMode;
  readonly stopsAtRejection?: boolean;
}

async function planTree(table: string, lines: readonly string[], { mode = 'insert', ...choice }: TreeChoice = {}) {
  const path = await folder.write(`${table}.csv`, `id,parent,name\n${lines.join('\n')}\n`);
  return imports.plan({ path, table, options: { nullText: '' }, target: { mode }, ...choice });
}

/** Each row refers to the one after it. The last one has no parent. */
const chain = (length: number): string[] =>
  Array.from({ length }, (_, index) => `${index},${index + 1 < length ? index + 1 : ''},row ${index}`);

for (const mode of ['insert', 'ignore'] as const) {
  test(`${mode}: rows whose parents come after them are imported, also beside bad rows`, async () => {
    const table = await createTree();
    const lines = [...chain(40), '101,999,"lost\nrow"', '100,,bad', '102,7,fine'];
    const plan = await planTree(table, lines, { mode });
    const run = await imports.run(plan);
    assert.equal(run.state, 'done');
    assert.deepEqual(run.progress.counts, { sentRows: 41, changedRows: 41, rejectedRows: 2 });
    assert.deepEqual(await idsOf(table), [...Array.from({ length: 40 }, (_, id) => id), 102]);
    assert.deepEqual(await imports.rejectedLines(plan), [
      '42,,FOREIGN KEY constraint failed,"101,999,""lost',
      'row"""',
      `44,name,CHECK constraint failed: name <> 'bad',"100,,bad"`,
    ]);
    assert.equal(await savedProgress(folder.path, plan), undefined);
  });
}

test('a row is imported although its parent comes in a later batch', async () => {
  const table = await createTree();
  const lines = Array.from({ length: 10_500 }, (_, id) => `${id},,row`);
  lines[5] = '5,10400,first batch';
  lines[10_400] = '10400,5,last batch';
  const plan = await planTree(table, lines);
  const run = await imports.run(plan);
  assert.deepEqual(run.progress.counts, { sentRows: 10_500, changedRows: 10_500, rejectedRows: 0 });
});

test('with the choice to stop, an import ends at a row without a parent once all others are written', async () => {
  const table = await createTree();
  const plan = await planTree(table, ['1,3,a', '2,99,b', '3,,c'], { stopsAtRejection: true });
  const run = await imports.run(plan);
  assert.equal(run.state, 'stopped');
  assert.equal(run.end.lastRejection?.line, 3);
  assert.deepEqual(await idsOf(table), [1, 3]);
});

const killed = (): Error => new Error('The window was killed.');

test('waiting rows outlive a window that is killed at any call, and none is lost or doubled', async () => {
  const lines = [...chain(3), '100,,bad', '101,999,lost'];
  for (let lastCall = 1; ; lastCall++) {
    const table = await createTree();
    const plan = await planTree(table, lines);
    let calls = 0;
    const dying: SendStatement = async (request, options) => {
      const isLast = ++calls >= lastCall;
      const answer = await send(request, options).catch((thrown: unknown) => {
        throw isLast ? killed() : thrown;
      });
      if (isLast) throw killed();
      return answer;
    };
    const first = await imports.run(plan, { send: dying });
    if (first.state === 'done') {
      assert.ok(lastCall > 10, `${lastCall} calls`);
      break;
    }
    const progress = await savedProgress(folder.path, plan);
    const second = await imports.run(plan, { progress });
    assert.equal(second.state, 'done');
    assert.deepEqual(second.progress.counts, { sentRows: 3, changedRows: 3, rejectedRows: 2 }, `call ${lastCall}`);
    assert.deepEqual(await idsOf(table), [0, 1, 2]);
    assert.equal((await imports.rejectedLines(plan)).length, 2);
  }
});

/** The answers to waiting rows are lost. */
const losing: SendStatement = async (request, options) => {
  const answer = await send(request, options);
  if (options.idempotencyKey?.includes('-round-')) throw new Error('The connection was lost.');
  return answer;
};

test('waiting rows whose answer was lost are named by their lines, and written once', async () => {
  const table = await createTree();
  const plan = await planTree(table, ['1,,root', '2,4,child', '3,,bad', '4,,parent']);
  const first = await imports.run(plan, { send: losing });
  assert.equal(first.state, 'failed');
  assert.deepEqual(unknownRows(first.progress), { lines: [3] });
  const second = await imports.continue(plan);
  assert.deepEqual(second.progress.counts, { sentRows: 3, changedRows: 3, rejectedRows: 1 });
  assert.deepEqual(await idsOf(table), [1, 2, 4]);
});
