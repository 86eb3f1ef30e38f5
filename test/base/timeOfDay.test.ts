import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, formatMoment, formatTime } from '../../src/base/timeOfDay.ts';

const at = new Date(2026, 10, 23, 14, 3, 22).getTime();
const hour = 3_600_000;

test('a time of today is shown without its day, a time of another day with it', () => {
  assert.equal(formatTime(at, 'en'), '14:03');
  assert.equal(formatTime(at, 'en', true), '14:03:22');
  assert.equal(formatDay(at, 'en'), 'Nov 23');
  assert.equal(formatMoment(at, at + hour, 'en'), '14:03');
  assert.equal(formatMoment(at, at + 24 * hour, 'en'), 'Nov 23, 14:03');
});
