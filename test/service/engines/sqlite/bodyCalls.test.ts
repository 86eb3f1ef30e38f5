import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { manyRows, startTestEngine } from '../../../support/testEngine.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('the engine frees a long request body while its rows wait for the reader', async context => {
  const { engine } = startTestEngine(context);
  let bodyReference: WeakRef<Uint8Array> | undefined;
  const execute = () => {
    const body = Buffer.from(`{"sql":"${manyRows(1_000_000)}"${' '.repeat(1_000_000)}}`);
    bodyReference = new WeakRef(body);
    return engine.execute('project', { body, idempotencyKey: undefined, scope: 'full' });
  };
  const rows = await execute();
  assert.equal(rows.kind, 'rows');
  for (let turns = 0; turns < 50 && bodyReference?.deref(); turns++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  // A message with the bytes would take minutes.
  assert.ok(bodyReference?.deref() === undefined);
  assert.equal((await engine.listTables('project')).length, 0);
});
