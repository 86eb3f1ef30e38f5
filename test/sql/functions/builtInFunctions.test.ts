import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  argumentCounts,
  catalogue,
  catalogueFunction,
  type Signature,
} from '../../../src/sql/functions/builtInFunctions.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly narg: number;
}

/** Functions that SQLite lists and the catalogue leaves out, each with the reason. */
const leftOut: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^match$/, 'only a place for the operator MATCH to fail in'],
  [/^fts5$/, 'hands a pointer to C code'],
  [/^rtree(node|depth|check)$/, 'for the tests of the R-tree module'],
  [/^geopoly_/, 'an extension that SQLite leaves out unless it is asked for'],
  [/^(fts3_tokenizer|matchinfo|offsets|optimize)$/, 'belongs to FTS3 and FTS4, which FTS5 replaced'],
  [/^load_extension$/, 'refused unless the host allows it'],
  [/^sqlite_offset$/, 'for those who debug SQLite, and in few builds'],
  [/^unknown$/, 'what EXPLAIN puts in place of a missing function'],
];

const sql = 'SELECT name, type, narg FROM pragma_function_list';
const engines: readonly (readonly [name: string, listed: readonly Listed[]])[] = [
  ['node:sqlite', new DatabaseSync(':memory:').prepare(sql).all() as unknown as Listed[]],
  ['the wasm build', (await openWasmDatabase()).selectObjects(sql) as unknown as Listed[]],
];

const types: Readonly<Record<string, readonly Signature['kind'][]>> = {
  s: ['scalar', 'auxiliary'],
  a: ['aggregate'],
  w: ['aggregate', 'window'],
};

for (const [engine, listed] of engines) {
  const isLeftOut = (name: string): boolean => leftOut.some(([pattern]) => pattern.test(name));

  test(`has every function that ${engine} lists, with each number of arguments`, () => {
    for (const { name, type, narg } of listed) {
      if (isLeftOut(name)) continue;
      const signatures = catalogueFunction(name)?.signatures.filter(({ kind }) => types[type]?.includes(kind)) ?? [];
      const counts = signatures.map(argumentCounts);
      const taken =
        narg >= 0
          ? counts.some(([least, most]) => least <= narg && narg <= most)
          : // -3 means at least one argument, -4 at least two; -1 leaves the counting to the function itself.
            counts.some(([least, most]) => (narg === -1 ? most > 0 : most === Infinity && least >= -2 - narg));
      assert.ok(taken, `${name} of type ${type} with ${narg} arguments`);
    }
  });

  test(`has no function or number of arguments that ${engine} does not list`, () => {
    for (const { name, signatures } of catalogue) {
      const rows = listed.filter(row => row.name === name);
      for (const signature of signatures) {
        if (signature.kind === 'table') continue;
        const fitting = rows.filter(({ type }) => types[type]?.includes(signature.kind)).map(({ narg }) => narg);
        const [least, most] = argumentCounts(signature);
        for (let count = least; count <= (most === Infinity ? least : most); count++) {
          assert.ok(
            fitting.some(narg => narg === count || narg < 0),
            `${name} with ${count} arguments`,
          );
        }
        if (most === Infinity)
          assert.ok(
            fitting.some(narg => narg < 0),
            `${name} with any number of arguments`,
          );
      }
    }
  });
}

test('SQLite prepares a call of each signature with its least and its greatest number of arguments', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE VIRTUAL TABLE documents USING fts5(a)');
  for (const { name, signatures } of catalogue) {
    if (name.startsWith('->')) continue;
    for (const signature of signatures) {
      const [least, most] = argumentCounts(signature);
      for (const count of new Set([least, Math.min(most, least + 2)])) {
        const sentence = callOf(name, signature, count);
        assert.doesNotThrow(() => database.prepare(sentence), sentence);
      }
    }
  }
});

function callOf(name: string, { kind, parameters }: Signature, count: number): string {
  const values = Array.from({ length: count }, (_, index) =>
    parameters[index]?.name === 'table' ? 'documents' : '0.5',
  );
  const call = name.startsWith('current_') ? name : `${name}(${values.join(', ')})`;
  if (kind === 'table') return `SELECT * FROM ${call}`;
  if (kind === 'window') return `SELECT ${call} OVER ()`;
  return kind === 'auxiliary' ? `SELECT ${call} FROM documents('x')` : `SELECT ${call}`;
}

test('every sentence is one sentence of its own', () => {
  const sentences = catalogue.flatMap(({ signatures }) => signatures.map(({ description }) => description));
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
  test(`writes ${name} for people`, () => {
    assert.deepEqual(catalogueFunction(name)?.signatures.map(({ label }) => label) ?? [], expected);
  });
}
