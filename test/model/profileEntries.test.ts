import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addEntries,
  addEntry,
  changeEntry,
  type EntryChange,
  entryOf,
  removeEntry,
} from '../../src/model/profileEntries.ts';
import { decodeProfiles } from '../../src/model/profiles.ts';

const shop = { baseUrl: 'https://sql.example.com', projectId: 'shop', note: 'ours' };
const bank = { baseUrl: 'https://sql.example.com', projectId: 'bank' };
const broken = { baseUrl: 'nowhere' };
const shopId = 'https://sql.example.com shop';

test('a project is added after all entries, also broken ones', () => {
  assert.deepEqual(addEntry([shop, broken], { ...bank, name: undefined }), [shop, broken, bank]);
  assert.deepEqual(addEntry(undefined, bank), [bank]);
});

test('several projects are added at once, each only once', () => {
  assert.deepEqual(addEntries([shop], [bank, { ...bank, projectId: 'b2' }]), [
    shop,
    bank,
    { ...bank, projectId: 'b2' },
  ]);
  assert.throws(() => addEntries([shop], [bank, bank]), { code: 'duplicate_project' });
});

test('adding thousands of projects reads each existing entry once', () => {
  let reads = 0;
  const entry = {
    ...shop,
    get name() {
      reads++;
      return 'Shop';
    },
  };
  const many = Array.from({ length: 5000 }, (_, i) => ({ ...bank, projectId: `p${i}` }));
  assert.equal(addEntries([entry], many).length, 5001);
  assert.ok(reads < 10, `${reads} reads`);
});

test('a change sets and removes fields of one entry and keeps everything else', () => {
  const setting = [broken, { ...shop, color: 'red' }, 5];
  const written = changeEntry(setting, shopId, { name: 'Shop', color: undefined, retries: 0 });
  assert.deepEqual(written, [broken, { ...shop, name: 'Shop', retries: 0 }, 5]);
});

test('a change can move a project to another address', () => {
  const [moved] = changeEntry([shop], shopId, { baseUrl: 'https://other.example.com' });
  assert.deepEqual(moved, { ...shop, baseUrl: 'https://other.example.com' });
});

test('removing a project keeps the other entries', () => {
  assert.deepEqual(removeEntry([broken, shop, bank], shopId), [broken, bank]);
});

for (const setting of ['text', {}, 5, true]) {
  test(`a setting of ${JSON.stringify(setting)} is never overwritten`, () => {
    const fault = { code: 'unreadable_setting' };
    assert.throws(() => addEntry(setting, bank), fault);
    assert.throws(() => changeEntry(setting, shopId, { name: 'Shop' }), fault);
    assert.throws(() => removeEntry(setting, shopId), fault);
  });
}

test('no project can be in the setting twice', () => {
  const fault = { code: 'duplicate_project' };
  assert.throws(() => addEntry([shop], { ...shop, baseUrl: 'https://SQL.example.com:443/x' }), fault);
  assert.throws(() => changeEntry([shop, bank], shopId, { projectId: 'bank' }), fault);
});

const invalidChanges: readonly EntryChange[] = [
  { baseUrl: 'ftp://sql.example.com' },
  { projectId: undefined },
  { protection: 'none' },
  { retries: 1.5 },
];
for (const change of invalidChanges) {
  test(`the invalid change ${JSON.stringify(change)} is not written`, () =>
    assert.throws(() => changeEntry([shop], shopId, change), { code: 'invalid_entry' }));
}

test('a project that is no longer in the setting cannot be changed or removed', () => {
  assert.throws(() => changeEntry([bank], shopId, { name: 'Shop' }), { code: 'no_such_entry' });
  assert.throws(() => removeEntry([bank], shopId), { code: 'no_such_entry' });
});

test('the entry of a profile is the one that it was decoded from', () => {
  const setting = [
    bank,
    {
      ...bank,
      maxRows: 10,
      maxBytesMb: 5,
      projectId: 'b2',
      name: 'Bank',
      pathPrefix: '',
      protection: 'readOnly',
      color: 'red',
      retries: 1,
    },
  ];
  const { profiles } = decodeProfiles(setting);
  assert.deepEqual(profiles.map(entryOf), setting);
});
