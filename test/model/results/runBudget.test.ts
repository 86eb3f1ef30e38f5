import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { RunBudget } from '../../../src/model/results/runBudget.ts';

test('who goes on may take as much again of what was used up, and no more of the rest', () => {
  const disk = new DiskBudget(() => 100);
  const budget = new RunBudget({ maxRows: 10, maxBytes: 1000 }, disk);
  disk.take(100);
  const kept = { rowCount: 5, size: 100 };
  assert.equal(budget.usedUp(kept), 'disk');
  budget.extend('disk', kept);
  assert.equal(budget.rows, 10);
  disk.take(-100);
  assert.equal(budget.usedUp({ rowCount: 5, size: 1001 }), 'bytes');
  budget.extend('bytes', { rowCount: 5, size: 1001 });
  assert.equal(budget.usedUp({ rowCount: 10, size: 2001 }), undefined);
  assert.equal(budget.usedUp({ rowCount: 11, size: 2001 }), 'rows');
  budget.extend('rows', { rowCount: 11, size: 2001 });
  assert.equal(budget.rows, 20);
});
