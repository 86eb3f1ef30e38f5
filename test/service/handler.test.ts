import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';

const importPattern =
  /^(?:import|export)\s(?!type\b)[^'=]*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** What a module brings along when it runs, its own file among it. Imports of types are gone by then. */
function broughtBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from, plain, dynamic] of readFileSync(file, 'utf8').matchAll(importPattern)) {
    const specifier = from ?? plain ?? dynamic ?? '';
    if (specifier.startsWith('.')) broughtBy(resolve(dirname(file), specifier), found);
    else found.add(specifier);
  }
  return found;
}

const service = resolve(import.meta.dirname, '../../src/service');

test('the handler and all that it brings along know nothing of Node, so that they can run elsewhere', () => {
  for (const entry of ['handler.ts', 'access.ts', 'rateLimiter.ts']) {
    const brought = [...broughtBy(resolve(service, entry))];
    assert.deepEqual(
      brought.filter(name => !name.endsWith('.ts')),
      [],
    );
    for (const file of brought) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(?:Buffer|process|setImmediate)\b[.(]/, file);
    }
  }
});

test('a handler that brought Node along would be caught', () => {
  assert.ok(broughtBy(resolve(service, 'handler.ts')).has(resolve(service, 'projectCalls.ts')));
  assert.ok(broughtBy(resolve(service, 'nodeListener.ts')).has('node:http'));
});
