import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  argumentCounts,
  builtInFunctions,
  builtInFunction,
  type Signature,
} from '../../../src/sql/functions/builtInFunctions.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';

/** A row of pragma_function_list. */
interface ListedFunction {
  readonly name: string;
  readonly type: string;
  readonly narg: number;
}

/** Functions that SQLite lists and builtInFunctions omits, each with the reason. */
const omissions: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^match$/, 'exists only so that the operator MATCH can fail'],
  [/^fts5$/, 'passes a pointer to C code'],
  [/^rtree(node|depth|check)$/, 'for the tests of the R-tree module'],
  [/^geopoly_/, 'an extension that most builds leave out'],
  [/^(fts3_tokenizer|matchinfo|offsets|optimize)$/, 'belongs to FTS3 and FTS4, which FTS5 replaced'],
  [/^load_extension$/, 'refused unless the host allows it'],
  [/^sqlite_offset$/, 'for debugging SQLite, and in few builds'],
  [/^unknown$/, 'stands for a missing function in EXPLAIN'],
];

const sql = 'SELECT name, type, narg FROM pragma_function_list';
const engines: readonly (readonly [name: string, listed: readonly ListedFunction[]])[] = [
  ['node:sqlite', new DatabaseSync(':memory:').prepare(sql).all() as unknown as ListedFunction[]],
  ['the wasm build', (await openWasmDatabase()).selectObjects(sql) as unknown as ListedFunction[]],
];

const types: Readonly<Record<string, readonly Signature['kind'][]>> = {
  s: ['scalar', 'auxiliary'],
  a: ['aggregate'],
  w: ['aggregate', 'window'],
};

for (const [engine, listed] of engines) {
  const isOmitted = (name: string): boolean => omissions.some(([pattern]) => pattern.test(name));

  test(`every function of ${engine} is there, with each number of arguments`, () => {
    for (const { name, type, narg } of listed) {
      if (isOmitted(name)) continue;
      const signatures = builtInFunction(name)?.signatures.filter(({ kind }) => types[type]?.includes(kind)) ?? [];
      const counts = signatures.map(argumentCounts);
      const isAccepted =
        narg >= 0
          ? counts.some(([min, max]) => min <= narg && narg <= max)
          : // -3 means at least one argument, -4 at least two; -1 leaves the counting to the function itself.
            counts.some(([min, max]) => (narg === -1 ? max > 0 : max === Infinity && min >= -2 - narg));
      assert.ok(isAccepted, `${name} of type ${type} with ${narg} arguments`);
    }
  });

  test(`${engine} has every function that is there, with each number of arguments`, () => {
    for (const { name, signatures } of builtInFunctions) {
      const rows = listed.filter(row => row.name === name);
      for (const signature of signatures) {
        if (signature.kind === 'table') continue;
        const fitting = rows.filter(({ type }) => types[type]?.includes(signature.kind)).map(({ narg }) => narg);
        const [min, max] = argumentCounts(signature);
        for (let count = min; count <= (max === Infinity ? min : max); count++) {
          assert.ok(
            fitting.some(narg => narg === count || narg < 0),
            `${name} with ${count} arguments`,
          );
        }
        if (max === Infinity)
          assert.ok(
            fitting.some(narg => narg < 0),
            `${name} with any number of arguments`,
          );
      }
    }
  });
}

test('SQLite prepares a call of each signature with the smallest and the greatest number of arguments', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE VIRTUAL TABLE documents USING fts5(a)');
  for (const { name, signatures } of builtInFunctions) {
    if (name.startsWith('->')) continue;
    for (const signature of signatures) {
      const [min, max] = argumentCounts(signature);
      for (const count of new Set([min, Math.min(max, min + 2)])) {
        const statement = statementWithCall(name, signature, count);
        assert.doesNotThrow(() => database.prepare(statement), statement);
      }
    }
  }
});

function statementWithCall(name: string, { kind, parameters }: Signature, count: number): string {
  const values = Array.from({ length: count }, (_, index) =>
    parameters[index]?.name === 'table' ? 'documents' : '0.5',
  );
  const call = name.startsWith('current_') ? name : `${name}(${values.join(', ')})`;
  if (kind === 'table') return `SELECT * FROM ${call}`;
  if (kind === 'window') return `SELECT ${call} OVER ()`;
  return kind === 'auxiliary' ? `SELECT ${call} FROM documents('x')` : `SELECT ${call}`;
}

test('every description is one sentence that no other function has', () => {
  const sentences = builtInFunctions.flatMap(({ signatures }) => signatures.map(({ description }) => description));
  assert.equal(new Set(sentences.filter(sentence => !sentence.startsWith('Another name'))).size > 140, true);
  for (const sentence of sentences) assert.match(sentence, /^[^a-z].*\.$/u);
});

const labels: readonly (readonly [name: string, labels: readonly string[]])[] = [
  ['SUBSTR', ['substr(x, start[, length])']],
  ['max', ['max(x, y, …)', 'max(x)']],
  ['count', ['count(*)', 'count(x)']],
  ['strftime', ['strftime(format[, time], modifier…)']],
  ['current_date', ['current_date']],
  ['->>', ['json ->> path']],
  ['char', ['char(code…)']],
  ['nothing', []],
];

for (const [name, expected] of labels) {
  test(`the labels of ${name} are ${expected.join(' and ') || 'none'}`, () => {
    assert.deepEqual(builtInFunction(name)?.signatures.map(({ label }) => label) ?? [], expected);
  });
}
