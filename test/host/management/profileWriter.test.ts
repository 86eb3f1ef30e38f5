import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { ConfigurationTarget, workspace } = await import('vscode');
const { ProfileWriter } = await import('../../../src/host/management/profileWriter.ts');

/** Plays the settings of the user and of the workspace. An untrusted workspace hides its own from extensions. */
function playSettings({ isTrusted }: { isTrusted: boolean }) {
  const values: { user?: unknown; workspace?: unknown } = { user: [], workspace: ['hidden'] };
  const writes: unknown[] = [];
  const configuration = {
    inspect: () => ({ globalValue: values.user, workspaceValue: isTrusted ? values.workspace : undefined }),
    update: async (_name: string, value: unknown, target: unknown) => {
      writes.push(value);
      await Promise.resolve();
      values[target === ConfigurationTarget.Global ? 'user' : 'workspace'] = value;
    },
  };
  Object.assign(workspace, { isTrusted, getConfiguration: () => configuration });
  return { values, writes };
}

const append =
  (entry: string) =>
  (setting: unknown): unknown[] => [...(setting as unknown[]), entry];

test('nothing is written to an untrusted workspace, whose hidden list would be lost', async () => {
  const { values, writes } = playSettings({ isTrusted: false });
  await assert.rejects(new ProfileWriter().write('workspace', append('mine')), { code: 'untrusted_workspace' });
  assert.deepEqual(writes, []);
  await new ProfileWriter().write('user', append('mine'));
  assert.deepEqual(values, { user: ['mine'], workspace: ['hidden'] });
});

test('a change starts from the list that the change before it has written', async () => {
  const { values } = playSettings({ isTrusted: true });
  const writer = new ProfileWriter();
  await Promise.all([writer.write('user', append('a')), writer.write('user', append('b'))]);
  assert.deepEqual(values.user, ['a', 'b']);
});

test('a change that throws writes nothing, and the next one is still made', async () => {
  const { values } = playSettings({ isTrusted: true });
  const writer = new ProfileWriter();
  const failing = writer.write('user', () => {
    throw new Error('invalid');
  });
  const next = writer.write('user', append('a'));
  await assert.rejects(failing, { message: 'invalid' });
  await next;
  assert.deepEqual(values.user, ['a']);
});
