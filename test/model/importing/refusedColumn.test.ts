import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SendStatement } from '../../../src/model/importing/importRun.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import { ImportedProject, rejectedLines, savedProgress } from '../../support/importRuns.ts';

/** The columns in the file of rejected rows. */

const imports = await ImportedProject.start();
const { folder, send } = imports;

const checks = `age INTEGER CHECK (age < 200), "full name" TEXT CONSTRAINT "name ok" CHECK (length("full name") > 1),
  low INTEGER, high INTEGER, note TEXT DEFAULT 'none', CHECK ( low < 1000 AND
    LOW <> 13 ), CONSTRAINT range CHECK (low <= high), CHECK (high <> 0 OR note = 'zero')`;

/** A service that does not answer requests for the table. */
const failingWith =
  (thrown: Error): SendStatement =>
  async (request, options) => {
    if ('sql' in request && request.sql.includes('sqlite_schema')) throw thrown;
    return send(request, options);
  };

async function planIn(table: string, lines: readonly string[]) {
  const path = await folder.write(`${table}.csv`, `age,full name,low,high\n${lines.join('\n')}\n`);
  return imports.plan({ path, table });
}

/** The line and the column of each row that was rejected, without its reason and its text. */
async function rejectedColumns(...planned: Parameters<typeof rejectedLines>): Promise<string[]> {
  const lines = await rejectedLines(...planned);
  return lines.flatMap(line => /^\d+,[^,]*(?=,)/.exec(line)?.[0] ?? []).toSorted();
}

test('a check that fails leads to the only column of the file that it mentions', async () => {
  const table = 'People';
  await imports.sql(`CREATE TABLE people (${checks})`);
  const plan = await planIn(table, [
    '20,Ann,1,2',
    '200,Bob,1,2',
    '20,C,1,2',
    '20,Dan,13,20',
    '20,Eve,3,2',
    '20,Flo,0,0',
  ]);
  const run = await imports.run(plan);
  assert.deepEqual(run.progress.counts, { sentRows: 1, changedRows: 1, rejectedRows: 5 });
  assert.deepEqual(await rejectedColumns(folder.path, plan), ['3,age', '4,full name', '5,low', '6,', '7,high']);
});

test('a check that the table of a trigger may have, too, leads to no column', async () => {
  await imports.sql(`CREATE TABLE logged (${checks})`);
  await imports.sql('CREATE TABLE ages (age INTEGER CHECK (age < 200))');
  await imports.sql('CREATE TRIGGER log_age AFTER INSERT ON logged BEGIN INSERT INTO ages VALUES (NEW.high); END');
  const plan = await planIn('logged', ['20,Ann,1,500']);
  await imports.run(plan);
  assert.deepEqual(await rejectedColumns(folder.path, plan), ['2,']);
});

test('a service that does not show the table leaves the column empty, and a lost connection keeps the row pending', async () => {
  await imports.sql(`CREATE TABLE hidden (${checks})`);
  const plan = await planIn('hidden', ['200,Bob,1,2']);
  const lost = await imports.run(plan, { send: failingWith(new Error('The connection was lost.')) });
  assert.deepEqual([lost.state, lost.progress.counts.rejectedRows], ['failed', 0]);
  const denied = new ServiceError({ status: 400, code: 'denied_statement', message: 'No.' });
  const progress = await savedProgress(folder.path, plan);
  const rest = await imports.run(plan, { progress, send: failingWith(denied) });
  assert.deepEqual([rest.state, rest.progress.counts.rejectedRows], ['done', 1]);
  assert.deepEqual(await rejectedColumns(folder.path, plan), ['2,']);
});
