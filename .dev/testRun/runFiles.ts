/** The main module of a test process: runs the test files that its arguments name, one after the other. */
import { beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endOfFile } from './fileEvents.ts';

// Before the files, so that what they share ends before what each of them has.
await import('../../test/support/afterAllFiles.ts');

// Tests that work without a pause would keep the outcomes of those before them from being reported.
const nextTurn = setImmediate;
beforeEach(() => new Promise<void>(resolve => void nextTurn(resolve)));

const imported = Promise.withResolvers<void>();
// Without it, the run would end while the next file is imported.
void test(endOfFile.imports, () => imported.promise);
for (const file of process.argv.slice(2)) {
  const importing = import(pathToFileURL(file).href);
  await importing.catch(() => void test(file, () => importing));
  void test(endOfFile.tests, () => {});
}
imported.resolve();
