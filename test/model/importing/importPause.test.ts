import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportedProject, newRun, savedProgress } from '../../support/importRuns.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const imports = await ImportedProject.start();
const { folder, send } = imports;

test('a pause after Cancel does not keep an import that has rows of a refused call to send', async () => {
  await imports.sql('CREATE TABLE numbers(n INT CHECK (n <> 3))');
  const path = await folder.write('numbers.csv', 'n\n1\n2\n3\n4\n');
  const plan = await imports.plan({ path, table: 'numbers' });
  let writes = 0;
  const run = newRun({
    folder: folder.path,
    plan,
    send: async (request, options) => {
      if (options.idempotencyKey !== undefined && ++writes === 2) {
        run.cancel();
        run.pause();
      }
      return send(request, options);
    },
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  void run.start().then(end);
  // A run that is paused would not end.
  run.onChange(() => run.state === 'paused' && end());
  await ended;
  assert.equal(run.state, 'cancelled');
  const rows = await imports.sql('SELECT n FROM numbers');
  assert.deepEqual(rows, [{ n: 1 }, { n: 2 }]);
});

test('an import that is paused before its first call is there for the next window', async () => {
  await imports.sql('CREATE TABLE letters(l TEXT)');
  const path = await folder.write('letters.csv', 'l\na\nb\n');
  const plan = await imports.plan({ path, table: 'letters' });
  const run = newRun({ folder: folder.path, plan, send });
  run.pause();
  const ended = run.start();
  const progress = await waitUntil(() => savedProgress(folder.path, plan), { what: 'the journal is not there' });
  assert.equal(progress?.counts.sentRows, 0);
  run.cancel();
  await ended;
  const next = await imports.run(plan, { progress });
  assert.equal(next.state, 'done');
  const rows = await imports.sql('SELECT l FROM letters');
  assert.deepEqual(rows, [{ l: 'a' }, { l: 'b' }]);
});
