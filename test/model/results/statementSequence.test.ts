import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProjectError, ProjectError } from '../../../src/base/errors.ts';
import { type SequenceOptions, StatementSequence } from '../../../src/model/results/statementSequence.ts';
import { rememberedMs } from '../../../src/wire/headers.ts';
import { HandClock } from '../../support/handClock.ts';

test('a statement that may have run is sent again only while the service remembers its key', async () => {
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  const sentKeys: (string | undefined)[] = [];
  const options: SequenceOptions = {
    project: {
      sql: (_sql, _params, call) => {
        sentKeys.push(call?.idempotencyKey);
        return Promise.reject(new ProjectError('transport', 'connection_lost', 'The answer was lost.'));
      },
    },
    clock,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const sequence = new StatementSequence(['DELETE FROM pets'], clock);
  await sequence.run(options);
  assert.equal(sequence.canContinue, true);
  const stop = await sequence.run(options);
  assert.deepEqual([stop?.isUnknown, sentKeys.length, new Set(sentKeys).size], [true, 2, 1]);

  clock.advance(rememberedMs);
  const restored = new StatementSequence(['DELETE FROM pets'], clock, sequence.sentKey);
  for (const late of [sequence, restored]) {
    assert.equal(late.canContinue, false);
    const lateStop = await late.run(options);
    assert.deepEqual([lateStop?.isUnknown, asProjectError(lateStop?.error)?.code], [true, 'outcome_expired']);
  }
  assert.equal(sentKeys.length, 2);
});
