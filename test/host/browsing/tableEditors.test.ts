import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableEditorParts } from '../../../src/host/browsing/tableEditor.ts';
import type { TableEditors } from '../../../src/host/browsing/tableEditors.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { browseStatePlace } from '../../../src/protocol/browsing.ts';
import { RecordedBrowsingHost, TestPanel } from '../../support/recordedBrowsingHost.ts';
import { extensionUri } from '../../support/webviewHost.ts';

const { TableEditors: Editors } = await import('../../../src/host/browsing/tableEditors.ts');

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
function setUp(...initial: readonly Profile[]): Fixture {
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
  } as unknown as TableEditorParts;
  return {
    editors: new Editors(parts),
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

test('a table that is open already is shown again', async () => {
  const { editors, host } = setUp(shop);
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
  editors.dispose();
});

test('tables whose names differ in the case of É have panels of their own', async () => {
  const fixture = setUp(shop);
  await fixture.editors.open(shop, table('été'));
  await fixture.editors.open(shop, table('ÉTÉ'));
  assert.deepEqual(fixture.titles, ['été', 'ÉTÉ']);
  fixture.editors.dispose();
});

test('titles tell tables of the same name apart and follow the names of projects', async () => {
  const fixture = setUp(shop, staging);
  const { editors, host } = fixture;
  await editors.open(shop, table('pets'));
  await editors.open(staging, table('pets'));
  assert.deepEqual(fixture.titles, ['pets: Shop', 'pets: Staging']);
  await fixture.setProjects(profileOf('Store', 'shop'), staging);
  assert.deepEqual(fixture.titles, ['pets: Store', 'pets: Staging']);
  host.panels[1]?.dispose();
  assert.equal(fixture.titles[0], 'pets');
  editors.dispose();
});

test('a closed table is opened in a new panel', async () => {
  const { editors, host } = setUp(shop);
  await editors.open(shop, table('pets'));
  host.panels[0]?.dispose();
  await editors.open(shop, table('pets'));
  assert.equal(host.panels.length, 2);
  editors.dispose();
});

test('a preview leaves the focus where it is, and the next preview replaces it', async () => {
  const { editors, host } = setUp(shop);
  await editors.open(shop, table('pets'), { isPreview: true });
  await editors.open(shop, table('owners'), { isPreview: true });
  assert.deepEqual(
    host.panels.map(({ title, isClosed, preservedFocus }) => [title, isClosed, preservedFocus]),
    [
      ['pets', true, true],
      ['owners', false, true],
    ],
  );
  editors.dispose();
});

test('a preview that is opened for good stays beside the next preview', async () => {
  const { editors, host } = setUp(shop);
  await editors.open(shop, table('pets'), { isPreview: true });
  await editors.open(shop, table('pets'));
  await editors.open(shop, table('owners'), { isPreview: true });
  // A click on an open table shows it, and makes no preview of it.
  await editors.open(shop, table('pets'), { isPreview: true });
  await editors.open(shop, table('visits'), { isPreview: true });
  assert.deepEqual(
    host.panels.map(({ title, isClosed }) => [title, isClosed]),
    [
      ['pets', false],
      ['owners', true],
      ['visits', false],
    ],
  );
  editors.dispose();
});

test('commands act on the active editor', async () => {
  const { editors, host } = setUp(shop);
  await editors.open(shop, table('pets'));
  await editors.open(shop, table('owners'));
  assert.equal(await editors.active(), undefined);
  host.panels[1]!.active = true;
  assert.equal((await editors.active())?.table.name, 'owners');
  editors.dispose();
});

/** The state that the page of a table stores for a reload. */
function stateOf(name: string, { id, name: project }: Profile): unknown {
  const { area, key } = browseStatePlace;
  const subject = { profileId: id, project, table: name, kind: 'table' };
  const page = { runId: 'r1', columns: ['id'], arrangement: { sort: [], filters: [] }, row: 0 };
  return { [area]: { [key]: { ...subject, ...page } } };
}

function restoredPanel(): { readonly panel: TestPanel; readonly closing: AbortController } {
  const panel = new TestPanel('pets');
  const closing = new AbortController();
  panel.onDidDispose(() => closing.abort());
  return { panel, closing };
}

test('a restored panel is filled with its table', async () => {
  const { editors, host } = setUp(shop);
  const { panel, closing } = restoredPanel();
  await editors.restore({ panel: panel.asPanel, state: stateOf('pets', shop), closed: closing.signal });
  await editors.open(shop, table('pets'));
  assert.deepEqual([panel.revealCount, host.panels.length], [1, 0]);
  editors.dispose();
});

test('a restored panel without a readable state says so', async () => {
  const { editors } = setUp(shop);
  const { panel, closing } = restoredPanel();
  await editors.restore({ panel: panel.asPanel, state: { unknown: true }, closed: closing.signal });
  assert.match(panel.webview.html, /Open the table from the tree/);
  editors.dispose();
});

test('the panel of a missing project says so, and is filled when the project is back', async () => {
  const fixture = setUp();
  const { editors } = fixture;
  const { panel, closing } = restoredPanel();
  await editors.restore({ panel: panel.asPanel, state: stateOf('pets', shop), closed: closing.signal });
  assert.match(panel.webview.html, /The project &#39;Shop&#39; no longer exists/);
  await fixture.setProjects(staging);
  assert.match(panel.webview.html, /The project &#39;Shop&#39; no longer exists/);
  await fixture.setProjects(staging, shop);
  while (panel.webview.html.includes('no longer exists')) await nextTurn();
  await editors.open(shop, table('pets'));
  assert.equal(panel.revealCount, 1);
  editors.dispose();
});

test('a panel that is closed while its project is looked up does not count as open', async () => {
  const fixture = setUp(shop);
  const { editors } = fixture;
  const { panel, closing } = restoredPanel();
  const restoring = editors.restore({ panel: panel.asPanel, state: stateOf('pets', shop), closed: closing.signal });
  panel.dispose();
  await restoring;
  await editors.open(shop, table('pets'));
  assert.deepEqual([panel.revealCount, fixture.titles], [0, ['pets']]);
  editors.dispose();
});
