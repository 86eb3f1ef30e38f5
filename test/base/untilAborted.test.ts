import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { untilAborted } from '../../src/base/untilAborted.ts';

const fault = new Error('fault');
const reason = new Error('reason');
const never = new Promise<never>(() => undefined);
const aborted = AbortSignal.abort(reason);
const open = new AbortController().signal;

const check = (name: string, promise: Promise<unknown>, signal: AbortSignal | undefined, expected: unknown): void => {
  test(name, async () => {
    const outcome = await untilAborted(promise, signal).catch((thrown: unknown) => thrown);
    assert.equal(outcome, expected);
    if (signal) assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
};

const rejected = Promise.reject(fault);
rejected.catch(() => undefined);
check('a value that comes before an abort is the outcome', Promise.resolve(1), open, 1);
check('an error that comes before an abort is the outcome', rejected, open, fault);
check('without a signal the outcome is that of the promise', Promise.resolve(1), undefined, 1);
check('a signal that is aborted already rejects, even if there is a value', Promise.resolve(1), aborted, reason);
check('a signal that is aborted already does not wait', never, aborted, reason);

test('an abort ends the wait with its reason', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never, controller.signal);
  controller.abort(reason);
  await assert.rejects(waiting, reason);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});
