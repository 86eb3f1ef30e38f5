import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './workbench/installOnce.ts';
import { provisionedFolder } from './workbench/workbenchPaths.ts';

/** Runs npm in a folder, as somebody would for whom that folder has no other project around it. Gives what it printed. */
export async function runNpm(folder: string, ...args: readonly string[]): Promise<string> {
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path };
  // An outer `npm run` sets these. They would make this npm work on our own package.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_config_global']) delete env[name];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, env });
  return stdout;
}

/** The npm package of Node.js for this platform. */
export function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  return `${isAppleSilicon ? 'node-bin' : 'node'}-${platform}-${process.arch}`;
}

/** Installs a version of Node.js once, from the npm registry, and gives the path of its program. */
export async function provisionNode(version: string): Promise<string> {
  const name = nodePackage();
  const folder = join(provisionedFolder, `node-${version}`);
  await installOnce({
    folder,
    stamp: `${name} ${version}`,
    install: async building => {
      const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', building];
      await runNpm(building, 'install', ...options, `${name}@${version}`);
    },
  });
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
