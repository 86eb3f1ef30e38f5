import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { schemaAge } = await import('../../../src/host/documents/projectStatusItem.ts');

const minute = 60_000;
const now = 100_000_000_000;

for (const [ageMs, expected] of [
  [undefined, 'No schema yet: only syntax is checked.'],
  [-minute, 'The schema is less than a minute old.'],
  [minute - 1, 'The schema is less than a minute old.'],
  [minute, 'The schema was read 1 minute ago.'],
  [5.9 * minute, 'The schema was read 5 minutes ago.'],
  [60 * minute, 'The schema was read 1 hour ago.'],
  [47 * 60 * minute, 'The schema was read 1 day ago.'],
] as const) {
  test(`${expected.slice(0, -1)}, after ${ageMs ?? 'no'} ms`, () =>
    assert.equal(schemaAge(ageMs === undefined ? undefined : now - ageMs, now), expected));
}
