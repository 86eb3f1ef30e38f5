import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActOptions, TabActions } from '../../../src/host/results/resultActions.ts';
import type { ResultSubject } from '../../../src/host/results/result.ts';
import { ResultTab } from '../../../src/host/results/resultTab.ts';
import type { RunControls } from '../../../src/model/results/run.ts';
import { WriteKey } from '../../../src/model/results/writeKey.ts';
import { HandClock } from '../../support/handClock.ts';
import { TestRun } from '../../support/testRun.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { act, actionsOf } = await import('../../../src/host/results/resultActions.ts');

const profile = { id: 'p1', name: 'Shop', protection: 'open', color: undefined } as const;
const origin = { uri: 'file:///shop.sql', start: 0, end: 8, isUnchanged: true };

function tabOf(run: TestRun, subject: Partial<ResultSubject> = {}): ResultTab {
  return new ResultTab(run, { profile, statement: 'SELECT 1', ...subject });
}

function recordingControls(parts: Pick<RunControls, 'pause' | 'wait'> = {}) {
  const calls: string[] = [];
  const controls: RunControls = { ...parts, cancel: () => void calls.push('cancel') };
  return { calls, controls };
}

const rerun = (): Promise<void> => Promise.resolve();
const columns = [{ name: 'a', type: '' }];
const { controls } = recordingControls();
const wait = { remainingMs: 1000, cancel: () => undefined };

type Fields = ConstructorParameters<typeof TestRun>[0];

const offers: readonly (readonly [
  what: string,
  Fields,
  Partial<ResultSubject>,
  'panel' | 'editor',
  actions: string,
])[] = [
  ['a running result', { controls }, { rerun, origin }, 'panel', 'cancel, goToStatement, pin, openInEditor'],
  ['a result that waits', { controls: { ...controls, wait } }, {}, 'editor', 'cancelWait, moveToPanel, rename'],
  [
    'a paused result',
    { state: 'paused', controls, columns },
    { rerun },
    'editor',
    'resume, finish, export, moveToPanel, rename',
  ],
  ['a complete result', { state: 'done', columns }, { rerun }, 'editor', 'rerun, export, moveToPanel, rename'],
  ['a result without a way to run again', { state: 'done', columns }, {}, 'editor', 'export, moveToPanel, rename'],
  ['a restored result that is being opened', { state: 'running' }, { rerun }, 'editor', 'moveToPanel, rename'],
  [
    'an unknown write',
    { state: 'failed', writeOutcome: 'unknown' },
    { rerun },
    'editor',
    'checkOutcome, moveToPanel, rename',
  ],
  ['an expired write', { state: 'failed', writeOutcome: 'expired' }, { rerun }, 'editor', 'rerun, moveToPanel, rename'],
];
for (const [what, run, subject, place, actions] of offers) {
  test(`${what} offers ${actions}`, () => {
    assert.equal(actionsOf(tabOf(new TestRun(run), subject), place).join(', '), actions);
  });
}

test('a pinned result offers to unpin it', () => {
  const tab = tabOf(new TestRun({ state: 'done' }));
  tab.isPinned = true;
  assert.deepEqual(actionsOf(tab, 'panel'), ['unpin', 'openInEditor']);
});

test('a query plan offers to be copied, made again, pinned and opened beside its statement, and has nothing to export', async () => {
  const plan = [{ detail: 'SCAN a', step: 'scan', depth: 0 }] as const;
  const tab = tabOf(new TestRun({ state: 'done' }), { plan, rerun, origin });
  assert.deepEqual(actionsOf(tab, 'panel'), ['copyPlan', 'rerun', 'goToStatement', 'pin', 'openInEditor']);
  assert.deepEqual(actionsOf(tab, 'editor'), ['copyPlan', 'rerun', 'goToStatement', 'moveToPanel', 'rename']);
  await act('export', tab, { ...options, exportRows: () => assert.fail('a plan was exported') });
});

const tabActions: TabActions = {
  pin: () => undefined,
  openInEditor: () => undefined,
  moveToPanel: () => Promise.resolve(),
  rename: () => Promise.resolve(),
};
const options: ActOptions = { tabActions, exportRows: () => Promise.resolve() };

test('the actions of an active run reach its controls', async () => {
  const decisions: string[] = [];
  const recording = recordingControls({
    pause: {
      reason: 'rows',
      resume: () => void decisions.push('resume'),
      finish: () => void decisions.push('finish'),
    },
    wait: { remainingMs: 1, cancel: () => void decisions.push('cancelWait') },
  });
  const tab = tabOf(new TestRun({ controls: recording.controls }));
  for (const action of ['cancel', 'resume', 'cancelWait'] as const) await act(action, tab, options);
  assert.deepEqual([recording.calls, decisions], [['cancel'], ['resume', 'cancelWait']]);
});

test('Check Outcome runs the statement again with its idempotency key, and Rerun without one', async () => {
  const keys: unknown[] = [];
  const writeKey = new WriteKey(new HandClock());
  const tab = tabOf(new TestRun({ state: 'failed', writeKey, writeOutcome: 'unknown' }), {
    rerun: (_, key) => {
      keys.push(key);
      return Promise.resolve();
    },
  });
  await act('checkOutcome', tab, options);
  await act('rerun', tab, options);
  assert.deepEqual(keys, [writeKey, undefined]);
});
