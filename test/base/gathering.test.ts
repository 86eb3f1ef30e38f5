import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gathering } from '../../src/base/gathering.ts';
import { HandClock } from '../support/handClock.ts';

test('what happens within the time is passed on together, and each of it once', () => {
  const clock = new HandClock();
  const passed: string[][] = [];
  const gathering = new Gathering<string>(100, all => passed.push([...all]), clock);
  for (const one of ['a', 'b', 'a']) {
    gathering.add(one);
    clock.advance(40);
  }
  assert.deepEqual(passed, [['a', 'b']]);
  gathering.add('c');
  clock.advance(99);
  assert.equal(passed.length, 1);
  clock.advance(1);
  assert.deepEqual(passed.slice(1), [['c']]);
});

test('what was not passed on when it is disposed never is', () => {
  const clock = new HandClock();
  const passed: unknown[] = [];
  const gathering = new Gathering<string>(100, all => passed.push(all), clock);
  gathering.add('a');
  gathering.dispose();
  clock.advance(100);
  assert.deepEqual(passed, []);
});
