import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HandClock } from '../../support/handClock.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { window } = await import('vscode');
const { agentStatus } = await import('../../../src/host/agents/agentStatus.ts');

class Item {
  isShown = false;
  isDisposed = false;
  command: string | undefined;
  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

function open() {
  const item = new Item();
  Object.assign(window, { createStatusBarItem: () => item });
  const clock = new HandClock();
  return { item, clock, status: agentStatus(clock) };
}

test('the item is shown while calls are open, and a little longer', async () => {
  const { item, clock, status } = open();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const calls = [first, second].map(({ promise }) => status.during(() => promise));
  assert.ok(item.isShown);
  first.resolve('one');
  assert.equal(await calls[0], 'one');
  clock.advance(60_000);
  assert.ok(item.isShown);
  second.reject(new Error('two'));
  await assert.rejects(calls[1]!, /two/);
  assert.ok(item.isShown);
  clock.advance(2000);
  assert.ok(!item.isShown);
});

test('its command stops all open calls, and no later one', async () => {
  const { item, status } = open();
  const signals: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return promise;
  };
  const calls = [status.during(run), status.during(run)];
  assert.equal(item.command, 'sqlProjects.stopAgents');
  status.stop();
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
  calls.push(status.during(run));
  assert.equal(signals[2]?.aborted, false);
  resolve();
  await Promise.all(calls);
  status.dispose();
  assert.ok(item.isDisposed);
});
