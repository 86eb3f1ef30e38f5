import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { ListedProjects } from '../../../src/host/connections/projects.ts';
import { pageSize, ProjectsTree, type TreeSources } from '../../../src/host/tree/projectsTree.ts';
import type { FolderNode, MoreNode, TreeNode } from '../../../src/host/tree/treeNodes.ts';
import type { CatalogColumn } from '../../../src/model/catalog/catalog.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';

const profileNamed = (name: string): Profile =>
  makeProfile({ name, baseUrl: 'http://127.0.0.1:9', projectId: name, source: 'settings', scope: 'user' });

const shop = profileNamed('shop');
const shopNode: TreeNode = { kind: 'project', profile: shop };
const idColumn: CatalogColumn = { name: 'id', type: 'INTEGER', notNull: false, defaultValue: null, primaryKey: 1 };

type TreeCatalog = ReturnType<TreeSources['catalogOf']>;

function makeTree({
  list = {},
  catalog = {},
}: { list?: Partial<ListedProjects>; catalog?: Partial<TreeCatalog> } = {}) {
  const projects: ListedProjects = { profiles: [shop], problems: [], localFault: undefined, ...list };
  const sources: TreeSources = {
    listProjects: async () => projects,
    catalogOf: () => ({
      tables: async () => ['orders'],
      views: async () => ['totals'],
      columns: async () => [idColumn],
      indexes: async () => [],
      triggers: async () => undefined,
      ...catalog,
    }),
    constraintsOf: async () => new Map([['id', ['UNIQUE']]]),
    problemNode: async (thrown, profile) => problem(`${String(thrown)} of ${profile?.name ?? 'no project'}`),
    settingProblemNode: async ({ kind }) => problem(kind),
  };
  return { tree: new ProjectsTree(sources), sources };
}

const problem = (message: string): TreeNode & { kind: 'problem' } => ({
  kind: 'problem',
  label: 'Problem',
  message,
  remedy: { command: 'c', title: 't' },
});

/** A node as its kind and name. */
function describe(node: TreeNode): string {
  if (node.kind === 'project') return node.profile.name;
  if (node.kind === 'folder') return node.content;
  if (node.kind === 'problem') return `problem: ${node.message}`;
  return node.kind === 'more' ? `more after ${node.shownCount}` : `${node.kind} ${node.name}`;
}

const describeAll = (nodes: readonly TreeNode[]): string[] => nodes.map(describe);

/** An answer of a service that the test gives later. */
const pendingNames = (): PromiseWithResolvers<readonly string[]> => Promise.withResolvers();

test('projects come first, then what is wrong with the settings and the local service', async () => {
  const { tree } = makeTree({
    list: {
      profiles: [shop, profileNamed('zoo')],
      problems: [{ scope: 'user', kind: 'notAList' }],
      localFault: 'no service',
    },
  });
  assert.deepEqual(describeAll(await tree.children()), [
    'shop',
    'zoo',
    'problem: notAList',
    'problem: no service of no project',
  ]);
});

test('a project has folders of tables and views, and a table has folders of its parts', async () => {
  const { tree } = makeTree();
  const [tables, views] = await tree.children(shopNode);
  assert.deepEqual(describeAll([tables!, views!]), ['tables', 'views']);
  const [orders] = await tree.children(tables);
  assert.equal(describe(orders!), 'table orders');
  const parts = await tree.children(orders);
  assert.deepEqual(describeAll(parts), ['columns', 'indexes']);
  assert.deepEqual(describeAll(await tree.children(parts[0])), ['column id']);
});

test('a service that does not list views has no folder of them', async () => {
  const { tree } = makeTree({ catalog: { views: async () => undefined } });
  assert.deepEqual(describeAll(await tree.children(shopNode)), ['tables']);
});

test('a view has no folder of indexes', async () => {
  const { tree } = makeTree();
  const parts = await tree.children({ kind: 'view', profile: shop, name: 'totals' });
  assert.deepEqual(describeAll(parts), ['columns']);
});

test('a project that cannot be read shows the problem in place of its folders', async () => {
  const { tree } = makeTree({ catalog: { tables: () => Promise.reject(new Error('away')) } });
  assert.deepEqual(describeAll(await tree.children(shopNode)), ['problem: Error: away of shop']);
});

for (const [claim, order] of [
  ['a late answer to an earlier listing of a project gives way to the newer one', [1, 0]],
  ['an earlier listing that is answered first waits for the newer one', [0, 1]],
] as const) {
  test(claim, async () => {
    const answers = [pendingNames(), pendingNames()];
    let call = 0;
    const { tree } = makeTree({ catalog: { tables: () => answers[call++]!.promise, views: async () => undefined } });
    const listings = [tree.children(shopNode), tree.children(shopNode)];
    for (const index of order) {
      answers[index]!.resolve([index === 0 ? 'old' : 'new']);
      await nextTurn();
    }
    const folders = (await Promise.all(listings)).flat() as FolderNode[];
    assert.deepEqual(
      folders.map(({ children }) => describeAll(children)),
      [['table new'], ['table new']],
    );
  });
}

test('a slow list of projects does not forget the nodes that were listed since', async () => {
  const list = Promise.withResolvers<ListedProjects>();
  const names = Array.from({ length: pageSize + 1 }, (_, index) => `t${index}`);
  const { sources } = makeTree({ catalog: { tables: async () => names } });
  const tree = new ProjectsTree({ ...sources, listProjects: () => list.promise });
  const roots = tree.children();
  const [tables] = await tree.children(shopNode);
  list.resolve({ profiles: [shop], problems: [], localFault: undefined });
  await roots;
  const folder = await tree.loadPagesThrough({ kind: 'table', profile: shop, name: `t${pageSize}` });
  assert.equal(folder, tables);
});

test('a late list of projects does not bring back a project that was removed', async () => {
  const lists = [Promise.withResolvers<ListedProjects>(), Promise.withResolvers<ListedProjects>()];
  let call = 0;
  const { sources } = makeTree();
  const tree = new ProjectsTree({ ...sources, listProjects: () => lists[call++]!.promise });
  const earlier = tree.children();
  const later = tree.children();
  lists[1]!.resolve({ profiles: [], problems: [], localFault: undefined });
  assert.deepEqual(await later, []);
  lists[0]!.resolve({ profiles: [shop], problems: [], localFault: undefined });
  assert.deepEqual(await earlier, []);
  assert.equal(tree.node(shop.id), undefined);
});

test('a project has a node from its listing to its removal', async () => {
  const list = { profiles: [shop] };
  const { sources } = makeTree();
  const tree = new ProjectsTree({
    ...sources,
    listProjects: async () => ({ problems: [], localFault: undefined, ...list }),
  });
  assert.equal(tree.node(shop.id), undefined);
  const [node] = await tree.children();
  assert.equal(tree.node(shop.id), node);
  list.profiles = [];
  await tree.children();
  assert.equal(tree.node(shop.id), undefined);
});

test('five thousand tables come in pages, and each page begins where "Load more" was', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `t${index}`);
  const { tree } = makeTree({ catalog: { tables: async () => names } });
  const [tables] = await tree.children(shopNode);
  const page = await tree.children(tables);
  assert.equal(page.length, pageSize + 1);
  const { folder, firstNew } = tree.loadMore(page.at(-1) as MoreNode);
  assert.equal(folder, tables);
  assert.equal(describe(firstNew!), `table t${pageSize}`);
  const both = await tree.children(tables);
  assert.deepEqual(describeAll(both.slice(-2)), [`table t${2 * pageSize - 1}`, `more after ${2 * pageSize}`]);
});

test('revealing a table loads the pages up to it', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `t${index}`);
  const { tree } = makeTree({ catalog: { tables: async () => names } });
  const [tables] = await tree.children(shopNode);
  const lastNode = { kind: 'table', profile: shop, name: 't4999' } as const;
  assert.equal(await tree.loadPagesThrough(lastNode), tables);
  assert.equal((await tree.children(tables)).length, 5000);
  assert.equal(await tree.loadPagesThrough(lastNode), undefined, 'there is nothing to refresh');
});
