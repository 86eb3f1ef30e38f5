import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { keyReuse } = await import('../../../src/host/connections/keyReuse.ts');

const fields = { baseUrl: 'https://sql.example', projectId: 'p1', name: 'Shop', source: 'settings' } as const;
const own = makeProfile({ ...fields, scope: 'user' });
const moved = makeProfile({ ...fields, scope: 'workspace', pathPrefix: '/moved' });

/** A window with a key at the default path, whose user answers each question with the next of these buttons. */
async function openWindow({ answers, entered }: { answers: readonly (string | undefined)[]; entered?: string }) {
  const keys = new KeyStore(secretStorage(), { clock: new HandClock(), workspace: () => 'file:///a' });
  await keys.setEntered(own, 'key');
  const questions: unknown[][] = [];
  const commands: unknown[][] = [];
  Object.assign(vscode.window, {
    showWarningMessage: async (question: string, options: object, ...buttons: { title: string }[]) => {
      const answer = answers[questions.push([question, options, ...buttons.map(({ title }) => title)]) - 1];
      return buttons.find(({ title }) => title === answer);
    },
  });
  Object.assign(vscode.commands, {
    executeCommand: async (...command: unknown[]) => {
      commands.push(command);
      if (entered !== undefined) await keys.setEntered(moved, entered);
    },
  });
  return { keys, questions, commands, reuse: keyReuse(keys) };
}

test('the question names both addresses and the settings that the new one comes from', async () => {
  const { reuse, questions } = await openWindow({ answers: [undefined] });
  await reuse(moved);
  assert.deepEqual(questions, [
    [
      "The API key of 'Shop' was set for https://sql.example/serviceSql. Use it for https://sql.example/moved too?",
      {
        modal: true,
        detail: 'The new address comes from the workspace settings. Check that you trust it.',
      },
      'Show Project',
      'Use Key',
      'Set Another API Key',
    ],
  ]);
});

test('Use Key gives the key to the new path, for good, and keeps it for the old one', async () => {
  const { reuse, keys, questions } = await openWindow({ answers: ['Use Key'] });
  assert.deepEqual(await Promise.all([reuse(moved), reuse(moved)]), ['key', 'key']);
  assert.deepEqual([await keys.get(moved), await keys.get(own)], ['key', 'key']);
  assert.equal(await keyReuse(keys)(moved), 'key');
  assert.equal(questions.length, 1);
});

test('Set Another API Key asks for one, and the project uses it', async () => {
  const { reuse, keys, commands } = await openWindow({ answers: ['Set Another API Key'], entered: 'another' });
  assert.equal(await reuse(moved), 'another');
  assert.deepEqual(commands, [['sqlProjects.setKey', moved.id]]);
  assert.equal(await keys.get(own), 'key');
});

test('Set Another API Key is remembered in later windows when the user enters none', async () => {
  const { reuse, keys, questions } = await openWindow({ answers: ['Set Another API Key', 'Use Key'] });
  assert.equal(await reuse(moved), undefined);
  assert.equal(await keyReuse(keys)(moved), undefined);
  assert.equal(questions.length, 1);
});

test('a closed question sends no key, and only the next window asks again', async () => {
  const { reuse, keys, questions } = await openWindow({ answers: [undefined, 'Use Key'] });
  assert.deepEqual([await reuse(moved), await reuse(moved)], [undefined, undefined]);
  assert.equal(questions.length, 1);
  assert.equal(await keyReuse(keys)(moved), 'key');
});

test('no question comes when there is no key to confirm', async () => {
  const { reuse, questions } = await openWindow({ answers: ['Use Key'] });
  assert.equal(await reuse(makeProfile({ ...fields, baseUrl: 'https://other.example' })), undefined);
  assert.deepEqual(questions, []);
});
