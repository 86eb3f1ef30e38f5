import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toDisposable } from '../../../src/base/disposable.ts';
import { TableEditors } from '../../../src/host/browsing/tableEditors.ts';
import { panels } from '../../../src/host/names.ts';
import type { RestoredPanel } from '../../../src/host/webviews/restoredPanels.ts';
import type { TableEditorParts } from '../../../src/host/browsing/tableEditor.ts';
import type { Profile } from '../../../src/model/profiles.ts';
import { browseStatePlace } from '../../../src/protocol/browsing.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

const { extensionUri } = vscode.extensions.getExtension('sql-project-explorer.sql-project-explorer')!;
const never = new Promise<never>(() => {});

/** A panel as VS Code brings it back, and its closing. */
function panelOf(type: string, state: unknown): { restored: RestoredPanel; close: () => void } {
  const panel = vscode.window.createWebviewPanel(type, 'pets', vscode.ViewColumn.Active);
  const closing = new AbortController();
  panel.onDidDispose(() => closing.abort());
  return { restored: { panel, state, closed: closing.signal }, close: () => void panel.dispose() };
}

const shop = {
  id: 'p1',
  name: 'Shop',
  baseUrl: 'https://shop.example',
  projectId: 'p1',
  protection: 'open',
} as Profile;
const arrangement = { sort: [], filters: [] };
const pets = { profileId: 'p1', project: 'Shop', table: 'pets', kind: 'table' };
const { area, key } = browseStatePlace;
const petsState = { [area]: { [key]: { ...pets, row: 0, runId: 'r1', columns: [], arrangement } } };

test('a table that is closed while its project is looked for hinders no other', async () => {
  const looking = Promise.withResolvers<Profile>();
  const parts = {
    extensionUri,
    projects: { onDidChange: () => toDisposable(() => undefined), find: () => looking.promise, get: () => never },
  } as unknown as TableEditorParts;
  const editors = new TableEditors(parts);
  const { restored, close } = panelOf(panels.table, petsState);
  const restoring = editors.restore(restored);
  close();
  looking.resolve(shop);
  await restoring;
  await editors.open(shop, { name: 'pets', kind: 'table' });
  assert.equal((await editors.active())?.table.name, 'pets');
  editors.dispose();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
});
