import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultAgentLimits } from '../../../src/model/agent/limits.ts';
import { makeProfile, type SettingsScope } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { workspace } = await import('vscode');
const { readLimits, readMasked, readWritable } = await import('../../../src/host/agents/agentSettings.ts');
const { isHidden, readHidden } = await import('../../../src/host/connections/hiddenProjects.ts');
const { isWritable } = await import('../../../src/host/agents/agentProjects.ts');

/** Plays the value that each settings file has. */
function playSettings(globalValue: unknown, workspaceValue?: unknown, workspaceFolderValue?: unknown): void {
  const inspect = () => ({ globalValue, workspaceValue, workspaceFolderValue });
  Object.assign(workspace, { getConfiguration: () => ({ inspect }) });
}

test('a workspace masks further columns, and shows none that the user has masked', () => {
  playSettings(['customers.email', '*.password*'], ['orders.note', 'customers.email'], []);
  assert.deepEqual(readMasked(), ['customers.email', '*.password*', 'orders.note']);
  playSettings(['customers.email'], 'nothing', [1, null, '']);
  assert.deepEqual(readMasked(), ['customers.email']);
});

test('a workspace hides further projects, and shows none that the user has hidden', () => {
  playSettings(['Bank'], ['Shop', 'Bank', 7], 'all');
  assert.deepEqual([...readHidden()], ['Bank', 'Shop']);
  playSettings(['Bank'], []);
  assert.deepEqual([...readHidden()], ['Bank']);
  for (const entry of ['Shop', 'https://sql.example.com p1']) assert.ok(isHidden(shop('workspace'), new Set([entry])));
  assert.ok(!isHidden(shop('user'), new Set(['p1', 'shop'])));
});

test('the limits of the user replace the usual ones, and a workspace only lowers them', () => {
  playSettings({ rows: 1000, sessionTokens: 5 }, { rows: 5000, seconds: 3, sessionTokens: 9 }, { bytes: 10 });
  assert.deepEqual(readLimits(), {
    call: { ...defaultAgentLimits.call, rows: 1000, seconds: 3, bytes: 10 },
    session: { ...defaultAgentLimits.session, tokens: 5 },
  });
});

test('a limit that is not a positive number is ignored', () => {
  for (const broken of [undefined, null, 'all', [], { rows: -1, bytes: 0, seconds: '9', tokens: null }]) {
    playSettings(broken, broken);
    assert.deepEqual(readLimits(), defaultAgentLimits);
  }
});

test('only the settings of the user say which projects agents may write to', () => {
  playSettings(undefined, ['Shop'], ['Shop']);
  assert.equal(readWritable().size, 0);
  playSettings(['Shop'], ['Bank']);
  assert.deepEqual([...readWritable()], ['Shop']);
});

const shop = (scope: SettingsScope) =>
  makeProfile({ name: 'Shop', baseUrl: 'https://sql.example.com', projectId: 'p1', source: 'settings', scope });

test('a project of a workspace is not writable by a name that it has taken', () => {
  assert.ok(isWritable(shop('user'), new Set(['Shop'])));
  assert.ok(!isWritable(shop('workspace'), new Set(['Shop'])));
  assert.ok(!isWritable(shop('workspace'), new Set(['p1'])));
  assert.ok(isWritable(shop('workspace'), new Set(['https://sql.example.com p1'])));
});
