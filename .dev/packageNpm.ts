// `npm run package:npm`: builds the npm package with the client, the command line and the Worker, without the network.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './command.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The documents of the package. They link to no other files of the repository. */
const documents = 'agents engines http interface local-service scale service'.split(' ').map(name => `${name}.md`);
const clientReadme = 'src/client/README.md';
const parts = join(root, '.dev/npmPackage');

/** Builds the package in the folder, and packs it into a file beside it. Gives the path of that file. */
export function packageNpm(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(process.execPath, [join(root, 'esbuild.mjs'), '--npm', folder]);
  writeTypes(join(folder, 'types'));
  writeTexts(folder);
  writeWorkerConfiguration(join(folder, 'worker'));
  cpSync(join(parts, 'main.mjs'), join(folder, 'service/main.mjs'));
  const manifest = manifestOf(JSON.parse(read('package.json')) as Manifest);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  run('npm', ['pack', '--silent', '--pack-destination', dirname(folder), folder]);
  return join(dirname(folder), `${manifest.name}-${manifest.version}.tgz`);
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function manifestOf({ name, version, license, keywords, dependencies }: Manifest) {
  const dependencyOf = (dependency: string): [string, string] => [dependency, `^${dependencies[dependency]}`];
  return {
    name,
    version,
    description: 'The client of the SQL project service, the service itself, and its command line',
    license,
    keywords,
    type: 'module',
    // The client and undici run on it. The command line needs a newer Node.js, and says so.
    engines: { node: '>=22.19.0' },
    exports: {
      './client': { types: './types/client/index.d.ts', default: './client.js' },
      './worker': './worker/serviceWorker.mjs',
      './package.json': './package.json',
    },
    bin: { [name]: 'service/main.mjs' },
    dependencies: Object.fromEntries(['stream-json', 'undici'].map(dependencyOf)),
  };
}

/** Declares the client: its own layer, and what it needs of the two below. */
function writeTypes(folder: string): void {
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'src/client']);
  const pending = ['client/index.d.ts'];
  const written = new Set<string>();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (written.has(file)) continue;
    written.add(file);
    const source = read(join('.cache/types/src', file));
    for (const [, imported = ''] of source.matchAll(/\bfrom '(\.[^']+)\.ts'/g)) {
      pending.push(join(dirname(file), `${imported}.d.ts`));
    }
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), source.replaceAll(/\bfrom '(\.[^']+)\.ts'/g, `from '$1.js'`));
  }
}

function writeTexts(folder: string): void {
  const readme = `${read(clientReadme)}${readFileSync(join(parts, 'commandLine.md'), 'utf8')}`;
  writeFileSync(join(folder, 'README.md'), readme.replaceAll('](../../media/docs/', '](docs/'));
  mkdirSync(join(folder, 'docs'));
  for (const document of documents) {
    const text = read(join('media/docs', document)).replaceAll(`](../../${clientReadme}`, '](../README.md');
    writeFileSync(join(folder, 'docs', document), text);
  }
  cpSync(join(root, 'media/docs/openapi.json'), join(folder, 'docs/openapi.json'));
  for (const file of ['CHANGELOG.md', 'LICENSE']) cpSync(join(root, file), join(folder, file));
}

function writeWorkerConfiguration(folder: string): void {
  const configuration = read('src/service/deploy/cloudflare/wrangler.jsonc');
  writeFileSync(join(folder, 'wrangler.jsonc'), configuration.replace('../../../../dist/', ''));
}

if (import.meta.main) console.log(packageNpm(join(root, 'dist/npm')));
