// `npm run package`: builds the VSIX as users get it, without the network.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { root, runTool } from './command.ts';

export const vsixPath = join(root, 'dist', 'sql-project-explorer.vsix');

export async function packageExtension(packagePath = vsixPath): Promise<string> {
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const staged = `${packagePath}.files`;
  rmSync(staged, { recursive: true, force: true });
  for (const file of files) {
    mkdirSync(join(staged, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(staged, file));
  }
  writeFileSync(join(staged, 'README.md'), withoutPictures(readFileSync(join(root, 'README.md'), 'utf8')));
  writeFileSync(join(staged, '.vscodeignore'), '');
  await createVSIX({
    cwd: staged,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  rmSync(staged, { recursive: true });
  return packagePath;
}

/** VS Code's page of an extension shows only pictures with an https address. All others are broken there. */
const withoutPictures = (readme: string): string => readme.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '');

if (import.meta.main) {
  if (!runTool('build')) process.exit(1);
  console.log(await packageExtension());
}
