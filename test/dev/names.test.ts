import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

const declaration = /^export (?:abstract |const )?(?:class|interface|type|enum) (\w+)/gm;

test('a name of an exported type or class is declared in one file', () => {
  const filesOf = new Map<string, string[]>();
  for (const file of globSync('{src,webview}/**/*.ts', { cwd: repositoryRoot })) {
    for (const [, name = ''] of readFileSync(join(repositoryRoot, file), 'utf8').matchAll(declaration)) {
      filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
    }
  }
  assert.ok(filesOf.size > 1000, `${filesOf.size} names`);
  assert.deepEqual(
    [...filesOf].filter(([, files]) => files.length > 1),
    [],
  );
});
