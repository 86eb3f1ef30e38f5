import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultView } from '../../../src/protocol/results.ts';
import { resultView } from '../../support/resultView.ts';
import { figuresOf, messageFor } from '../../../webview/grid/resultTexts.ts';

const browsing = { isTable: true, hasEnd: false, counting: false, byStatement: false };
const a = { name: 'a', type: '' };

const figures: readonly (readonly [view: Partial<ResultView>, language: string | undefined, expected: string])[] = [
  [{ rowCount: 1 }, 'en', '1 row · 12 ms'],
  [{ rowCount: 1234 }, 'en', '1,234 rows · 12 ms'],
  [{ rowCount: 1234, elapsedMs: 1550 }, 'de', '1.234 rows · 1,6 s'],
  [{ changedRows: 1 }, 'en', '1 row changed · 12 ms'],
  [{ changedRows: 0 }, 'en', '0 rows changed · 12 ms'],
  [{ changedRows: 20_000, elapsedMs: 999.7 }, 'en', '20,000 rows changed · 1.0 s'],
  [{ state: 'running', rowCount: 2 }, 'en', '2 rows · Running…'],
  [{ state: 'running' }, 'en', 'Running…'],
  [{ state: 'running', elapsedMs: 316 }, 'en', 'Running… · 0.3 s'],
  [{ state: 'running', rowCount: 2, elapsedMs: 984 }, 'de', '2 rows · 1,0 s'],
  [{ state: 'running', elapsedMs: 2340 }, 'en', 'Running… · 2.3 s'],
  [{ state: 'running', rowCount: 2000, elapsedMs: 2340, bytes: 9_300_000 }, 'en', '2,000 rows · 2.3 s · 9.3 MB'],
  [{ state: 'paused', rowCount: 1 }, 'en', '1+ rows · Paused · 12 ms'],
  [{ state: 'cancelled', rowCount: 2 }, 'en', '2 rows · Cancelled after 12 ms'],
  [{ state: 'limited', rowCount: 2 }, 'en', '2+ rows · Finished at the limit · 12 ms'],
  [{ state: 'more', rowCount: 2 }, 'en', '2 rows · more as you scroll · 12 ms'],
  [{ state: 'paused', rowCount: 2 }, 'en', '2+ rows · Paused · 12 ms'],
  [{ state: 'running', waitsMs: 5000 }, 'en', 'Waiting'],
  [{ rowCount: 2, bytes: 999, firstRowMs: 4.2 }, 'en', '2 rows · 12 ms · 999 bytes'],
  [{ rowCount: 2, bytes: 1_234_567 }, 'en', '2 rows · 12 ms · 1.23 MB'],
  [{ rowCount: 2, bytes: 12e12 }, 'en', '2 rows · 12 ms · 12,000 GB'],
  [{ rowCount: 2, columns: [a, a], allColumns: 2001 }, 'en', '2 rows · first 2 of 2,001 columns · 12 ms'],
  [{ state: 'failed' }, 'en', '12 ms'],
  [{ state: 'failed', rowCount: 2 }, 'en', '2 rows · 12 ms'],
];
for (const [view, language, expected] of figures) {
  test(`the figures of ${JSON.stringify(view)} in ${language} are ${expected}`, () =>
    assert.equal(figuresOf(resultView(view), language), expected));
}

const messages: readonly (readonly [view: Partial<ResultView>, expected: string])[] = [
  [{ state: 'running' }, 'Running…'],
  [{ state: 'running', browsing }, 'Loading…'],
  [{ state: 'running', rowCount: 5 }, 'Running…'],
  [{ state: 'running', waitsMs: 5000 }, ''],
  [{}, 'No rows'],
  [{ rowCount: 5 }, ''],
  [{ changedRows: 0 }, ''],
  [{ state: 'failed' }, ''],
  [{ state: 'cancelled' }, 'No rows'],
  [{ state: 'cancelled', outcome: 'unknown' }, ''],
];
for (const [view, expected] of messages) {
  test(`without a grid, the message for ${JSON.stringify(view)} is "${expected}"`, () =>
    assert.equal(messageFor(resultView(view)), expected));
}
