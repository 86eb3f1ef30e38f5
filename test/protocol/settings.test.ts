import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSettingsState } from '../../src/protocol/settings.ts';

const project = { id: 'a', name: 'Shop', baseUrl: 'http://127.0.0.1:9', projectId: 'shop', source: 'local' };

test('a state decodes, with and without keys', () => {
  const state = { projects: [project, { ...project, keySince: 'Monday' }], problems: ['One.'] };
  assert.deepEqual(decodeSettingsState(state), {
    projects: [{ ...project, keySince: undefined }, state.projects[1]],
    problems: ['One.'],
  });
});

const strange = [
  undefined,
  {},
  { projects: [] },
  { projects: [], problems: [1] },
  { projects: [{}], problems: [] },
  { projects: [{ ...project, source: 'elsewhere' }], problems: [] },
  { projects: [{ ...project, keySince: 1 }], problems: [] },
];
for (const state of strange) {
  test(`${JSON.stringify(state)} is no state`, () => assert.equal(decodeSettingsState(state), undefined));
}
