/** Prints a line for a statement that finds no file descriptor left, and one for a statement after some are free again. */
import { closeSync, openSync } from 'node:fs';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { sqlCall } from './testEngine.ts';

const engine = new SqliteEngine(process.argv[2] ?? '');

async function outcome(): Promise<string> {
  try {
    return (await engine.execute('project', sqlCall('CREATE TABLE t (a)'))).kind;
  } catch (thrown) {
    return thrown instanceof ServiceError ? `${thrown.status} ${thrown.code}` : String(thrown);
  }
}

const files: number[] = [];
try {
  for (;;) files.push(openSync(process.execPath, 'r'));
} catch {
  // No descriptor is left now.
}
console.log(await outcome());
// Behind that comes the error of the process that was not made.
await new Promise(setImmediate);
for (const file of files) closeSync(file);
console.log(await outcome());
await engine.close();
