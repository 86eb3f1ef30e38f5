import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Uri, WebviewPanel } from 'vscode';
import type { ListedProjects } from '../../../src/host/connections/projects.ts';
import type { SettingsPageParts } from '../../../src/host/management/settingsPage.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { SettingsPage } = await import('../../../src/host/management/settingsPage.ts');

/** The panel of a page, with the messages that it gets. */
function makePanel() {
  const panel = {
    title: 'Manage Projects',
    sent: [] as string[],
    close: (): void => {},
    receive: (_message: unknown): void => {},
  };
  return Object.assign(panel, {
    webview: {
      asWebviewUri: (uri: unknown) => uri,
      onDidReceiveMessage: (listener: (message: unknown) => void) => void (panel.receive = listener),
      postMessage: (message: unknown) => void panel.sent.push(JSON.stringify(message)),
    },
    onDidDispose: (listener: () => void) => void (panel.close = listener),
  });
}

/** A page whose lists of projects the test resolves, with the names of the projects in each state that it gets. */
function openPage() {
  const lists: PromiseWithResolvers<ListedProjects>[] = [];
  const listeners: (() => void)[] = [];
  const projects = {
    list: () => {
      const list = Promise.withResolvers<ListedProjects>();
      lists.push(list);
      return list.promise;
    },
    onDidChange: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => {} };
    },
  };
  const panel = makePanel();
  const parts = {
    extensionUri: { path: '/extension' } as Uri,
    projects,
    keys: newKeyStore(),
  };
  new SettingsPage(parts as unknown as SettingsPageParts).restore(panel as unknown as WebviewPanel);
  return { lists, sent: panel.sent, change: () => listeners.forEach(listener => listener()) };
}

const listOf = (name: string): ListedProjects => ({
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

const shop = listOf('shop').profiles[0]!;

/** A page with an unsaved name of a project. The user answers the question on closing with a button, or Cancel. */
async function closeWithDraft(answer: 'Save' | "Don't Save" | undefined) {
  const questions: string[] = [];
  const saved: unknown[] = [];
  const panels = [makePanel()];
  const createPanel = () => {
    panels.push(makePanel());
    return panels.at(-1);
  };
  Object.assign(vscode.window, {
    createWebviewPanel: createPanel,
    showWarningMessage: async (question: string) => {
      questions.push(question);
      return answer;
    },
  });
  const projects = {
    list: async () => listOf('shop'),
    find: async () => shop,
    onDidChange: () => ({ dispose: () => {} }),
  };
  const parts = {
    extensionUri: { path: '/extension' } as Uri,
    projects,
    keys: newKeyStore(),
    writer: {
      write: async (_scope: string, change: (setting: unknown) => unknown) =>
        void saved.push(change([{ name: 'shop', baseUrl: shop.baseUrl, projectId: 'shop' }])),
    },
  };
  const page = new SettingsPage(parts as unknown as SettingsPageParts);
  const [first] = panels;
  page.restore(first as unknown as WebviewPanel);
  const fields = { name: 'Store' };
  first!.receive({ kind: 'request', id: 1, method: 'edited', params: { id: shop.id, fields } });
  await nextTurn();
  const markedTitle = first!.title;
  first!.close();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return { questions, saved, panels, markedTitle };
}

test('unsaved texts mark the tab, and closing it offers to save them', async () => {
  const { questions, saved, panels, markedTitle } = await closeWithDraft('Save');
  assert.equal(markedTitle, '● Manage Projects');
  assert.deepEqual(questions, ["Save the changes to 'shop'?"]);
  assert.deepEqual(saved, [[{ name: 'Store', baseUrl: shop.baseUrl, projectId: 'shop' }]]);
  assert.equal(panels.length, 1);
});

test('a closed page comes back with its unsaved texts if the user cancels', async () => {
  const { saved, panels } = await closeWithDraft(undefined);
  assert.deepEqual(saved, []);
  assert.equal(panels.length, 2);
  panels[1]!.receive({ kind: 'request', id: 1, method: 'ready' });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.ok(panels[1]!.sent.some(message => message.includes('"drafts"') && message.includes('Store')));
});

test('unsaved texts that the user discards are gone', async () => {
  const { saved, panels } = await closeWithDraft("Don't Save");
  assert.deepEqual([saved, panels.length], [[], 1]);
});
