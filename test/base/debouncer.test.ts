import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debouncer, type DebouncerOptions } from '../../src/base/debouncer.ts';
import { HandClock } from '../support/handClock.ts';

/** A debouncer that notes the times of its runs. */
function noting(options: Omit<DebouncerOptions, 'run' | 'clock'>) {
  const clock = new HandClock();
  const runs: number[] = [];
  const debouncer = new Debouncer({ ...options, clock, run: () => runs.push(clock.now()) });
  return { clock, runs, debouncer };
}

test('calls within the delay run once, a fixed time after the first of them', () => {
  const { clock, runs, debouncer } = noting({ delayMs: 100 });
  for (let call = 0; call < 3; call++) {
    debouncer.schedule();
    clock.advance(40);
  }
  assert.deepEqual(runs, [120], 'the hand clock stops at 120');
  debouncer.schedule();
  clock.advance(99);
  assert.equal(runs.length, 1);
  clock.advance(1);
  assert.equal(runs.length, 2);
});

test('with `restarts` the run waits until the calls pause', () => {
  const { clock, runs, debouncer } = noting({ delayMs: 100, restarts: true });
  for (let call = 0; call < 5; call++) {
    debouncer.schedule();
    clock.advance(60);
  }
  assert.deepEqual(runs, []);
  clock.advance(40);
  assert.deepEqual(runs, [340]);
});

test('with `leading` the first call runs at once and later ones wait for the rest of the delay', () => {
  const { clock, runs, debouncer } = noting({ delayMs: 100, leading: true });
  debouncer.schedule();
  assert.deepEqual(runs, [0]);
  clock.advance(30);
  debouncer.schedule();
  debouncer.schedule();
  clock.advance(69);
  assert.deepEqual(runs, [0]);
  clock.advance(1);
  assert.deepEqual(runs, [0, 100]);
  clock.advance(500);
  debouncer.schedule();
  assert.deepEqual(runs, [0, 100, 600]);
});

test('a delay can grow while calls continue', () => {
  let delayMs = 50;
  const { clock, runs, debouncer } = noting({
    delayMs: sinceLastRunMs => (delayMs = sinceLastRunMs < 100 ? delayMs * 2 : 50),
  });
  debouncer.schedule();
  clock.advance(50);
  debouncer.schedule();
  clock.advance(50);
  assert.deepEqual(runs, [50]);
  clock.advance(50);
  assert.deepEqual(runs, [50, 150]);
});

test('a waiting run can be replaced, dropped or run early', () => {
  const { clock, runs, debouncer } = noting({ delayMs: 100 });
  debouncer.schedule(10);
  assert.equal(debouncer.isPending, true);
  clock.advance(10);
  assert.deepEqual(runs, [10]);
  debouncer.schedule();
  debouncer.flush();
  debouncer.flush();
  assert.deepEqual(runs, [10, 10]);
  debouncer.schedule();
  debouncer.dispose();
  clock.advance(100);
  assert.deepEqual(runs, [10, 10]);
  assert.equal(debouncer.isPending, false);
});
