import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { reportTo, rowsAnswer } from '../../src/service/answer.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';

/** The end of an answer whose rows break off after the first, and what was logged of it. */
async function breakOff(
  thrown: Error,
  signal = new AbortController().signal,
): Promise<{ end: unknown; logged: string[] }> {
  const logged: string[] = [];
  async function* batches(): AsyncIterable<Uint8Array> {
    yield Buffer.from('{"a":1}');
    throw thrown;
  }
  const logger = { ...silentLogger, error: (message: string) => logged.push(message) };
  const outcome = { kind: 'rows', replayed: false, batches: batches(), columns: () => [] } as const;
  const answer = await rowsAnswer(outcome, () => ({}), reportTo(logger, signal));
  return { end: await answer.json(), logged };
}

test('an unforeseen fault after the first row is logged, and tells the caller nothing of the inside', async () => {
  const { end, logged } = await breakOff(new Error('disk on fire'));
  assert.deepEqual(logged, ['unforeseen failure: disk on fire']);
  const message = 'The service failed to do this.';
  assert.deepEqual(end, { rows: [{ a: 1 }], ok: false, message, error: message, code: 'internal_error' });
});

test("a fault that is the caller's to see is not logged", async () => {
  const { logged } = await breakOff(new ServiceError({ status: 400, code: 'sql_error', message: 'malformed JSON' }));
  assert.deepEqual(logged, []);
});

test('what breaks off because its client left is not logged', async () => {
  assert.deepEqual((await breakOff(new Error('aborted'), AbortSignal.abort())).logged, []);
});
