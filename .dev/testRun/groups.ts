/** Decides which test files run in one process. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.ts';

/** How many processes the files of a folder may have. Files of other folders have a process each. */
const processesOf: readonly (readonly [folder: RegExp, processes: number])[] = [
  // The files share the window that their process has open.
  [/^test\/workbench\/[^/]+$/, 2],
  // Each test has a server and a window. They share the browser.
  [/^test\/workbench\/ownProfile\//, 2],
  // Their modules take longer to load than most of the tests take.
  [/^test\/(base|wire|protocol)\//, 1],
  [/^test\/sql\//, 4],
  // The pages share the browser of their process.
  [/^test\/webview\//, 6],
];

/** Whether the tests of a file with this path below the root open windows of VS Code. */
export const isWindowFile = (file: string): boolean => /^test[\\/]workbench[\\/]/.test(file);

/** Files with paths below the root, largest first, as groups of similar size. */
export function groupsOf(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  const left = new Set(files);
  for (const [folder, processes] of processesOf) {
    const found = [...left].filter(file => folder.test(file.replaceAll('\\', '/')));
    for (const file of found) left.delete(file);
    groups.push(...divided(found, processes));
  }
  return [...groups, ...[...left].map(file => [file])];
}

function divided(files: readonly string[], count: number): string[][] {
  const groups = Array.from({ length: Math.min(count, files.length) }, () => ({ files: [] as string[], size: 0 }));
  const sized = files.map(file => ({ file, size: statSync(join(root, file)).size }));
  for (const { file, size } of sized.toSorted((a, b) => b.size - a.size || a.file.localeCompare(b.file))) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least));
    smallest.files.push(file);
    smallest.size += size;
  }
  return groups.map(group => group.files);
}
