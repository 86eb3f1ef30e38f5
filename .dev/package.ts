// `npm run package`: builds the VSIX as users get it, without the network.
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root, runTool } from './command.ts';

export const vsixPath = join(root, 'dist', 'sql-project-explorer.vsix');

export async function packageExtension(packagePath = vsixPath): Promise<string> {
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  return packagePath;
}

if (import.meta.main) {
  if (!runTool('build')) process.exit(1);
  console.log(await packageExtension());
}
