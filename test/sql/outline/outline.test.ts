import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineOf, type OutlineItem, matchingSymbols } from '../../../src/sql/outline/outline.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { everyStatement } from '../corpus.ts';

/** `kind name` of an entry and, in brackets, of those below it. */
function sketch({ kind, name, detail, children }: OutlineItem): string {
  const below = children.length > 0 ? ` [${children.map(sketch).join(', ')}]` : '';
  return `${kind} ${name}${detail ? `: ${detail}` : ''}${below}`;
}

const cases: readonly (readonly [statement: string, expected: string])[] = [
  [
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, "full name" VARCHAR(20), x);',
    'table CREATE TABLE customers [column id: INTEGER, column full name: VARCHAR, column x]',
  ],
  ['create temp view main.v as select 1', 'view CREATE VIEW main.v'],
  ['CREATE UNIQUE INDEX i ON t (a)', 'index CREATE INDEX i'],
  ['CREATE TRIGGER r AFTER DELETE ON t BEGIN DELETE FROM u; END', 'trigger CREATE TRIGGER r'],
  ['CREATE VIRTUAL TABLE d USING fts5(a)', 'table CREATE TABLE d'],
  ['ALTER TABLE t ADD COLUMN a', 'table ALTER TABLE t'],
  ['DROP VIEW IF EXISTS v', 'view DROP VIEW v'],
  ['SELECT 1', 'query SELECT …'],
  ['SELECT a, b FROM orders o JOIN customers', 'query SELECT … FROM orders'],
  ['SELECT * FROM ((orders) JOIN t)', 'query SELECT … FROM orders'],
  ['SELECT * FROM (SELECT 1) AS s', 'query SELECT … FROM s'],
  ['SELECT * FROM (SELECT 1)', 'query SELECT … FROM (…)'],
  ['SELECT a FROM t UNION SELECT b FROM u', 'query SELECT … FROM t …'],
  ['VALUES (1), (2)', 'query VALUES …'],
  ['EXPLAIN QUERY PLAN SELECT * FROM t', 'query EXPLAIN SELECT … FROM t'],
  ['INSERT INTO t VALUES (1)', 'change INSERT INTO t'],
  ['UPDATE t SET a = 1', 'change UPDATE t'],
  ['DELETE FROM t', 'change DELETE FROM t'],
  ['PRAGMA  foreign_keys;', 'other PRAGMA foreign_keys'],
  [
    'WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b), c(x) AS (SELECT 2) SELECT * FROM a, c',
    'query SELECT … FROM a [commonTable a [commonTable b], commonTable c]',
  ],
  ['DELETE FROM t WHERE a IN (WITH c AS (SELECT 1) SELECT * FROM c)', 'change DELETE FROM t [commonTable c]'],
  ['SELECT FROM t WHERE', 'query SELECT … FROM t'],
  ['CREATE TABLE', 'other CREATE TABLE'],
  [') ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) )\n)', 'other ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) )'],
];

for (const [statement, expected] of cases) {
  test(`the outline of ${statement}`, () => assert.equal(sketch(outlineOf(statement)), expected));
}

test('an entry goes to the name of its object', () => {
  const statement = 'CREATE TABLE IF NOT EXISTS main.t (id INT)';
  const { selection, children } = outlineOf(statement);
  assert.equal(statement.slice(selection.start, selection.end), 't');
  const { start, end } = children[0]!;
  assert.equal(statement.slice(start, end), 'id INT');
});

test('every entry has a name, and contains its selection and the entries below it', () => {
  const check = ({ name, start, end, selection, children }: OutlineItem, text: string): void => {
    assert.ok(
      name !== '' && start >= 0 && start <= selection.start && selection.end <= end && end <= text.length,
      text,
    );
    for (const child of children) {
      assert.ok(start <= child.start && child.end <= end, text);
      check(child, text);
    }
  };
  for (const statement of everyStatement) {
    for (let length = 1; length <= statement.length; length += 7) {
      const text = statement.slice(0, length);
      check(outlineOf(text), text);
    }
  }
});

const schema = Schema.of(`
  CREATE TABLE order_items (item_id INTEGER, price REAL);
  CREATE TABLE items (id INTEGER, name TEXT);
  CREATE VIEW item_names AS SELECT name FROM items;
`);

const symbolCases: readonly (readonly [query: string, expected: readonly string[]])[] = [
  ['', ['order_items', 'items', 'item_names']],
  ['ITEM', ['items', 'item_names', 'order_items', 'order_items.item_id']],
  ['itn', ['item_names']],
  ['name', ['item_names', 'items.name', 'item_names.name']],
  ['xyz', []],
];

for (const [query, expected] of symbolCases) {
  test(`the symbols for "${query}"`, () => {
    const labels = matchingSymbols(schema, query, 100).map(({ kind, name, table }) =>
      kind === 'column' ? `${table}.${name}` : name,
    );
    assert.deepEqual(labels, expected);
  });
}

test('a list of symbols has an end', () => assert.equal(matchingSymbols(schema, 'i', 2).length, 2));
