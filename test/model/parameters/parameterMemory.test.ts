import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Memory, ParameterMemory } from '../../../src/model/parameters/parameterMemory.ts';

/** What a workspace keeps goes through JSON. */
function workspaceMemory(stored = new Map<string, string>()): Memory & { readonly stored: Map<string, string> } {
  return {
    stored,
    get: key => JSON.parse(stored.get(key) ?? 'null') as unknown,
    update: async (key, value) => void stored.set(key, JSON.stringify(value)),
  };
}

const one = { type: 'integer', text: '9007199254740993' } as const;
const other = { type: 'text', text: 'x' } as const;

test('the last values of a statement are known again, however its lines are broken', async () => {
  const memory = workspaceMemory();
  await new ParameterMemory(memory).remember('SELECT ?,\n  ?', [one, other]);
  await new ParameterMemory(memory).remember('SELECT ?', [other]);
  assert.deepEqual(new ParameterMemory(memory).recall('SELECT ?, ?'), [one, other]);
  assert.deepEqual(new ParameterMemory(memory).recall('SELECT ?'), [other]);
  assert.deepEqual(new ParameterMemory(memory).recall('SELECT ? + 1'), []);
});

test('the oldest statement is forgotten, and a text of many pages is not kept', async () => {
  const workspace = workspaceMemory();
  const memory = new ParameterMemory(workspace);
  for (let number = 0; number <= 200; number++) await memory.remember(`SELECT ? + ${number}`, [other]);
  assert.deepEqual(memory.recall('SELECT ? + 0'), []);
  assert.deepEqual(memory.recall('SELECT ? + 1'), [other]);
  await memory.remember('SELECT ?, ?', [{ type: 'text', text: 'x'.repeat(20_000) }, one]);
  assert.deepEqual(memory.recall('SELECT ?, ?'), [undefined, one]);
  assert.ok([...workspace.stored.values()].join('').length < 50_000);
});

test('what stands in the memory and cannot be read counts as nothing', () => {
  for (const text of ['7', '[7]', '[{"name":1}]', '{"a":[]}']) {
    assert.deepEqual(new ParameterMemory(workspaceMemory(new Map([['sqlProjects.parameters', text]]))).recall(''), []);
  }
});
