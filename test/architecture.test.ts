import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Which layers and packages each layer may import. The `references` of the TypeScript projects say the same of layers. */
const table: Readonly<Record<string, { layers: readonly string[]; packages?: readonly string[]; node?: boolean }>> = {
  base: { layers: [] },
  wire: { layers: ['base'] },
  sql: { layers: ['base'], packages: ['sqlite3-parser', '@sqlite.org/sqlite-wasm'] },
  client: { layers: ['base', 'wire'], packages: ['undici', 'stream-json'], node: true },
  model: {
    layers: ['base', 'wire', 'client', 'sql', 'protocol'],
    packages: ['jsonc-parser', 'yazl', 'hyparquet-writer'],
    node: true,
  },
  protocol: { layers: ['base', 'wire'], packages: ['@vscode/l10n'] },
  language: {
    layers: ['base', 'sql', 'protocol'],
    packages: ['vscode-languageserver', 'vscode-languageserver-textdocument'],
    node: true,
  },
  // The platform of Durable Objects has a module of its own.
  service: { layers: ['base', 'wire', 'sql'], packages: ['cloudflare:workers'], node: true },
  mcp: { layers: ['base', 'wire', 'client', 'model'], node: true },
  transfer: { layers: ['base', 'wire', 'sql', 'client', 'model'], node: true },
  host: {
    layers: ['base', 'wire', 'client', 'sql', 'model', 'protocol'],
    packages: ['vscode', 'vscode-languageclient'],
    node: true,
  },
  'extension.ts': { layers: ['host'], packages: ['vscode'] },
  webview: {
    layers: ['base', 'wire', 'protocol'],
    packages: ['@vscode/webview-ui-toolkit', '@vscode/l10n', 'uplot', '@dagrejs/dagre', 'd3-force', 'diagram-worker'],
  },
};

const importPattern = /^(?:import|export)\s[^'=]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map(([, from, plain, dynamic]) => from ?? plain ?? dynamic ?? '');
}

function layerOf(file: string): string {
  const parts = relative(root, file).split(sep);
  return (parts[0] === 'src' ? parts[1] : parts[0]) ?? '';
}

/** Describes what is wrong with one import of one file; undefined when it is allowed. */
function violation(file: string, specifier: string): string | undefined {
  const layer = layerOf(file);
  const allowed = table[layer];
  if (!allowed) return `${file} is in no layer`;
  const refused = `${relative(root, file)} may not import ${specifier}`;
  if (specifier.startsWith('.')) {
    const target = layerOf(resolve(dirname(file), specifier));
    if (target === layer) return undefined;
    const behindTheDoor = target === 'client' && !specifier.endsWith('/client/index.ts');
    return allowed.layers.includes(target) && !behindTheDoor ? undefined : refused;
  }
  if (specifier.startsWith('node:')) return allowed.node ? undefined : refused;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return allowed.packages?.includes(name) ? undefined : refused;
}

const sources = globSync(['src/**/*.ts', 'webview/**/*.ts'], { cwd: root })
  .filter(file => !file.endsWith('.d.ts'))
  .map(file => join(root, file));

/** One import of a project file by another; both paths are relative to the repository. */
interface Import {
  readonly from: string;
  readonly to: string;
}

function projectImports(): Import[] {
  return sources.flatMap(file =>
    importsOf(readFileSync(file, 'utf8'))
      .filter(specifier => specifier.startsWith('.'))
      .map(specifier => ({
        from: relative(root, file),
        to: relative(root, resolve(dirname(file), specifier)),
      })),
  );
}

/**
 * Finds folders of the same parent that import each other, directly or through further siblings. A folder stands for all
 * files below it. Files that lie directly in the parent belong to none of its folders: they may use the folders, and the
 * folders may use them. Imports of types count like all others.
 */
function folderCycles(imports: readonly Import[]): string[] {
  const siblingsOf = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const fromFolders = dirname(from).split(sep);
    const toFolders = dirname(to).split(sep);
    const depth = fromFolders.findIndex((folder, index) => folder !== toFolders[index]);
    const importer = fromFolders[depth];
    const imported = toFolders[depth];
    if (importer === undefined || imported === undefined) continue;
    const parent = fromFolders.slice(0, depth).join('/');
    const siblings = siblingsOf.get(parent) ?? new Map<string, Set<string>>();
    siblingsOf.set(parent, siblings);
    siblings.set(importer, (siblings.get(importer) ?? new Set()).add(imported));
  }
  return [...siblingsOf].flatMap(([parent, siblings]) =>
    cyclesIn(siblings).map(cycle => `${parent}/{${cycle.join(', ')}}`),
  );
}

/** Groups the nodes of a graph that reach each other. */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...graph.keys()].map(node => [node, reachableFrom(graph, node)]));
  const cycles = new Map<string, string[]>();
  for (const [node, others] of reached) {
    const cycle = [...others].filter(other => reached.get(other)?.has(node)).toSorted();
    if (cycle.length > 0) cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()];
}

function reachableFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const pending = [start];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return reached;
}

test('folders beside each other do not import each other in a cycle', () => {
  assert.deepEqual(folderCycles(projectImports()), []);
});

const plantedImport = (from: string, to: string): Import => ({
  from: join('src/host', from),
  to: join('src/host', to),
});

test('a planted cycle of folders is found', () => {
  const direct = [plantedImport('tree/a.ts', 'commands/b.ts'), plantedImport('commands/deep/c.ts', 'tree/d.ts')];
  assert.deepEqual(folderCycles(direct), ['src/host/{commands, tree}']);
  const indirect = [
    plantedImport('a/x.ts', 'b/x.ts'),
    plantedImport('b/x.ts', 'c/x.ts'),
    plantedImport('c/x.ts', 'a/x.ts'),
  ];
  assert.deepEqual(folderCycles(indirect), ['src/host/{a, b, c}']);
  const throughParent = [plantedImport('tree/a.ts', 'names.ts'), plantedImport('composition.ts', 'tree/a.ts')];
  assert.deepEqual(folderCycles(throughParent), []);
});

test('every import goes from a layer to one that it may import', () => {
  assert.ok(sources.length > 50, 'the sources are found');
  const found = sources.flatMap(file =>
    importsOf(readFileSync(file, 'utf8')).map(specifier => violation(file, specifier)),
  );
  assert.deepEqual(
    found.filter(problem => problem !== undefined),
    [],
  );
});

test('the table agrees with the references of the TypeScript projects', () => {
  for (const [layer, { layers }] of Object.entries(table)) {
    const folder = layer === 'extension.ts' ? 'src' : layer === 'webview' ? layer : `src/${layer}`;
    const project = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as {
      references?: { path: string }[];
    };
    const references = (project.references ?? []).map(({ path }) => path.split('/').at(-1) ?? '');
    assert.deepEqual(references.toSorted(), layers.toSorted(), layer);
  }
});

test('a planted import of a forbidden layer is found', () => {
  const file = join(root, 'src/sql/planted.ts');
  assert.match(violation(file, '../client/index.ts') ?? '', /may not import/);
  assert.match(violation(file, 'node:fs') ?? '', /may not import/);
  assert.match(violation(join(root, 'src/model/planted.ts'), 'vscode') ?? '', /may not import/);
  assert.match(violation(join(root, 'src/model/planted.ts'), '../client/transport.ts') ?? '', /may not import/);
  assert.equal(violation(file, '../base/errors.ts'), undefined);
});

test('a planted import of a forbidden layer does not compile', () => {
  const folder = join(root, '.cache/planted');
  mkdirSync(folder, { recursive: true });
  try {
    const source = `import { Client } from '../../src/client/index.ts';\nimport { window } from 'vscode';\nexport const planted = [Client, window];\n`;
    writeFileSync(join(folder, 'planted.ts'), source);
    const project = {
      extends: '../../src/sql/tsconfig.json',
      compilerOptions: { rootDir: '../..', outDir: './out', tsBuildInfoFile: './planted.tsbuildinfo' },
      include: ['planted.ts', '../../src/noVscode.d.ts'],
      references: [{ path: '../../src/base' }],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-b', folder], { encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.match(stdout, /planted\.ts\(1,\d+\): error TS6307/, 'a layer that is not referenced');
    assert.match(
      stdout,
      /planted\.ts\(2,\d+\): error TS2305.*'?"vscode"'? has no exported member/,
      'vscode outside host',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The files that processes, threads, pages and packages start with. */
const entries = [
  'src/extension.ts',
  'src/language/server.ts',
  'src/model/generating/process/main.ts',
  'src/model/history/thread/main.ts',
  'src/model/importing/thread/main.ts',
  'src/model/results/thread/main.ts',
  'src/mcp/serve.ts',
  'src/service/cli.ts',
  'src/transfer/main.ts',
  'src/service/engines/sqlite/sqliteWorker.ts',
  'src/service/engines/sqlite/sqliteWatchdog.ts',
  'src/service/workers/hosted/worker.ts',
  'src/client/index.ts',
  'webview/grid/main.ts',
  'webview/settings/main.ts',
  'webview/designer/main.ts',
  'webview/diagram/main.ts',
  'webview/diagram/layout/worker.ts',
];

test('every source file is reached from an entry', () => {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of projectImports()) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const reached = new Set(entries.flatMap(entry => [entry].concat([...reachableFrom(graph, entry)])));
  const files = sources.map(file => relative(root, file));
  assert.deepEqual(
    files.filter(file => !reached.has(file)),
    [],
  );
});

test('VS Code focuses the first button of a dialog, and none changes anything that cannot be undone', () => {
  const filesWith = (pattern: RegExp): string[] =>
    sources
      .filter(file => pattern.test(readFileSync(file, 'utf8')))
      .map(file => relative(root, file))
      .toSorted();
  const questions = 'src/host/questions.ts';
  assert.deepEqual(filesWith(/\bmodal: true/), [questions]);
  // Their first buttons paste and save. All others show something: their type has only these titles.
  const withOwnButtons = ['src/host/editing/editPrompts.ts', 'src/host/management/settingsPage.ts'];
  assert.deepEqual(filesWith(/\bchoose\b[^}]*\} from '[./]*questions\.ts'/), withOwnButtons);
  const [, titles = ''] = /const lookTitles = ([^]*?)\}\);/.exec(readFileSync(join(root, questions), 'utf8')) ?? [];
  const looks = [...titles.matchAll(/t\('([^']*)'\)/g)].map(([, title]) => title!);
  assert.ok(looks.length > 0);
  assert.deepEqual(
    looks.filter(title => !/^(?:Show |Review$)/.test(title)),
    [],
  );
});

const declaration =
  /^(export )?(?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|interface|type) (\w+)/gm;

interface Declared {
  readonly file: string;
  readonly name: string;
  readonly isExported: boolean;
}

/** The declarations at the top of the source files, without those of entries, which no source file imports. */
const declared: readonly Declared[] = sources
  .filter(file => !entries.includes(relative(root, file)))
  .flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(declaration)].map(([, exported, name]) => ({
      file: relative(root, file),
      name: name!,
      isExported: exported !== undefined,
    })),
  );

test('every declaration is used outside of the tests', () => {
  const uses = new Map<string, number>();
  for (const file of globSync(['src/**/*.ts', 'webview/**/*.ts'], { cwd: root })) {
    const words = readFileSync(join(root, file), 'utf8').matchAll(/\w+/g);
    for (const [word] of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  }
  assert.deepEqual(
    declared.filter(({ name }) => uses.get(name) === 1).map(({ file, name }) => `${file} ${name}`),
    [],
  );
});

test('every export is named in another file', () => {
  const fileCounts = new Map<string, number>();
  for (const file of globSync(['src/**/*.ts', 'webview/**/*.ts', 'test/**/*.ts', '.dev/**/*.ts'], { cwd: root })) {
    const words = new Set(readFileSync(join(root, file), 'utf8').match(/\w+/g));
    for (const word of words) fileCounts.set(word, (fileCounts.get(word) ?? 0) + 1);
  }
  assert.deepEqual(
    declared
      .filter(({ name, isExported }) => isExported && fileCounts.get(name) === 1)
      .map(({ file, name }) => `${file} ${name}`),
    [],
  );
});

test('every exported name is declared once, so that a name means one thing', () => {
  const files = Object.groupBy(
    declared.filter(({ isExported }) => isExported),
    ({ name }) => name,
  );
  assert.deepEqual(
    Object.entries(files).flatMap(([name, places = []]) =>
      places.length > 1 ? `${name}: ${places.map(({ file }) => file).join(', ')}` : [],
    ),
    [],
  );
});
