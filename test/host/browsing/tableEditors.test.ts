import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test, type TestContext } from 'node:test';
import type { Uri } from 'vscode';
import type { TableEditors, TableEditorsParts } from '../../../src/host/browsing/tableEditors.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { RecordedBrowsingHost, TestPanel } from '../../support/recordedBrowsingHost.ts';
import { extensionUri } from '../../support/webviewHost.ts';

const { TableEditors: Editors } = await import('../../../src/host/browsing/tableEditors.ts');
const { tableAddressOf, tableUri } = await import('../../../src/host/browsing/tableUri.ts');
const { EditDrafts } = await import('../../../src/host/editing/editDrafts.ts');

const profileOf = (name: string, projectId: string): Profile =>
  makeProfile({ name, baseUrl: 'https://sql.example', projectId, source: 'settings' });
const shop = profileOf('Shop', 'shop');
const staging = profileOf('Staging', 'staging');

interface Fixture {
  readonly editors: TableEditors;
  readonly host: RecordedBrowsingHost;
  /** Replaces the projects of the settings. */
  setProjects(...profiles: readonly Profile[]): Promise<void>;
  readonly titles: readonly string[];
}

const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Table editors of projects whose services never answer. */
function setUp(context: TestContext, ...initial: readonly Profile[]): Fixture {
  let profiles = initial;
  const changes = new Emitter<void>();
  const host = new RecordedBrowsingHost();
  const parts = {
    extensionUri,
    host,
    projects: {
      onDidChange: changes.on,
      find: (id: string) => Promise.resolve(profiles.find(profile => profile.id === id)),
      get: () => new Promise(() => undefined),
    },
    drafts: new EditDrafts(join(tmpdir(), 'no-drafts'), assert.fail),
    onEdit: () => undefined,
  } as unknown as TableEditorsParts;
  const editors = new Editors(parts);
  context.after(() => editors.dispose());
  host.onOpen = async (uri, panel) => editors.resolve(await editors.openDocument(uri, false), panel.asPanel);
  return {
    editors,
    host,
    async setProjects(...changed) {
      profiles = changed;
      changes.fire();
      await nextTurn();
    },
    get titles() {
      return host.panels.map(({ title }) => title);
    },
  };
}

const table = (name: string) => ({ name, kind: 'table' }) as const;

test('a table that is open already is shown again', async context => {
  const { editors, host } = setUp(context, shop);
  await editors.open(shop, table('pets'));
  await editors.open(shop, table('owners'));
  await editors.open(shop, table('Pets'));
  assert.deepEqual(
    host.panels.map(({ title, revealCount }) => [title, revealCount]),
    [
      ['pets', 1],
      ['owners', 0],
    ],
  );
});

test('tables whose names differ in the case of É have panels of their own', async context => {
  const fixture = setUp(context, shop);
  await fixture.editors.open(shop, table('été'));
  await fixture.editors.open(shop, table('ÉTÉ'));
  assert.deepEqual(fixture.titles, ['été', 'ÉTÉ']);
});

test('titles distinguish tables of the same name and follow the names of projects', async context => {
  const fixture = setUp(context, shop, staging);
  const { editors, host } = fixture;
  await editors.open(shop, table('pets'));
  await editors.open(staging, table('pets'));
  assert.deepEqual(fixture.titles, ['pets: Shop', 'pets: Staging']);
  await fixture.setProjects(profileOf('Store', 'shop'), staging);
  assert.deepEqual(fixture.titles, ['pets: Store', 'pets: Staging']);
  host.panels[1]?.dispose();
  assert.equal(fixture.titles[0], 'pets');
});

test('a closed table is opened in a new panel', async context => {
  const { editors, host } = setUp(context, shop);
  await editors.open(shop, table('pets'));
  host.panels[0]?.dispose();
  await editors.open(shop, table('pets'));
  assert.equal(host.panels.length, 2);
});

test('a preview leaves the focus where it is', async context => {
  const { editors, host } = setUp(context, shop);
  await editors.open(shop, table('pets'), { isPreview: true });
  await editors.open(shop, table('owners'));
  assert.deepEqual(
    host.panels.map(({ title, preservedFocus }) => [title, preservedFocus]),
    [
      ['pets', true],
      ['owners', false],
    ],
  );
});

test('commands act on the active editor', async context => {
  const { editors, host } = setUp(context, shop);
  await editors.open(shop, table('pets'));
  await editors.open(shop, table('owners'));
  assert.equal(await editors.active(), undefined);
  host.panels[1]!.active = true;
  assert.equal((await editors.active())?.table.name, 'owners');
});

/** The editor of a table as VS Code restores it. */
async function restored(
  editors: TableEditors,
  uri: Uri,
): Promise<{ readonly panel: TestPanel; readonly filled: Promise<void> }> {
  const panel = new TestPanel('pets');
  panel.uri = uri;
  const document = await editors.openDocument(uri, false);
  return { panel, filled: editors.resolve(document, panel.asPanel) };
}

test('a restored editor is filled with its table, and shown when the table is opened', async context => {
  const { editors, host } = setUp(context, shop);
  const { panel, filled } = await restored(editors, tableUri(shop, table('pets')));
  host.panels.push(panel);
  await filled;
  await editors.open(profileOf('Renamed', 'shop'), table('Pets'));
  assert.deepEqual([panel.revealCount, host.panels.length], [1, 1]);
});

test('an editor with an address of others says so', async context => {
  const { editors } = setUp(context, shop);
  const uri = { scheme: 'sqltable', path: '/pets', query: '', toString: () => 'sqltable:/pets' } as Uri;
  const { panel, filled } = await restored(editors, uri);
  await filled;
  assert.match(panel.webview.html, /Open the table from the tree/);
});

test('the editor of a missing project says so, and is filled when the project is back', async context => {
  const fixture = setUp(context);
  const { editors, host } = fixture;
  const { panel, filled } = await restored(editors, tableUri(shop, table('pets')));
  host.panels.push(panel);
  await filled;
  assert.match(panel.webview.html, /The project &#39;Shop&#39; is not in the list of projects now/);
  await fixture.setProjects(staging);
  assert.match(panel.webview.html, /The project &#39;Shop&#39; is not in the list of projects now/);
  await fixture.setProjects(staging, shop);
  while (panel.webview.html.includes('is not in the list of projects now')) await nextTurn();
  await editors.open(shop, table('pets'));
  assert.equal(panel.revealCount, 1);
});

test('an editor that is closed while its project is looked up does not count as open', async context => {
  const fixture = setUp(context, shop);
  const { editors } = fixture;
  const { panel, filled } = await restored(editors, tableUri(shop, table('pets')));
  panel.dispose();
  await filled;
  await editors.open(shop, table('pets'));
  assert.deepEqual([panel.revealCount, fixture.titles], [0, ['pets']]);
});

for (const name of ['customers', 'a/b', 'a%2Fb?c#d', '', 'été']) {
  test(`the address of the table '${name}' names it`, () => {
    const { profileId, table: named } = tableAddressOf(tableUri(shop, { name, kind: 'view' }))!;
    assert.deepEqual([profileId, named], [shop.id, { name, kind: 'view' }]);
  });
}
