import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installOnce } from './installOnce.ts';
import { provisionedFolder, repositoryRoot } from './workbenchPaths.ts';

const run = promisify(execFile);

/** Finds a Chromium that starts: the variable CHROMIUM, the npm package, an installed one, or Debian's. */
export async function provisionBrowser(): Promise<string> {
  const chosen = process.env['CHROMIUM'];
  if (chosen) {
    if (await starts(chosen)) return chosen;
    throw new Error(`CHROMIUM is set to ${chosen}, which does not start: correct it or unset it.`);
  }
  const found = (await packagedBrowser()) ?? (await installedBrowser()) ?? (await debianBrowser());
  if (found) return found;
  throw new Error('No browser starts here: install Chromium or Google Chrome, or set CHROMIUM to the path of one.');
}

/** Chromium from npm is a Linux x64 binary. Its package unpacks to the temp folder, which we redirect. */
async function packagedBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8')) as { version: string };
  const folder = join(provisionedFolder, 'browser');
  await installOnce({
    folder,
    stamp: `@sparticuz/chromium ${version}`,
    install: async building => {
      const options = { cwd: repositoryRoot, env: { ...process.env, TMPDIR: building } };
      await run(process.execPath, ['--input-type=module', '--eval', unpackScript, join(entry, '../../bin')], options);
      await writeFile(join(building, 'fonts', 'fonts.conf'), fontConfiguration);
      await writeFile(join(building, selfContained), selfContainedScript);
      await chmod(join(building, selfContained), 0o755);
    },
  });
  const candidates = [join(folder, selfContained)];
  if (existsSync('/etc/fonts/fonts.conf')) candidates.unshift(join(folder, 'chromium'));
  return firstThatStarts(candidates);
}

const unpackScript = `
  import { inflate } from '@sparticuz/chromium';
  const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
  await Promise.all(archives.map(name => inflate(process.argv[1] + '/' + name)));
`;

const selfContained = 'chromium-self-contained';

/** Uses the package's NSS and fonts, for systems without them, such as slim containers. */
const selfContainedScript = `#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts/fonts.conf"
exec "$here/chromium" "$@"
`;

const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir></fontconfig>
`;

async function installedBrowser(): Promise<string | undefined> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  const onMac = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`);
  const candidates = [...folders.flatMap(folder => names.map(name => join(folder, name))), ...onMac];
  return firstThatStarts(candidates.filter(candidate => existsSync(candidate)));
}

async function debianBrowser(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], { env });
  } catch {
    return undefined;
  }
  return firstThatStarts(['/usr/bin/chromium']);
}

async function firstThatStarts(candidates: string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await starts(candidate)) return candidate;
  return undefined;
}

/** Asks for the version. That loads every shared library and fails on a bare system. */
async function starts(executable: string): Promise<boolean> {
  return run(executable, ['--version'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}
