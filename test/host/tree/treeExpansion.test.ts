import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memento } from 'vscode';
import { treeExpansion } from '../../../src/host/tree/treeExpansion.ts';

function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, structuredClone(value)),
  } as Memento;
}

test('the next window knows which nodes were expanded and collapsed', async () => {
  const memory = memento();
  const before = treeExpansion(memory);
  await before.choose('shop', 'expanded');
  await before.choose('shop / tables', 'collapsed');
  await before.choose('bank', 'expanded');
  await before.choose('bank', 'collapsed');
  const after = treeExpansion(memory);
  const choices = ['shop', 'shop / tables', 'bank', 'zoo'].map(id => after.choiceFor(id));
  assert.deepEqual(choices, ['expanded', 'collapsed', 'collapsed', undefined]);
});

test('the oldest of many choices are forgotten', async () => {
  const expansion = treeExpansion(memento());
  for (let i = 0; i <= 1000; i++) await expansion.choose(`t${i}`, 'expanded');
  assert.deepEqual([expansion.choiceFor('t0'), expansion.choiceFor('t1')], [undefined, 'expanded']);
});

test('a stored value that is no set of choices is ignored', () => {
  const memory = { get: () => 5 } as unknown as Memento;
  assert.equal(treeExpansion(memory).choiceFor('shop'), undefined);
});
