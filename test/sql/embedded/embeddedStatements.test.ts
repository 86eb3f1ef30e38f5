import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbeddedStatements, embeddedStatements } from '../../../src/sql/embedded/embeddedStatements.ts';

const statementsOf = (file: string): EmbeddedStatements => embeddedStatements(file, 'script');

test('the statements of a file are those of its literals that run as they are', () => {
  const file = [
    "const a = sql`SELECT 1; SELECT 'é' -- ;`;",
    "const b = sql`SELECT ${a} FROM t`, c = sql`a = 1`, d = sql`SELECT '${a}'; SELECT 2`;",
    "const e = /* sql */ 'SELECT \\'3' + '\\'' + f;",
  ].join('\n');
  const statements = statementsOf(file);
  const texts = statements.statements().map(({ start, end }) => statements.slice(start, end));
  assert.deepEqual(texts, ['SELECT 1;', "SELECT 'é'", 'SELECT ?    FROM t', 'SELECT 2']);
  assert.equal(statements.count, 4);
  const [first, second, third] = statements.statements();
  assert.ok(first && second && third);
  assert.deepEqual(statements.at(1), second);
  assert.equal(file.slice(first.start, first.end), 'SELECT 1;');
  assert.equal(file.slice(third.start, third.end), 'SELECT ${a} FROM t');
  assert.equal(statements.firstEndingAfter(first.end), 1);
  assert.equal(statements.firstEndingAfter(file.length), 4);
});

test('a statement that is open ends with its literal', () => {
  const file = "sql`SELECT 'a`; b = 'c'; sql`SELECT 2 /* a`";
  const statements = statementsOf(file);
  assert.deepEqual(
    statements.statements().map(({ start, end }) => file.slice(start, end)),
    ["SELECT 'a", 'SELECT 2'],
  );
});

test('the text has the length of the file, and nothing but its SQL', () => {
  const file = "const a = 'x';\nsql`SELECT ${b}`; c = sql`SELECT 2`;\n";
  const { text, length } = statementsOf(file);
  assert.equal(text, `${' '.repeat(19)}SELECT ?   ${' '.repeat(11)}SELECT 2${' '.repeat(3)}`);
  assert.equal(length, file.length);
});
