import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineBuffer } from '../../src/base/lineBuffer.ts';

test('lines are cut wherever the pieces end', () => {
  const lines = new LineBuffer();
  assert.deepEqual(lines.add('on'), []);
  assert.equal(lines.held, 2);
  assert.deepEqual(lines.add('e\ntwo\n\nth'), ['one', 'two', '']);
  assert.deepEqual(lines.add('ree\n'), ['three']);
  assert.equal(lines.held, 0);
});
