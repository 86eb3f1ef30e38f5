import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSettingsState, settingsBridge } from '../../src/protocol/settings.ts';
import { projectEntry, settingsStateOf } from '../support/settingsEntry.ts';

const { save, saveBudget, openSettings, test: testMethod } = settingsBridge.methods;
const shop = projectEntry('Shop');
const bank = projectEntry('Bank', { keySince: 'Monday', note: 'Raised.', scope: undefined });
const state = { ...settingsStateOf(shop, bank), problems: [{ message: 'One.', scope: 'user' as const }] };

test('a state decodes, with and without keys', () => {
  assert.deepEqual(decodeSettingsState(state), state);
});

test('fields that JSON leaves out of a state are undefined again', () => {
  assert.deepEqual(decodeSettingsState(JSON.parse(JSON.stringify(state))), state);
});

const wrongStates = [
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
for (const wrong of wrongStates) {
  test(`${JSON.stringify(wrong)} is refused as a state`, () => assert.equal(decodeSettingsState(wrong), undefined));
}

test('a request to save has the changed fields and no others', () => {
  const fields = { name: 'Shop', apiKey: 'canary' };
  assert.deepEqual(save.params({ id: 'a', fields }), { id: 'a', fields: { name: 'Shop' } });
  for (const wrong of [undefined, {}, { id: 'a' }, { id: 1, fields }, { id: 'a', fields: { retries: 3 } }]) {
    assert.equal(save.params(wrong), undefined);
  }
});

test('budgets, scopes and test outcomes decode, and wrong ones are refused', () => {
  assert.deepEqual(saveBudget.params({ name: 'maxRows', value: '5' }), { name: 'maxRows', value: '5' });
  assert.equal(saveBudget.params({ name: 'maxCats', value: '5' }), undefined);
  assert.deepEqual(openSettings.params({ scope: 'workspace' }), { scope: 'workspace' });
  assert.equal(openSettings.params({ scope: 'elsewhere' }), undefined);
  for (const remedy of [undefined, 'setKey'] as const) {
    assert.deepEqual(testMethod.answer({ remedy, message: 'Yes.' }), { remedy, message: 'Yes.' });
  }
  assert.equal(testMethod.answer(null), null);
  assert.equal(testMethod.answer({ remedy: 'pray', message: 'No.' }), undefined);
});
