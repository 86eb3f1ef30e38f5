import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { toDisposable } from '../../../src/base/disposable.ts';
import type { MarkState, RunMark } from '../../../src/host/documents/runMarks.ts';
import { analyze } from '../../../src/host/running/boundStatement.ts';
import {
  type FaultPolicy,
  runScript,
  type ScriptFault,
  type ScriptProgress,
  type ScriptPrompts,
  type ScriptSummary,
} from '../../../src/host/running/scriptRunner.ts';
import type { StatementCall } from '../../../src/host/running/statementRunner.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import type { RunState } from '../../../src/protocol/runState.ts';

const profile = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });
const document = {} as vscode.TextDocument;

/** Runs `SELECT 0`, `SELECT 1` and so on, which end in the given states. */
class Script implements ScriptPrompts {
  readonly sent: string[] = [];
  readonly shown: string[] = [];
  readonly faults: ScriptFault[] = [];
  readonly removedMarks: RunMark[] = [];
  readonly calls: readonly StatementCall[];
  readonly #states: readonly RunState[];
  readonly #progress = new AbortController();
  summary: ScriptSummary | undefined;
  policy: FaultPolicy = 'ask';
  isContinued = true;
  cancelledRuns = 0;
  activeCancel: (() => void) | undefined;
  whileRunning: (index: number) => void = () => undefined;

  constructor(...states: readonly RunState[]) {
    this.#states = states;
    this.calls = states.map((_, index) => {
      const sql = `SELECT ${index}`;
      const state: MarkState = { kind: 'waiting' };
      return {
        profile,
        statement: { ...analyze(sql), params: [], selected: { sql, start: 0, end: sql.length, paramsJson: undefined } },
        document,
        mark: { start: 0, end: 0, state, isWholeStatement: true, isHidden: false },
        reveal: true,
        kind: 'script',
        rerun: () => Promise.resolve(),
      };
    });
  }

  async run(): Promise<ScriptSummary | undefined> {
    await runScript(this.calls, {
      runStatement: call => this.#runStatement(call),
      marks: { remove: (_document, mark) => void this.removedMarks.push(mark) },
      active: { add: (_document, cancel) => this.#add(cancel) },
      prompts: this,
    });
    return this.summary;
  }

  cancelProgress(): void {
    this.#progress.abort();
  }

  withScriptProgress(_profile: Profile, run: (progress: ScriptProgress) => Promise<void>): Promise<void> {
    return run({
      signal: this.#progress.signal,
      showStatement: (number, totalCount, sql) => this.shown.push(`${number} of ${totalCount}: ${sql}`),
    });
  }

  faultPolicy(): FaultPolicy {
    return this.policy;
  }

  confirmContinue(fault: ScriptFault): Promise<boolean> {
    this.faults.push(fault);
    return Promise.resolve(this.isContinued);
  }

  showSummary(summary: ScriptSummary): void {
    this.summary = summary;
  }

  #add(cancel: () => void) {
    this.activeCancel = cancel;
    return toDisposable(() => (this.activeCancel = undefined));
  }

  #runStatement({
    statement,
    mark,
    onStart,
  }: StatementCall): Promise<{ state: RunState; error: unknown; elapsedMs: number }> {
    const index = this.sent.push(statement.sql) - 1;
    let isCancelled = false;
    const cancel = (): void => {
      this.cancelledRuns++;
      isCancelled = true;
    };
    onStart?.({ cancel } as Parameters<NonNullable<StatementCall['onStart']>>[0]);
    this.whileRunning(index);
    mark.state = { kind: 'ok', elapsedMs: 10 };
    const state = isCancelled ? 'cancelled' : this.#states[index]!;
    const error = state === 'failed' ? new Error(`fault ${index}`) : undefined;
    return Promise.resolve({ state, error, elapsedMs: 10 });
  }
}

test('a script runs its statements one after another and shows how many ran', async () => {
  const script = new Script('done', 'limited', 'done');
  assert.deepEqual(await script.run(), {
    totalCount: 3,
    succeededCount: 3,
    failedCount: 0,
    cancelledCount: 0,
    elapsedMs: 30,
  });
  assert.deepEqual(script.shown, ['1 of 3: SELECT 0', '2 of 3: SELECT 1', '3 of 3: SELECT 2']);
  assert.deepEqual(script.removedMarks, []);
});

const faulty: readonly (readonly [what: string, states: RunState[], Partial<Script>, asked: number, sent: number])[] = [
  ['asks, and stops when the user does not continue', ['done', 'failed', 'done'], { isContinued: false }, 1, 2],
  ['asks, and runs the rest when the user continues', ['failed', 'failed', 'done'], {}, 2, 3],
  ['runs the rest without a question with the setting "continue"', ['failed', 'done'], { policy: 'continue' }, 0, 2],
  ['stops without a question with the setting "stop"', ['failed', 'done'], { policy: 'stop' }, 0, 1],
  ['asks nothing if no statement is left', ['done', 'failed'], {}, 0, 2],
];

for (const [what, states, answers, asked, sent] of faulty) {
  test(`at a fault a script ${what}`, async () => {
    const script = Object.assign(new Script(...states), answers);
    const summary = await script.run();
    assert.deepEqual([script.faults.length, script.sent.length], [asked, sent]);
    const failed = states.slice(0, sent).filter(state => state === 'failed').length;
    assert.deepEqual([summary?.succeededCount, summary?.failedCount], [sent - failed, failed]);
  });
}

test('the question about a fault has its statement, its error and the number of the others', async () => {
  const script = new Script('done', 'failed', 'done');
  await script.run();
  const { mark } = script.calls[1]!;
  const fault = { sql: 'SELECT 1', error: new Error('fault 1'), remainingCount: 1, document, mark };
  assert.deepEqual(script.faults, [fault]);
});

test('statements that were not run lose their mark', async () => {
  const script = new Script('failed', 'done', 'done');
  script.isContinued = false;
  await script.run();
  assert.deepEqual(
    script.removedMarks,
    script.calls.slice(1).map(({ mark }) => mark),
  );
});

test('cancelling the progress cancels the statement that runs, and the rest is not sent', async () => {
  const script = new Script('done', 'done', 'done');
  script.whileRunning = index => {
    if (index === 1) script.cancelProgress();
  };
  const summary = await script.run();
  assert.deepEqual(script.sent, ['SELECT 0', 'SELECT 1']);
  assert.equal(script.cancelledRuns, 1);
  assert.equal(summary?.succeededCount, 1);
  assert.equal(summary.cancelledCount, 1);
});

test('a script is active in its document until it ends, and can be cancelled from there', async () => {
  const script = new Script('done', 'done');
  script.whileRunning = () => script.activeCancel?.();
  const summary = await script.run();
  assert.equal(summary?.cancelledCount, 1);
  assert.equal(script.activeCancel, undefined);
});

test('a statement that is cancelled from its result ends the script', async () => {
  const script = new Script('cancelled', 'done');
  await script.run();
  assert.deepEqual(script.sent, ['SELECT 0']);
});

test('a script that is cancelled before it begins sends nothing', async () => {
  const script = new Script('done', 'done');
  script.cancelProgress();
  await script.run();
  assert.deepEqual(script.sent, []);
});
