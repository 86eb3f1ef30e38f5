import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './workbench/workbenchPaths.ts';

/** The blocks of shell commands in a document of media/docs. */
export function shellBlocks(document: string): string[] {
  const text = readFileSync(join(repositoryRoot, 'media/docs', document), 'utf8');
  return Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block);
}
