import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { QuickPickItem } from 'vscode';
import type { FindTableParts } from '../../../src/host/commands/findTable.ts';
import type { ProjectArgument } from '../../../src/host/commands/projectArgument.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { findTable } = await import('../../../src/host/commands/findTable.ts');

const makeProject = (name: string) =>
  makeProfile({ name, baseUrl: 'http://127.0.0.1:9', projectId: name, source: 'settings' });
const [shop, bank, club] = [makeProject('shop'), makeProject('bank'), makeProject('club')];

const none = () => undefined;
const events = { onDidAccept: none, onDidTriggerItemButton: none, onDidChangeValue: none, onDidChangeActive: none };

/** The list of Find Table over three projects, each of which answers when the test says so. */
function openList({ current, argument }: { readonly current?: string; readonly argument?: ProjectArgument } = {}) {
  const clock = new HandClock();
  const answers = new Map([shop, bank, club].map(({ id }) => [id, Promise.withResolvers<string[]>()]));
  const hideListeners: (() => void)[] = [];
  const pick = {
    ...events,
    items: [] as QuickPickItem[],
    activeItems: [],
    selectedItems: [],
    value: '',
    onDidHide: (listener: () => void) => void hideListeners.push(listener),
    show: none,
    dispose: none,
  };
  Object.assign(vscode.window, { createQuickPick: () => pick });
  const parts = {
    clock,
    projects: { list: () => Promise.resolve({ profiles: [shop, bank, club] }) },
    catalogs: {
      for: ({ id }: { readonly id: string }) => ({
        tables: () => answers.get(id)!.promise,
        views: () => Promise.resolve([]),
      }),
    },
    currentProject: () => Promise.resolve(current),
  } as unknown as FindTableParts;
  const done = findTable(parts, argument);
  return {
    clock,
    async answer({ id }: { readonly id: string }): Promise<void> {
      answers.get(id)!.resolve(['customers']);
      await nextTurn();
    },
    shown: () => pick.items.map(({ label, description }) => `${label} of ${description}`),
    async close(): Promise<void> {
      for (const hide of hideListeners) hide();
      await done;
    },
  };
}

test('Find Table offers the tables of the current project first, although others answer sooner', async () => {
  const list = openList({ current: bank.id });
  await nextTurn();
  await list.answer(shop);
  await list.answer(club);
  assert.deepEqual(list.shown(), []);
  await list.answer(bank);
  assert.deepEqual(list.shown(), ['customers of bank', 'customers of shop', 'customers of club']);
  assert.equal(list.clock.timerCount, 1);
  await list.close();
  assert.equal(list.clock.timerCount, 0);
});

test('a current project that is slow delays the others for half a second', async () => {
  const list = openList({ current: bank.id });
  await nextTurn();
  await list.answer(shop);
  list.clock.advance(499);
  assert.deepEqual(list.shown(), []);
  list.clock.advance(1);
  assert.deepEqual(list.shown(), ['customers of shop']);
  await list.close();
});

test('from a project in the tree, Find Table searches all projects, that one first', async () => {
  const list = openList({ current: bank.id, argument: { kind: 'project', profile: club } });
  await nextTurn();
  await list.answer(shop);
  await list.answer(bank);
  await list.answer(club);
  assert.deepEqual(list.shown(), ['customers of club', 'customers of shop', 'customers of bank']);
  await list.close();
});

test('without a current project, tables are offered as they arrive', async () => {
  const list = openList();
  await nextTurn();
  await list.answer(club);
  assert.deepEqual(list.shown(), ['customers of club']);
  await list.close();
});
