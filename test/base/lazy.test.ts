import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazy } from '../../src/base/lazy.ts';

test('a lazy value is loaded once, with the first call', async () => {
  let loads = 0;
  const value = lazy(async () => ++loads);
  assert.equal(value.loaded, undefined);
  assert.deepEqual(await Promise.all([value(), value()]), [1, 1]);
  assert.equal(value.loaded, value());
});

test('a lazy value is loaded again after a failure', async () => {
  let loads = 0;
  const value = lazy(async () => {
    if (++loads === 1) throw new Error('no disk');
    return loads;
  });
  await assert.rejects(value(), /no disk/);
  assert.equal(value.loaded, undefined);
  assert.equal(await value(), 2);
});
