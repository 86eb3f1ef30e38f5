import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportTo, rowsAnswer } from '../../../src/service/http/answer.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import { recordingLogger } from '../../support/recordingLogger.ts';

/** Gives the answer whose rows fail after the first, and the log. */
async function failAfterFirstRow(
  thrown: Error,
  signal = new AbortController().signal,
): Promise<{ answer: unknown; logged: readonly string[] }> {
  const { logger, logged } = recordingLogger();
  async function* batches(): AsyncIterable<Uint8Array> {
    yield Buffer.from('{"a":1}');
    throw thrown;
  }
  const outcome = { kind: 'rows', replayed: false, batches: batches(), columns: () => [] } as const;
  const answer = await rowsAnswer(outcome, () => ({}), { onBatch: () => {}, report: reportTo(logger, signal) });
  return { answer: await answer.json(), logged };
}

test('an unforeseen error after the first row is logged, and its message is hidden from the caller', async () => {
  const { answer, logged } = await failAfterFirstRow(new Error('disk on fire'));
  assert.deepEqual(logged, ['unforeseen failure: disk on fire']);
  const message = 'The service failed unexpectedly. Its log has the reason.';
  assert.deepEqual(answer, { rows: [{ a: 1 }], ok: false, message, error: message, code: 'internal_error' });
});

test('an error for the caller is not logged', async () => {
  const { logged } = await failAfterFirstRow(
    new ServiceError({ status: 400, code: 'sql_error', message: 'malformed JSON' }),
  );
  assert.deepEqual(logged, []);
});

test('an error after the client has left is not logged', async () => {
  assert.deepEqual((await failAfterFirstRow(new Error('aborted'), AbortSignal.abort())).logged, []);
});
