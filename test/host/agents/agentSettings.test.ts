import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultAgentLimits } from '../../../src/model/agent/limits.ts';
import { makeProfile, type SettingsScope } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { workspace } = await import('vscode');
const { readLimits, readMasked, readWritable } = await import('../../../src/host/agents/agentSettings.ts');
const { isListed, toggleListed } = await import('../../../src/host/connections/settingLists.ts');
const { settings } = await import('../../../src/host/names.ts');
const { isWritable } = await import('../../../src/host/agents/agentSettings.ts');

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
  const isHidden = (name: string): boolean => isListed(settings.agentsHidden, { id: `id of ${name}`, name });
  playSettings(['Bank'], ['Shop', 'Bank', 7], 'all');
  assert.deepEqual(['Bank', 'Shop', '7', 'all'].map(isHidden), [true, true, false, false]);
  playSettings(['Bank'], []);
  assert.deepEqual(['Bank', 'Shop'].map(isHidden), [true, false]);
  playSettings(['https://sql.example.com p1', 'p1', 'shop']);
  assert.ok(isListed(settings.agentsHidden, shop('workspace')));
  playSettings(['p1', 'shop']);
  assert.ok(!isListed(settings.agentsHidden, shop('user')));
});

test('a project is added to a list of the user and removed from it, but not from that of the workspace', async () => {
  for (const setting of [settings.agentsHidden, settings.historyExcluded]) {
    let own: unknown = ['Bank', 'Shop'];
    const workspaceValue: string[] = [];
    const update = async (name: string, value: unknown): Promise<void> => {
      assert.equal(name, setting);
      own = value;
    };
    const inspect = () => ({ globalValue: own, workspaceValue });
    Object.assign(workspace, { getConfiguration: () => ({ inspect, update }) });
    const [first, second] = [
      { id: 'one', name: 'Shop' },
      { id: 'two', name: 'Shop' },
    ];
    assert.equal(await toggleListed(setting, first, [first, second]), false);
    assert.deepEqual(own, ['Bank', 'two'], 'its namesake stays');
    assert.equal(await toggleListed(setting, first, [first, second]), true);
    assert.deepEqual(own, ['Bank', 'two', 'one']);
    workspaceValue.push('Shop');
    assert.equal(await toggleListed(setting, first, [first, second]), true);
    assert.deepEqual(own, ['Bank', 'two']);
  }
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
