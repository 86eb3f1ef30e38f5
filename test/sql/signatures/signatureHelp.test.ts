import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInFunctions } from '../../../src/sql/functions/builtInFunctions.ts';
import { signatureHelpAt } from '../../../src/sql/signatures/signatureHelp.ts';
import { corpusSchema } from '../../support/completeMarked.ts';

/** The active signature at `¦`, with its active parameter in brackets. Undefined without help. */
function helpAt(marked: string): string | undefined {
  const help = signatureHelpAt(marked.replace('¦', ''), marked.indexOf('¦'), corpusSchema);
  if (!help) return undefined;
  const { label, parameters } = help.signatures[help.activeSignature]!;
  const active = parameters[help.activeParameter];
  return active
    ? `${label.slice(0, active.start)}«${label.slice(active.start, active.end)}»${label.slice(active.end)}`
    : label;
}

const cases: readonly (readonly [marked: string, expected: string | undefined])[] = [
  ['SELECT substr(¦', 'substr(«x», start[, length])'],
  ['SELECT substr(a, ¦', 'substr(x, «start»[, length])'],
  ["SELECT substr('a, b', 1, ¦)", 'substr(x, start[, «length»])'],
  ['SELECT substr(a, b, c, ¦)', 'substr(x, start[, length])'],
  ['SELECT substr(upper(¦), 1)', 'upper(«text»)'],
  ['SELECT substr(upper(name), ¦1)', 'substr(x, «start»[, length])'],
  ['SELECT substr((a + ¦b), 1)', 'substr(«x», start[, length])'],
  ['SELECT coalesce(a, b, c, ¦', 'coalesce(x, y, «…»)'],
  ['SELECT "ABS"( ¦', 'abs(«x»)'],
  // The number of arguments decides between an aggregate and a plain function.
  ['SELECT max(¦id) FROM users', 'max(«x»)'],
  ['SELECT max(id, ¦) FROM users', 'max(x, «y», …)'],
  ['SELECT max(¦a, b) FROM users', 'max(«x», y, …)'],
  ['SELECT count(¦)', 'count(*)'],
  ['SELECT count(¦id)', 'count(«x»)'],
  ['SELECT lag(id, ¦) OVER (ORDER BY id)', 'lag(x[, «offset»][, default])'],
  ["SELECT group_concat(name, ¦',' ORDER BY id)", 'group_concat(x[, «separator»])'],
  ["SELECT * FROM json_each(¦'[]')", 'json_each(«json»[, path])'],
  ["SELECT replace(¦'a', 'b', 'c')", 'replace(«text», from, to)'],
  // No call, or not around the cursor.
  ['SELECT ¦substr(a, 1)', undefined],
  ['SELECT substr(a, 1)¦', undefined],
  ['SELECT my_function(¦', undefined],
  ['SELECT a FROM t WHERE a LIKE (¦', undefined],
  ['SELECT a FROM t WHERE a IN (1, ¦', undefined],
  ['SELECT abs((SELECT ¦', undefined],
  ['CREATE TABLE date(¦', undefined],
  ['SELECT like(¦', 'like(«pattern», text[, escape])'],
  ['SELECT 1 -- abs(\n, ¦', undefined],
  // Rows of an INSERT.
  ['INSERT INTO tags VALUES (¦', 'tags(«post_id INT», tag TEXT)'],
  ["INSERT INTO users (name, email) VALUES ('a', 'b'), ('c', ¦", 'users(name TEXT, «email TEXT»)'],
  ['INSERT INTO gen VALUES (¦', 'gen(«a INT»)'],
  ['REPLACE INTO main."order" ("group", "total price") VALUES (1, ¦)', 'order(group TEXT, «total price REAL»)'],
  ['INSERT INTO nothing (x, y) VALUES (¦', 'nothing(«x», y)'],
  ['INSERT INTO tags VALUES (abs(¦', 'abs(«x»)'],
  ['INSERT INTO tags VALUES (1, 2¦, 3)', 'tags(post_id INT, «tag TEXT»)'],
  ['INSERT INTO nothing VALUES (¦', undefined],
  ['INSERT INTO tags (¦', undefined],
  ['INSERT INTO tags VALUES (1, 2) ON CONFLICT (¦', undefined],
  ['INSERT INTO tags SELECT * FROM (VALUES (¦', undefined],
  ['WITH c AS (SELECT 1) INSERT INTO tags VALUES (¦', 'tags(«post_id INT», tag TEXT)'],
  [
    'CREATE TRIGGER r AFTER DELETE ON users BEGIN INSERT INTO users VALUES (1); INSERT INTO tags VALUES (1, ¦); END',
    'tags(post_id INT, «tag TEXT»)',
  ],
];

for (const [marked, expected] of cases) {
  test(`the signature at ${marked} is ${expected}`, () => assert.equal(helpAt(marked), expected));
}

test('every parameter of every function has its place in the label', () => {
  for (const { name, signatures } of builtInFunctions) {
    if (!/^[a-z]/.test(name)) continue;
    const help = signatureHelpAt(`SELECT ${name}(`, `SELECT ${name}(`.length, corpusSchema)!;
    for (const [index, { label, parameters }] of help.signatures.entries()) {
      const texts = parameters.map(({ start, end }) => label.slice(start, end).replace('…', 'more'));
      assert.deepEqual(
        texts,
        signatures[index]!.parameters.map(parameter => parameter.name),
        label,
      );
    }
  }
});

test('a deep nest of parentheses takes a moment only', () => {
  const text = 'SELECT '.padEnd(200_000, 'abs(');
  assert.equal(signatureHelpAt(text, text.length, corpusSchema)?.activeParameter, 0);
});
