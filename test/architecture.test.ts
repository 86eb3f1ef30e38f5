import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Who may import whom: the same table as the `references` of the TypeScript projects, and packages besides. */
const table: Readonly<Record<string, { layers: readonly string[]; packages?: readonly string[]; node?: boolean }>> = {
  base: { layers: [] },
  wire: { layers: ['base'] },
  sql: { layers: ['base'], packages: ['sqlite3-parser', '@sqlite.org/sqlite-wasm'] },
  client: { layers: ['base', 'wire'], packages: ['undici', 'stream-json'], node: true },
  model: { layers: ['base', 'wire', 'client', 'sql', 'protocol'], node: true },
  protocol: { layers: ['base', 'wire'] },
  language: {
    layers: ['base', 'sql', 'protocol'],
    packages: ['vscode-languageserver', 'vscode-languageserver-textdocument'],
    node: true,
  },
  service: { layers: ['base', 'wire', 'sql'], node: true },
  host: {
    layers: ['base', 'wire', 'client', 'sql', 'model', 'protocol'],
    packages: ['vscode', 'vscode-languageclient'],
    node: true,
  },
  'extension.ts': { layers: ['host'], packages: ['vscode'] },
  webview: { layers: ['base', 'wire', 'protocol'], packages: ['@vscode/webview-ui-toolkit'] },
};

const importPattern = /^(?:import|export)\s[^'=]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map(([, from, plain, dynamic]) => from ?? plain ?? dynamic ?? '');
}

function layerOf(file: string): string {
  const parts = relative(root, file).split(sep);
  return (parts[0] === 'src' ? parts[1] : parts[0]) ?? '';
}

/** What is wrong with one import of one file, or undefined. */
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

test('the table and the references of the TypeScript projects say the same', () => {
  for (const [layer, { layers }] of Object.entries(table)) {
    const folder = layer === 'extension.ts' ? 'src' : layer === 'webview' ? layer : `src/${layer}`;
    const project = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as {
      references?: { path: string }[];
    };
    const references = (project.references ?? []).map(({ path }) => path.split('/').at(-1) ?? '');
    assert.deepEqual(references.toSorted(), layers.toSorted(), layer);
  }
});

test('a wrong import is caught by this test', () => {
  const file = join(root, 'src/sql/planted.ts');
  assert.match(violation(file, '../client/index.ts') ?? '', /may not import/);
  assert.match(violation(file, 'node:fs') ?? '', /may not import/);
  assert.match(violation(join(root, 'src/model/planted.ts'), 'vscode') ?? '', /may not import/);
  assert.match(violation(join(root, 'src/model/planted.ts'), '../client/transport.ts') ?? '', /may not import/);
  assert.equal(violation(file, '../base/errors.ts'), undefined);
});

test('a wrong import is caught by the compiler', () => {
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
