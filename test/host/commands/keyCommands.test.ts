import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/client/index.ts';
import type { KeyCommandParts } from '../../../src/host/commands/keyCommands.ts';
import type { Projects } from '../../../src/host/connections/projects.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { issueLocalKey, setKey } = await import('../../../src/host/commands/keyCommands.ts');

const shop = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });

/** The commands in a window with one project. */
function makeParts(profile: Profile, openWith: KeyCommandParts['clients']['openWith'], canIssue = true) {
  const keys = newKeyStore();
  const revoked: string[] = [];
  const parts: KeyCommandParts = {
    keys,
    projects: { find: async () => profile } as unknown as Projects,
    clients: { openWith },
    localKeys: {
      issue: async () => {
        if (!canIssue) throw new Error('The service is gone.');
        await keys.setIssued(profile, 'new', 'k2');
      },
      revoke: async keyId => void revoked.push(keyId),
    },
  };
  return { parts, keys, revoked };
}

/** VS Code's input box, with a user who answers each question with the next text. */
class TypedInput {
  value = '';
  #validationMessage: string | undefined;
  readonly #texts: string[];
  readonly shown: string[] = [];
  #accept: () => void = () => {};
  #hide: () => void = () => {};

  constructor(texts: readonly string[]) {
    this.#texts = [...texts];
  }

  set validationMessage(message: string | undefined) {
    this.#validationMessage = message;
    if (message) this.shown.push(message);
  }

  get validationMessage(): string | undefined {
    return this.#validationMessage;
  }

  /** The input is enabled again after each answer. */
  set enabled(enabled: boolean) {
    if (enabled) setImmediate(() => this.#answer());
  }

  readonly onDidChangeValue = () => ({ dispose() {} });
  readonly onDidTriggerButton = () => ({ dispose() {} });
  readonly onDidAccept = (listener: () => void) => {
    this.#accept = listener;
    return { dispose() {} };
  };
  readonly onDidHide = (listener: () => void) => {
    this.#hide = listener;
    return { dispose() {} };
  };
  readonly dispose = (): void => void (this.#accept = () => {});
  readonly show = (): void => this.#answer();

  #answer(): void {
    const text = this.#texts.shift();
    if (text === undefined) return this.#hide();
    this.value = text;
    this.#accept();
  }
}

const works: Pick<Client, 'execSql'> = {
  execSql: async () =>
    ({ rows: [{ version: '3.50.0', tables: 2 }] }) as unknown as Awaited<ReturnType<Client['execSql']>>,
};
const failing = (code: string): Pick<Client, 'execSql'> => ({
  execSql: () => Promise.reject(new ProjectError('service', code, 'No.')),
});

/** Sets a key with these answers, where each key meets a client. */
async function enter(
  texts: readonly string[],
  clientOf: (key: string) => Pick<Client, 'execSql'>,
  { storedKey, button }: { readonly storedKey?: string; readonly button?: string } = {},
) {
  const input = new TypedInput(texts);
  const messages: string[] = [];
  const show = async (message: string) => {
    messages.push(message);
    return button && { title: button };
  };
  Object.assign(vscode.window, {
    createInputBox: () => input,
    showInformationMessage: show,
    showWarningMessage: show,
  });
  const { parts, keys } = makeParts(
    shop,
    async (_profile, key) => ({ ...clientOf(key), [Symbol.asyncDispose]: async () => {} }) as unknown as Client,
  );
  if (storedKey !== undefined) await keys.setEntered(shop, storedKey);
  await setKey(parts, shop.id);
  return { shown: input.shown, messages, stored: await keys.get(shop) };
}

test('a key is tested when it is set, and the answer is shown', async () => {
  const { messages, stored } = await enter(['good-key'], () => works);
  assert.match(messages.join(), /^'Shop' answered in [\d.]+ m?s: 2 tables, SQLite 3\.50\.0\.$/);
  assert.equal(stored, 'good-key');
});

const needsGoodKey = (key: string) => (key === 'good-key' ? works : failing('unauthenticated'));

test('a rejected key is not saved, and another one can be typed at once', async () => {
  const { shown, stored } = await enter(['bad-key', 'good-key'], needsGoodKey);
  assert.deepEqual(shown, ['The service rejected the API key. Press Enter again to use it anyway.']);
  assert.equal(stored, 'good-key');
});

test('a rejected key that is typed again is saved', async () => {
  const { messages, stored } = await enter(['bad-key', 'bad-key'], () => failing('unauthenticated'));
  assert.match(messages.join(), /^Saved the API key of 'Shop'\./);
  assert.equal(stored, 'bad-key');
});

test('a key is saved when its service cannot be reached, with the reason', async () => {
  const { messages, stored } = await enter(['some-key'], () => failing('connect_failed'));
  assert.match(messages.join(), /^Saved the API key of 'Shop'\. No\./);
  assert.equal(stored, 'some-key');
});

test('a rejected key that the user gives up is not stored', async () => {
  const { stored } = await enter(['bad-key'], () => failing('unauthenticated'));
  assert.equal(stored, undefined);
});

test('another key replaces a stored one only if the user says so, when the service does not say what they may do', async () => {
  const left = await enter(['good-key'], () => works, { storedKey: 'former' });
  assert.match(left.messages.join(), /Replace the API key of 'Shop'\?$/);
  assert.equal(left.stored, 'former');
  const replaced = await enter(['good-key'], () => works, { storedKey: 'former', button: 'Replace API Key' });
  assert.equal(replaced.stored, 'good-key');
});

const local = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'local' });
const failTest = () => Promise.reject(new Error('No key is tested.'));

test('a new key of the local service replaces the former one, which is revoked', async () => {
  const { parts, keys, revoked } = makeParts(local, failTest);
  await keys.setIssued(local, 'former', 'k1');
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'new');
  assert.deepEqual(revoked, ['k1']);
});

test('a key that the user entered is replaced if the user says so, but cannot be revoked', async () => {
  const { parts, keys, revoked } = makeParts(local, failTest);
  await keys.setEntered(local, 'entered');
  const answers = [undefined, { title: 'Replace API Key' }];
  Object.assign(vscode.window, { showWarningMessage: async () => answers.shift() });
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'entered');
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'new');
  assert.deepEqual(revoked, []);
});

test('the former key stays when the service issues none', async () => {
  const { parts, keys, revoked } = makeParts(local, failTest, false);
  await keys.setIssued(local, 'former', 'k1');
  await assert.rejects(issueLocalKey(parts, local.id), { message: 'The service is gone.' });
  assert.equal(await keys.get(local), 'former');
  assert.deepEqual(revoked, []);
});
