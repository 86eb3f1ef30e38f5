import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultAgentLimits, lowestLimits, SessionBudget } from '../../../src/model/agent/limits.ts';

const limits = { rows: 100, bytes: 1000, seconds: 10, tokens: 500 };

test('a project or a workspace lowers limits, and never raises them', () => {
  const merged = lowestLimits({ call: limits, session: limits }, { call: { rows: 10, tokens: 1_000_000 } }, undefined, {
    call: { rows: 500, seconds: 5 },
    session: { bytes: 1 },
  });
  assert.deepEqual(merged.call, { rows: 10, bytes: 1000, seconds: 5, tokens: 500 });
  assert.deepEqual(merged.session, { rows: 100, bytes: 1, seconds: 10, tokens: 500 });
});

test('a limit other than a number from 0 on is ignored', () => {
  const broken = { rows: Number.NaN, bytes: -1, seconds: '5' as unknown as number };
  assert.deepEqual(lowestLimits(defaultAgentLimits, { call: broken }), defaultAgentLimits);
});

test('calls at the same time share what the session has left, and give back what they do not use', () => {
  const budget = new SessionBudget();
  const first = budget.reserve({ call: { rows: 80, bytes: 10, seconds: 1, tokens: 1 }, session: limits });
  const second = budget.reserve({ call: { rows: 80, bytes: 10, seconds: 1, tokens: 1 }, session: limits });
  assert.deepEqual([first.limits.rows, second.limits.rows], [80, 20]);
  first.settle({ rows: 5, bytes: 0, seconds: 0, tokens: 0 });
  assert.equal(
    budget.reserve({ call: { rows: 100, bytes: 1, seconds: 1, tokens: 1 }, session: limits }).limits.rows,
    75,
  );
});

test('a session without anything left of one limit refuses calls, and says which', () => {
  const budget = new SessionBudget();
  budget.reserve({ call: limits, session: limits }).settle({ rows: 100, bytes: 0, seconds: 0, tokens: 0 });
  assert.throws(() => budget.reserve({ call: limits, session: limits }), {
    code: 'session_limit',
    message: /used its 100 rows/,
  });
});
