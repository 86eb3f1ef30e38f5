import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableTitles } from '../../../src/host/browsing/tableTitles.ts';

const opened = (table: string, project: string, host = 'one.example', projectId = 'p1') => ({
  table: { name: table, kind: 'table' as const },
  profile: { name: project, baseUrl: `https://${host}`, projectId },
});

test('a table whose name no other has is called by it', () => {
  assert.deepEqual(tableTitles([opened('pets', 'Shop'), opened('owners', 'Shop')]), ['pets', 'owners']);
});

test('tables of the same name are told apart by their projects, and others keep their short names', () => {
  const titles = tableTitles([opened('pets', 'Shop'), opened('owners', 'Shop'), opened('pets', 'Staging')]);
  assert.deepEqual(titles, ['pets: Shop', 'owners', 'pets: Staging']);
});

test('where the projects have the same name too, their hosts tell them apart, or else their IDs', () => {
  const hosts = [opened('pets', 'Shop'), opened('pets', 'Shop', 'two.example'), opened('pets', 'Staging')];
  assert.deepEqual(tableTitles(hosts), ['pets: Shop (one.example)', 'pets: Shop (two.example)', 'pets: Staging']);
  const ids = [opened('pets', 'Shop'), opened('pets', 'Shop', 'one.example', 'p2')];
  assert.deepEqual(tableTitles(ids), ['pets: Shop (p1)', 'pets: Shop (p2)']);
});
