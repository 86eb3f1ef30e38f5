import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Uri, WebviewPanel } from 'vscode';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import type { ProjectList } from '../../../src/host/connections/projects.ts';
import type { SettingsPageParts } from '../../../src/host/management/settingsPage.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { SettingsPage } = await import('../../../src/host/management/settingsPage.ts');

/** A page whose lists of projects the test resolves, with the names of the projects in each state that it gets. */
function openPage() {
  const lists: PromiseWithResolvers<ProjectList>[] = [];
  const listeners: (() => void)[] = [];
  const projects = {
    list: () => {
      const list = Promise.withResolvers<ProjectList>();
      lists.push(list);
      return list.promise;
    },
    onDidChange: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => {} };
    },
  };
  const sent: string[] = [];
  const panel = {
    webview: {
      asWebviewUri: (uri: unknown) => uri,
      onDidReceiveMessage: () => {},
      postMessage: (message: unknown) => void sent.push(JSON.stringify(message)),
    },
    onDidDispose: () => {},
  };
  const parts = {
    extensionUri: { path: '/extension' } as Uri,
    projects,
    keys: new KeyStore(secretStorage(), { clock: new HandClock() }),
  };
  new SettingsPage(parts as unknown as SettingsPageParts).restore(panel as unknown as WebviewPanel);
  return { lists, sent, change: () => listeners.forEach(listener => listener()) };
}

const listOf = (name: string): ProjectList => ({
  profiles: [makeProfile({ name, baseUrl: 'http://127.0.0.1:9', projectId: name, source: 'settings', scope: 'user' })],
  problems: [],
  localFault: undefined,
});

test('a late answer to an earlier list of projects does not replace the newer state of the page', async () => {
  const { lists, sent, change } = openPage();
  change();
  change();
  lists[1]!.resolve(listOf('newer'));
  await nextTurn();
  lists[0]!.resolve(listOf('earlier'));
  await nextTurn();
  assert.equal(sent.length, 1);
  assert.match(sent[0]!, /newer/);
});

test('an earlier list of projects is shown while a newer one is slow', async () => {
  const { lists, sent, change } = openPage();
  change();
  change();
  lists[0]!.resolve(listOf('earlier'));
  await nextTurn();
  assert.match(sent.at(-1)!, /earlier/);
  lists[1]!.resolve(listOf('newer'));
  await nextTurn();
  assert.match(sent.at(-1)!, /newer/);
});
