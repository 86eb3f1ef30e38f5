import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const bin = (name: string): string => join(root, 'node_modules', name);

/** The tools of this repository, each as the script that Node runs. */
export const tools = {
  build: [join(root, 'esbuild.mjs')],
  types: [bin('typescript/bin/tsc'), '-b'],
  lint: [
    bin('oxlint/bin/oxlint'),
    ...['--type-aware', '--report-unused-disable-directives-severity', 'error'],
    ...['src', 'webview', 'test', '.dev', 'esbuild.mjs'],
  ],
  format: [
    bin('prettier/bin/prettier.cjs'),
    ...['--check', '--log-level', 'warn', '.'],
    ...['--cache', '--cache-location', join(root, '.cache/prettier')],
  ],
} as const;

/** Runs one of the tools to its end and returns whether it succeeded. */
export function runTool(name: keyof typeof tools): boolean {
  return spawnSync(process.execPath, tools[name], { cwd: root, stdio: 'inherit' }).status === 0;
}
