import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableTitles } from '../../../src/host/browsing/tableTitles.ts';

const opened = (table: string, project: string, host = 'one.example', projectId = 'p1') => ({
  table: { name: table, kind: 'table' as const },
  profile: { name: project, baseUrl: `https://${host}`, projectId },
});

test('a table with a unique name has it as its title', () => {
  assert.deepEqual(tableTitles([opened('pets', 'Shop'), opened('owners', 'Shop')]), ['pets', 'owners']);
});

test('two editors of one table have its short title', () => {
  assert.deepEqual(tableTitles([opened('pets', 'Shop'), opened('pets', 'Shop')]), ['pets', 'pets']);
});

test('titles of tables with the same name have the project, and others stay short', () => {
  const titles = tableTitles([opened('pets', 'Shop'), opened('owners', 'Shop'), opened('pets', 'Staging')]);
  assert.deepEqual(titles, ['pets: Shop', 'owners', 'pets: Staging']);
});

test('titles have the host if the projects have the same name too, or else the project id', () => {
  const hosts = [opened('pets', 'Shop'), opened('pets', 'Shop', 'two.example'), opened('pets', 'Staging')];
  assert.deepEqual(tableTitles(hosts), ['pets: Shop (one.example)', 'pets: Shop (two.example)', 'pets: Staging']);
  const ids = [opened('pets', 'Shop'), opened('pets', 'Shop', 'one.example', 'p2')];
  assert.deepEqual(tableTitles(ids), ['pets: Shop (p1)', 'pets: Shop (p2)']);
});
