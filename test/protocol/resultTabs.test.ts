import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTabsEvent } from '../../src/protocol/results.ts';

const tab = {
  runId: 'a',
  title: 'First',
  statement: 'SELECT ?',
  values: ['1'],
  project: 'Shop',
  color: 'red',
  protection: 'open',
  state: 'done',
  rowCount: 1,
  isPinned: false,
  isPlan: false,
  startedAt: 1,
  isRenamed: false,
};

for (const event of [
  { tabs: [], active: undefined },
  { tabs: [tab, { ...tab, color: undefined, rowCount: undefined, startedAt: undefined, isPinned: true }], active: 'a' },
]) {
  test(`${JSON.stringify(event)} is an event of tabs`, () => assert.deepEqual(decodeTabsEvent(event), event));
}

for (const event of [
  null,
  {},
  { tabs: [{}] },
  { tabs: [{ ...tab, state: 'lost' }] },
  { tabs: [{ ...tab, title: 1 }] },
]) {
  test(`${JSON.stringify(event)} is refused as an event of tabs`, () =>
    assert.equal(decodeTabsEvent(event), undefined));
}
