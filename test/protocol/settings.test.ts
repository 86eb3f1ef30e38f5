import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeBudget,
  decodeSaveRequest,
  decodeScope,
  decodeSettingsState,
  decodeTestOutcome,
} from '../../src/protocol/settings.ts';
import { projectEntry, settingsStateOf } from '../support/settingsEntry.ts';

const shop = projectEntry('Shop');
const bank = projectEntry('Bank', { keySince: 'Monday', note: 'Raised.', scope: undefined });
const state = { ...settingsStateOf(shop, bank), problems: [{ sentence: 'One.', scope: 'user' as const }] };

test('a state decodes, with and without keys', () => {
  assert.deepEqual(decodeSettingsState(state), state);
});

test('what JSON leaves out of a state is undefined again', () => {
  assert.deepEqual(decodeSettingsState(JSON.parse(JSON.stringify(state))), state);
});

const strange = [
  undefined,
  {},
  { ...state, projects: undefined },
  { ...state, problems: [1] },
  { ...state, projects: [{}] },
  { ...state, projects: [{ ...shop, keySince: 1 }] },
  { ...state, projects: [{ ...shop, fields: { name: 'Shop' } }] },
  { ...state, budgets: { maxRows: 1 } },
  { ...state, hasWorkspace: undefined },
];
for (const one of strange) {
  test(`${JSON.stringify(one)} is no state`, () => assert.equal(decodeSettingsState(one), undefined));
}

test('a request to save holds the fields that were changed, and no others', () => {
  const fields = { name: 'Shop', apiKey: 'canary' };
  assert.deepEqual(decodeSaveRequest({ id: 'a', fields }), { id: 'a', fields: { name: 'Shop' } });
  for (const wrong of [undefined, {}, { id: 'a' }, { id: 1, fields }, { id: 'a', fields: { retries: 3 } }]) {
    assert.equal(decodeSaveRequest(wrong), undefined);
  }
});

test('a budget, a scope and the outcome of a test decode, and what is none does not', () => {
  assert.deepEqual(decodeBudget({ name: 'maxRows', value: '5' }), { name: 'maxRows', value: '5' });
  assert.equal(decodeBudget({ name: 'maxCats', value: '5' }), undefined);
  assert.equal(decodeScope({ scope: 'workspace' }), 'workspace');
  assert.equal(decodeScope({ scope: 'elsewhere' }), undefined);
  for (const remedy of [undefined, 'setKey'] as const) {
    assert.deepEqual(decodeTestOutcome({ remedy, sentence: 'Yes.' }), { remedy, sentence: 'Yes.' });
  }
  assert.equal(decodeTestOutcome({ remedy: 'pray', sentence: 'No.' }), undefined);
});
