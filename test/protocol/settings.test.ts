import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsBridge } from '../../src/protocol/settings.ts';

const { save } = settingsBridge.methods;

test('a request to save has the changed fields and no others', () => {
  const fields = { name: 'Shop', apiKey: 'canary' };
  assert.deepEqual(save.params({ id: 'a', fields }), { id: 'a', fields: { name: 'Shop' } });
  for (const wrong of [undefined, {}, { id: 'a' }, { id: 1, fields }, { id: 'a', fields: { retries: 3 } }]) {
    assert.equal(save.params(wrong), undefined);
  }
});
