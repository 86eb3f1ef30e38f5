import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

/** The parts of interface.md, each with the numbers of its requirements. */
function requirements(): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(join(repositoryRoot, 'media/docs/interface.md'), 'utf8');
  const parts = text.split(/^## /m).slice(1);
  return new Map(
    parts.map(part => {
      const numbers = Array.from(part.matchAll(/^(\d+)\. /gm), ([, number = '']) => number);
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => String(index + 1)),
        'the numbers are in order',
      );
      return [part.split('\n')[0] ?? '', new Set(numbers)];
    }),
  );
}

/** The requirements at the beginnings of test names, such as `Streaming 2, 3 and 7` and `Retries`. */
function namedIn(source: string): { part: string; numbers: string[] }[] {
  const names = source.matchAll(
    /\btest\(\s*['"`]([A-Z][a-z]+)(?: (\d[\d–, and]*))?: |^\s*\[['"`]([A-Z][a-z]+) (\d+): /gm,
  );
  return Array.from(names, ([, part, list = '', rowPart, rowList = '']) => {
    const numbers = (list || rowList)
      .split(/, | and /)
      .filter(Boolean)
      .flatMap(numbersOfRange);
    return { part: part ?? rowPart ?? '', numbers };
  });
}

/** `1–4` as its four numbers. */
function numbersOfRange(text: string): string[] {
  const [first = 0, last = first] = text.split('–').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

test('the names of tests are read', () => {
  const source = `
    test('Streaming 2, 3 and 7: rows', () => {});
    test(\`Pager 1–4: pages\`, () => {});
    test('Retries: a wait', () => {});
    ['Errors 1: a refusal', 400],
    test('rows: no requirement', () => {});`;
  assert.deepEqual(namedIn(source), [
    { part: 'Streaming', numbers: ['2', '3', '7'] },
    { part: 'Pager', numbers: ['1', '2', '3', '4'] },
    { part: 'Retries', numbers: [] },
    { part: 'Errors', numbers: ['1'] },
  ]);
});

test('each numbered requirement that the name of a test begins with is in media/docs/interface.md', () => {
  const parts = requirements();
  const named = globSync('test/**/*.test.ts', { cwd: repositoryRoot }).flatMap(file =>
    namedIn(readFileSync(join(repositoryRoot, file), 'utf8')),
  );
  const numbered = named.filter(({ numbers }) => numbers.length > 0);
  assert.ok(numbered.length > 15, `${numbered.length} names`);
  const missing = numbered.filter(({ part, numbers }) => numbers.some(number => !parts.get(part)?.has(number)));
  assert.deepEqual(missing, []);
});
