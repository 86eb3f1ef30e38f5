import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root })
  .map(file => file.replaceAll('\\', '/'))
  .toSorted();
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesWith = (pattern: RegExp): string[] => files.filter(file => pattern.test(sourceOf(file)));

const helper = 'src/sql/running/confine.ts';
const opening = /\bnew (?:\w+\.)?DatabaseSync\(/;

/** They read a schema or a file of others, and confine the connection as soon as it is open. */
const confined = {
  'src/model/generating/trialDatabase.ts': 'the table of a service, in which generated rows are tried',
  'src/model/importing/readers/sqliteReader.ts': 'a file that is imported or uploaded',
  'src/model/shaping/rehearsal.ts': 'the schema of a service, on which a plan is tried',
  'src/service/engines/sqlite/worker/maintenance.ts': 'the copy of a file that replaces a project',
  'src/transfer/partFile.ts': 'the schema and the rows of a service, which download writes',
};

/** They open a file of their own, or one that `StatementGuard` guards. No text of others runs there. */
const own = {
  'src/model/history/historyStore.ts': 'the history, whose entries are bound values',
  'src/model/lockFile.ts': 'a lock',
  'src/model/results/thread/sqliteFile.ts': 'a new file with one table, whose names are quoted',
  'src/service/engines/sqlite/safeSqlite.ts': 'statements that must fail',
  'src/service/engines/sqlite/worker/databaseFile.ts':
    'the database of a project: its statements run with StatementGuard',
  'src/service/engines/sqlite/worker/replayFile.ts': 'the answers that the service keeps',
  'src/service/folder/dataFolder.ts': 'a lock',
  'src/service/folder/registry.ts': 'the projects and keys of the service',
  'src/service/sampleShop.ts': 'the sample',
};

test('each file that opens a database confines it, or is known to run no text of others', () => {
  const openers = filesWith(opening).filter(file => file !== helper);
  const callers = filesWith(/\bconfine\(/).filter(file => file !== helper);
  assert.deepEqual(callers, Object.keys(confined).toSorted());
  assert.deepEqual(openers, [...callers, ...Object.keys(own)].toSorted());
});

test('definitions of others are created in one way', () => {
  const creators = filesWith(/\bcreateObject\(/).filter(file => file !== helper);
  assert.deepEqual(creators, [
    'src/model/generating/trialDatabase.ts',
    'src/model/shaping/rehearsal.ts',
    'src/transfer/partFile.ts',
  ]);
  const foreignTexts =
    /\.(?:exec|prepare)\((?:\w+\.)+(?:sql|definition)\)|for \(const \{ sql \} of.*\.(?:exec|prepare)\(/;
  const withDatabase = filesWith(/node:sqlite/).filter(file => foreignTexts.test(sourceOf(file)));
  assert.deepEqual(withDatabase, []);
});

test('only the shadow executes SQL in the WebAssembly engine', () => {
  assert.deepEqual(filesWith(/from '@sqlite\.org\/sqlite-wasm'/), ['src/sql/shadow/sqliteConnection.ts']);
  assert.deepEqual(filesWith(/#?connection\.execute\(/), [
    'src/sql/shadow/indexProof.ts',
    'src/sql/shadow/schemaAlteration.ts',
    'src/sql/shadow/shadowDatabase.ts',
    'src/sql/shadow/statementFaults.ts',
  ]);
});
