import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { languageServerArguments } from '../../src/protocol/languageBridge.ts';

const urlOf = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/** Parses until V8 has optimized the parser. Prints the peak of the memory that V8 took outside of its heap, in megabytes. */
const program = `
  import { setImmediate } from 'node:timers/promises';
  import v8 from 'node:v8';
  import { parseStatement } from ${urlOf('src/sql/parser/parser.ts')};
  import { splitStatements } from ${urlOf('src/sql/text/splitter.ts')};
  import { seeded } from ${urlOf('test/fuzz/random.ts')};
  import { randomScript } from ${urlOf('test/fuzz/sqlTexts.ts')};
  const random = seeded(1);
  const scripts = Array.from({ length: 100 }, () => randomScript(random));
  const texts = scripts.flatMap(script => splitStatements(script).map(({ start, end }) => script.slice(start, end)));
  for (let round = 0; round < 150; round++) {
    for (const text of texts) parseStatement(text);
    await setImmediate();
  }
  console.log(v8.getHeapStatistics().peak_malloced_memory / 1024 / 1024);
`;

test('optimizing the parser takes a small part of the memory that the language server may have', async () => {
  const argv = [...languageServerArguments, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  assert.ok(Number(stdout) < 40, `${stdout.trim()} MB`);
});
