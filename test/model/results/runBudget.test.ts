import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { RunBudget } from '../../../src/model/results/runBudget.ts';

test('resuming extends the budget that was exceeded, and no other', () => {
  const disk = new DiskBudget(() => 100);
  const budget = new RunBudget({ maxRows: 10, maxBytes: 1000 }, disk);
  disk.take(100);
  const stored = { rowCount: 5, size: 100 };
  assert.equal(budget.exceededBy(stored), 'disk');
  budget.extend('disk', stored);
  assert.equal(budget.maxRows, 10);
  disk.take(-100);
  assert.equal(budget.exceededBy({ rowCount: 5, size: 1001 }), 'bytes');
  budget.extend('bytes', { rowCount: 5, size: 1001 });
  assert.equal(budget.exceededBy({ rowCount: 10, size: 2001 }), undefined);
  assert.equal(budget.exceededBy({ rowCount: 11, size: 2001 }), 'rows');
  budget.extend('rows', { rowCount: 11, size: 2001 });
  assert.equal(budget.maxRows, 20);
});
