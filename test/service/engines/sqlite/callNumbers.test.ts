import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallNumbers } from '../../../../src/service/engines/sqlite/callNumbers.ts';
import { Holder, nobody } from '../../../../src/service/engines/sqlite/holder.ts';

test('after two thousand million calls the numbers begin again, without those of calls that are still open', () => {
  const numbers = new CallNumbers(number => number === 1, 2 ** 31 - 3);
  const given = Array.from({ length: 4 }, () => numbers.next());
  assert.deepEqual(given, [2_147_483_646, 2_147_483_647, 2, 3]);
  const holder = new Holder();
  for (const call of given) {
    holder.pass(call);
    assert.equal(holder.now().call, call);
  }
  holder.pass(nobody);
});
