import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import type { TableEditor } from '../../../src/host/browsing/tableEditor.ts';
import type { TableEditors, TableEditorsParts } from '../../../src/host/browsing/tableEditors.ts';
import type { CellPlace } from '../../../src/host/browsing/trail.ts';
import { Catalog } from '../../../src/model/catalog/catalog.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { testDownloadParts } from '../../support/browsedTable.ts';
import { RecordedBrowsingHost } from '../../support/recordedBrowsingHost.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { extensionUri } from '../../support/webviewHost.ts';

const { TableEditors: Editors } = await import('../../../src/host/browsing/tableEditors.ts');
const { EditDrafts } = await import('../../../src/host/editing/editDrafts.ts');

const service = await startTestService();
const project = service.client.project(service.projectId);
for (const sql of [
  'CREATE TABLE towns (name TEXT PRIMARY KEY)',
  'CREATE TABLE Owners (Town TEXT REFERENCES towns, Number INTEGER, name TEXT, PRIMARY KEY (Town, Number))',
  `CREATE TABLE pets (id INTEGER PRIMARY KEY, town TEXT, number INTEGER, friend INTEGER REFERENCES pets,
    FOREIGN KEY (town, number) REFERENCES owners (town, number))`,
  'CREATE TABLE toys (town TEXT, number INTEGER, FOREIGN KEY (number, town) REFERENCES owners (number, town))',
  'CREATE TABLE keys (town TEXT, number INTEGER, FOREIGN KEY (town, number) REFERENCES owners)',
  "INSERT INTO towns VALUES ('Bern'), ('Ulm')",
  "INSERT INTO Owners VALUES ('Bern', 1, 'Ann'), ('Bern', 2, 'Bob'), ('Ulm', 1, 'Cid'), ('Ulm', NULL, 'Dan')",
  "INSERT INTO pets VALUES (1, 'Bern', 2, NULL), (2, 'Ulm', 1, 1), (3, 'Ulm', NULL, 1), (4, 'Bern', 2, 2)",
  "INSERT INTO toys VALUES ('Bern', 2), ('Bern', 1), ('Ulm', 1)",
  "INSERT INTO keys VALUES ('Bern', 2)",
]) {
  await project.sql(sql);
}

interface Fixture {
  readonly editors: TableEditors;
  readonly host: RecordedBrowsingHost;
  readonly profile: Profile;
  /** The editor of a table, with its columns. */
  readonly editor: (table: string) => Promise<TableEditor>;
  /** How tables are filtered, in the order in which they were opened. */
  readonly shown: () => Promise<string[]>;
}

async function withEditors(body: (fixture: Fixture) => Promise<void>): Promise<void> {
  const drafts = temporaryFolder();
  const host = new RecordedBrowsingHost();
  const { baseUrl, projectId } = service;
  const profile = makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' });
  const catalog = new Catalog(() => Promise.resolve(project));
  const parts = {
    extensionUri,
    host,
    projects: {
      onDidChange: () => ({ dispose: () => undefined }),
      find: () => Promise.resolve(profile),
      get: () => Promise.resolve(profile),
    },
    clients: { for: () => Promise.resolve(service.client) },
    catalogs: { for: () => catalog },
    downloadParts: testDownloadParts,
    drafts: new EditDrafts(drafts, assert.fail),
    onEdit: () => undefined,
  } as unknown as TableEditorsParts;
  const editors = new Editors(parts);
  host.onOpen = async (uri, panel) => editors.resolve(await editors.openDocument(uri, false), panel.asPanel);
  const editorAt = async (index: number): Promise<TableEditor> => {
    for (const [number, panel] of host.panels.entries()) panel.active = number === index;
    const editor = await editors.active();
    assert.ok(editor);
    const isThere = async (): Promise<boolean> => editor.navigation.shownRows().columns.length > 0;
    await waitUntil(isThere, { what: 'no rows come' });
    // The foreign keys come with the declared columns, which the editor has requested before the rows.
    await catalog.columns(editor.table.name);
    await new Promise(resolve => setImmediate(resolve));
    return editor;
  };
  try {
    await body({
      editors,
      host,
      profile,
      editor: table => editorAt(host.panels.findIndex(({ title, isClosed }) => title === table && !isClosed)),
      shown: async () => {
        const texts: string[] = [];
        for (const [index, { isClosed }] of host.panels.entries()) {
          if (isClosed) continue;
          const { table, navigation } = await editorAt(index);
          const { columns, arrangement } = navigation.shownRows();
          const filters = arrangement.filters.map(
            filter => `${columns[filter.column]} ${'text' in filter ? filter.text : ''}`,
          );
          texts.push(`${table.name}: ${filters.join(', ')}`);
        }
        return texts;
      },
    });
    assert.deepEqual(host.faults, []);
  } finally {
    for (const panel of host.panels) panel.dispose();
    editors.dispose();
  }
}

const table = (name: string) => ({ name, kind: 'table' }) as const;
const trailOf = ({ navigation }: TableEditor): unknown =>
  navigation.trail && [navigation.trail.labels, navigation.trail.index];
const place = (row: number, column: number): CellPlace => ({ row, column });

test('a foreign key of several columns filters by all of them, from each of its columns', async () => {
  for (const column of [1, 2]) {
    await withEditors(async ({ editors, profile, editor, shown }) => {
      await editors.open(profile, table('pets'));
      await (await editor('pets')).navigation.follow(0, column);
      // The names are those of the table, however the foreign key spells them.
      assert.deepEqual(await shown(), ['pets: ', 'Owners: Town Bern, Number 2']);
    });
  }
  await withEditors(async ({ editors, profile, editor, shown }) => {
    await editors.open(profile, table('keys'));
    await (await editor('keys')).navigation.follow(0, 1);
    assert.deepEqual(await shown(), ['keys: ', 'Owners: Town Bern, Number 2']);
  });
});

test('a foreign key of several columns with a NULL says that it refers to nothing', async () => {
  await withEditors(async ({ editors, profile, editor, host, shown }) => {
    await editors.open(profile, table('pets'));
    await (await editor('pets')).navigation.follow(2, 1);
    assert.match(String(host.faults.pop()), /refers to no row of 'Owners': .* one of them is NULL/);
    assert.deepEqual(await shown(), ['pets: ']);
  });
});

test('the rows that refer to a row are found by foreign keys of several columns', async () => {
  await withEditors(async ({ editors, profile, editor, host, shown }) => {
    await editors.open(profile, table('Owners'));
    const { navigation } = await editor('Owners');
    await navigation.showReferencing(1);
    const texts = host.referencing.map(({ rows, count }) => {
      const values = rows.values.map(({ column, text }) => `${column} ${text}`);
      return `${count} of ${rows.table.name}: ${values.join(', ')}`;
    });
    assert.deepEqual(texts, [
      '1 of keys: town Bern, number 2',
      '2 of pets: town Bern, number 2',
      '1 of toys: number 2, town Bern',
    ]);
    assert.deepEqual(await shown(), ['Owners: ', 'keys: town Bern, number 2']);
    // A row with NULL in its key cannot be referred to. Foreign keys refer to its table all the same.
    host.referencing.length = 0;
    await navigation.showReferencing(3);
    assert.deepEqual([host.referencing, host.hasReferencingKeys], [[], true]);
    await editors.open(profile, table('toys'));
    await (await editor('toys')).navigation.showReferencing(0);
    assert.equal(host.hasReferencingKeys, false);
  });
});

test('the trail leads back and forward, with the filter and the place of each table', async () => {
  await withEditors(async ({ editors, profile, editor, shown }) => {
    await editors.open(profile, table('pets'));
    const pets = await editor('pets');
    const byTown = {
      columns: ['town'],
      arrangement: { sort: [], filters: [{ kind: 'equals', column: 0, text: 'Bern' }] },
    } as const;
    await pets.navigation.show({ ...byTown, place: place(0, 0) });
    assert.equal(trailOf(pets), undefined);
    await pets.navigation.follow(1, 2);
    const owners = await editor('Owners');
    const labels = ['pets: town = Bern', 'Owners: Town = Bern, Number = 2', 'towns: name = Bern'];
    assert.deepEqual(trailOf(owners), [labels.slice(0, 2), 1]);
    assert.equal(trailOf(pets), undefined);
    await owners.navigation.follow(0, 0);
    const towns = await editor('towns');
    assert.deepEqual(trailOf(towns), [labels, 2]);
    await towns.navigation.goToStep(0, place(0, 0));
    assert.deepEqual(trailOf(pets), [labels, 0]);
    assert.deepEqual((await shown())[0], 'pets: town Bern');
    await pets.navigation.goToStep(1, place(0, 1));
    assert.deepEqual(trailOf(owners), [labels, 1]);
    await owners.navigation.goToStep(0, place(0, 0));
    // A new trail begins at the step.
    await pets.navigation.follow(0, 1);
    assert.deepEqual(trailOf(owners), [labels.slice(0, 2), 1]);
  });
});

test('a foreign key that leads to an open table gives it its own filter back on the way back', async () => {
  await withEditors(async ({ editors, profile, editor, shown }) => {
    const own = {
      columns: ['name'],
      arrangement: { sort: [], filters: [{ kind: 'contains', column: 0, text: 'b' }] },
    } as const;
    await editors.open(profile, table('Owners'));
    const owners = await editor('Owners');
    await owners.navigation.show({ ...own, place: place(0, 2) });
    await editors.open(profile, table('pets'));
    const pets = await editor('pets');
    await pets.navigation.follow(1, 1);
    assert.deepEqual(await shown(), ['Owners: Town Ulm, Number 1', 'pets: ']);
    await owners.navigation.goToStep(0, place(0, 0));
    assert.deepEqual(await shown(), ['Owners: name b', 'pets: ']);
    await pets.navigation.goToStep(1, place(1, 1));
    assert.deepEqual(await shown(), ['Owners: Town Ulm, Number 1', 'pets: ']);
    await owners.navigation.goToStep(0, place(0, 0));
    assert.deepEqual(await shown(), ['Owners: name b', 'pets: ']);
    // From a result, the way back leads to the filter itself.
    await editors.openFiltered(profile, { table: table('Owners'), values: [{ column: 'Town', text: 'Bern' }] });
    assert.deepEqual(trailOf(owners), [['Owners: filtered', 'Owners: Town = Bern'], 1]);
    await owners.navigation.goToStep(0, place(0, 0));
    assert.deepEqual(await shown(), ['Owners: name b', 'pets: ']);
  });
});

test('steps in quick succession show each table as its step does, and it gets its own filter back', async () => {
  await withEditors(async ({ editors, profile, editor, shown }) => {
    await editors.open(profile, table('Owners'));
    const owners = await editor('Owners');
    const arrangement = { sort: [], filters: [{ kind: 'contains', column: 0, text: 'b' }] } as const;
    await owners.navigation.show({ columns: ['name'], arrangement, place: place(0, 2) });
    await editors.open(profile, table('pets'));
    const pets = await editor('pets');
    await pets.navigation.follow(1, 1);
    /** Goes from step to step as fast as messages of a page arrive, which is faster than rows do. */
    const go = async (...steps: readonly (readonly [from: TableEditor, step: number])[]): Promise<void> => {
      const moves: Promise<void>[] = [];
      for (const [from, step] of steps) {
        moves.push(from.navigation.goToStep(step, place(0, 0)));
        await new Promise(resolve => setImmediate(resolve));
      }
      await Promise.all(moves);
    };
    await go([owners, 0], [pets, 1]);
    assert.deepEqual(await shown(), ['Owners: Town Ulm, Number 1', 'pets: ']);
    await go([owners, 0], [pets, 1], [owners, 0]);
    assert.deepEqual(await shown(), ['Owners: name b', 'pets: ']);
  });
});

test('a way within one table leads back, also after its tab was closed', async () => {
  await withEditors(async ({ editors, profile, editor, host, shown }) => {
    await editors.open(profile, table('pets'));
    const pets = await editor('pets');
    await pets.navigation.follow(3, 3);
    assert.deepEqual(await shown(), ['pets: id 2']);
    await pets.navigation.follow(0, 3);
    assert.deepEqual(await shown(), ['pets: id 1']);
    assert.deepEqual(trailOf(pets), [['pets', 'pets: id = 2', 'pets: id = 1'], 2]);
    await pets.navigation.follow(0, 1);
    const owners = await editor('Owners');
    host.panels[0]!.dispose();
    await owners.navigation.goToStep(1, place(0, 0));
    assert.deepEqual(await shown(), ['Owners: Town Bern, Number 2', 'pets: id 2']);
    assert.deepEqual(trailOf(await editor('pets')), [
      ['pets', 'pets: id = 2', 'pets: id = 1', 'Owners: Town = Bern, Number = 2'],
      1,
    ]);
  });
});
