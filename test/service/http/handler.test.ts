import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';

const importPattern =
  /^(?:import|export)\s(?!type\b)[^'=]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** The modules that a module loads, including itself. Imports of types load nothing. */
function modulesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from, plain, dynamic] of readFileSync(file, 'utf8').matchAll(importPattern)) {
    const specifier = from ?? plain ?? dynamic ?? '';
    if (specifier.startsWith('.')) modulesOf(resolve(dirname(file), specifier), found);
    else found.add(specifier);
  }
  return found;
}

const service = resolve(import.meta.dirname, '../../../src/service');

test('the handler and its modules do not depend on Node.js', () => {
  for (const entry of ['http/handler.ts', 'http/access.ts', 'http/rateLimiter.ts', 'http/crossOrigin.ts']) {
    const modules = [...modulesOf(resolve(service, entry))];
    assert.deepEqual(
      modules.filter(name => !name.endsWith('.ts')),
      [],
    );
    for (const file of modules) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(?:Buffer|process|setImmediate)\b[.(]/, file);
    }
  }
});

test('the test of the handler would notice a dependency on Node.js', () => {
  assert.ok(modulesOf(resolve(service, 'http/handler.ts')).has(resolve(service, 'http/projectCalls.ts')));
  assert.ok(modulesOf(resolve(service, 'listener/nodeListener.ts')).has('node:http'));
});
