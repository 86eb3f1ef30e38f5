import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedAssignments } from '../../src/model/documentAssignments.ts';

test('a file that is renamed keeps its project, whatever was at its new address before', () => {
  const before = { 'file:///a.sql': 'test', 'file:///b.sql': 'live', 'file:///c.sql': 'other' };
  assert.deepEqual(movedAssignments(before, 'file:///a.sql', 'file:///b.sql'), {
    'file:///b.sql': 'test',
    'file:///c.sql': 'other',
  });
});

test('a file without a project has none at an address that once had one', () => {
  const before = { 'file:///b.sql': 'live' };
  assert.deepEqual(movedAssignments(before, 'file:///a.sql', 'file:///b.sql'), {});
});

test('the files of a folder go with it, and no others', () => {
  const before = {
    'file:///one/a.sql': 'a',
    'file:///one.sql': 'b',
    'file:///two/a.sql': 'old',
    'file:///two/b.sql': 'c',
  };
  assert.deepEqual(movedAssignments(before, 'file:///one', 'file:///two'), {
    'file:///one.sql': 'b',
    'file:///two/a.sql': 'a',
    'file:///two/b.sql': 'c',
  });
});
