import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParameterMemory } from '../../../src/model/parameters/parameterMemory.ts';
import { dropSavedValues, type WorkspaceStorage } from '../../../src/model/savedValues.ts';

/** VS Code stores the values of a workspace as JSON. */
function workspaceStorage(
  stored = new Map<string, string>(),
): WorkspaceStorage & { readonly stored: Map<string, string> } {
  return {
    stored,
    get: key => JSON.parse(stored.get(key) ?? 'null') as unknown,
    update: async (key, value) => void stored.set(key, JSON.stringify(value)),
  };
}

/** The memory of a new window whose user lets values be stored. */
const storingMemory = (storage: WorkspaceStorage): ParameterMemory =>
  new ParameterMemory({ storage, savesValues: () => true });

const integerSet = (number: number) => [{ type: 'integer', text: String(number) }] as const;
const one = { type: 'integer', text: '9007199254740993' } as const;
const other = { type: 'text', text: 'x' } as const;

test('the last values of a statement are recalled, however its lines are broken', async () => {
  const storage = workspaceStorage();
  await storingMemory(storage).remember('SELECT ?,\n  ?', [one, other]);
  await storingMemory(storage).remember('SELECT ?', [other]);
  assert.deepEqual(storingMemory(storage).recall('SELECT ?, ?'), [one, other]);
  assert.deepEqual(storingMemory(storage).recall('SELECT ?'), [other]);
  assert.deepEqual(storingMemory(storage).recall('SELECT ? + 1'), []);
});

test('the last five different sets of values are recalled, the newest first', async () => {
  const storage = workspaceStorage();
  const memory = storingMemory(storage);
  for (const number of [1, 2, 3, 2, 4, 5, 6]) await memory.remember('SELECT ?', integerSet(number));
  const expected = [6, 5, 4, 2, 3].map(number => integerSet(number));
  assert.deepEqual(memory.recallSets('SELECT ?'), expected);
  assert.deepEqual(storingMemory(storage).recallSets('SELECT  ?'), expected);
  assert.deepEqual(memory.recallSets('SELECT ? + 1'), []);
});

test('the oldest statement is forgotten, and long texts are not stored', async () => {
  const storage = workspaceStorage();
  const memory = storingMemory(storage);
  for (let number = 0; number <= 200; number++) await memory.remember(`SELECT ? + ${number}`, [other]);
  assert.deepEqual(memory.recall('SELECT ? + 0'), []);
  assert.deepEqual(memory.recall('SELECT ? + 1'), [other]);
  await memory.remember('SELECT ?, ?', [{ type: 'text', text: 'x'.repeat(20_000) }, one]);
  assert.deepEqual(memory.recall('SELECT ?, ?'), [undefined, one]);
  assert.ok([...storage.stored.values()].join('').length < 50_000);
});

test('values are remembered for the window only, unless the user lets them be stored', async () => {
  const storage = workspaceStorage();
  const memory = new ParameterMemory({ storage, savesValues: () => false });
  await memory.remember('SELECT ?', [other]);
  assert.deepEqual(memory.recall('SELECT ?'), [other]);
  assert.equal(storage.stored.size, 0);
  assert.deepEqual(storingMemory(storage).recall('SELECT ?'), []);
});

test('stored values are removed when the user no longer allows them, and the window remembers them', async () => {
  const storage = workspaceStorage();
  const memory = storingMemory(storage);
  await memory.remember('SELECT ?', [other]);
  await dropSavedValues(storage, undefined);
  assert.deepEqual(memory.recall('SELECT ?'), [other]);
  assert.deepEqual(storingMemory(storage).recall('SELECT ?'), []);
  assert.doesNotMatch([...storage.stored.values()].join(''), /text/);
});

test('unreadable storage is ignored', () => {
  for (const text of ['7', '[7]', '[{"statementHash":1}]', '{"a":[]}']) {
    assert.deepEqual(storingMemory(workspaceStorage(new Map([['sqlProjects.parameters', text]]))).recall(''), []);
  }
});
