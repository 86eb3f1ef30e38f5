import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sampleStatements } from '../../../src/host/local/sampleStatements.ts';
import { fillSampleShop, sampleSchema } from '../../../src/service/sampleShop.ts';
import { lintStatement } from '../../../src/sql/lints/lintStatement.ts';
import { placeholders } from '../../../src/sql/parameters/placeholders.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';

test('the sample has five statements, and each runs on the sample project', () => {
  using database = new DatabaseSync(':memory:');
  database.exec(sampleSchema);
  const statements = splitStatements(sampleStatements);
  assert.equal(statements.length, 5);
  for (const { start, end } of statements) {
    const sql = sampleStatements.slice(start, end);
    assert.doesNotThrow(() => database.prepare(sql), sql);
    // The service takes no named parameters.
    assert.ok(
      placeholders(sql).every(({ positional }) => positional),
      sql,
    );
  }
});

test('no lint underlines a statement of the sample', () => {
  const schema = Schema.of(sampleSchema);
  for (const { start, end } of splitStatements(sampleStatements)) {
    const text = sampleStatements.slice(start, end);
    assert.deepEqual(lintStatement({ text, parsed: parseStatement(text), schema }), [], text);
  }
});

test('the best customers of the sample are customers, not names', () => {
  using database = new DatabaseSync(':memory:');
  fillSampleShop(database);
  const [first = { start: 0, end: 0 }] = splitStatements(sampleStatements);
  const ofStatement = database.prepare(sampleStatements.slice(first.start, first.end)).all();
  const ofTables = database.prepare(`
    WITH totals AS (
      SELECT order_id, round(sum(quantity * unit_price * (1 - ifnull(discount, 0))), 2) AS total
      FROM order_lines GROUP BY order_id
    )
    SELECT c.id AS customer_id, c.name AS customer, count(*) AS orders, round(sum(total), 2) AS spent
    FROM customers AS c, orders AS o, totals
    WHERE o.customer_id = c.id AND totals.order_id = o.id
    GROUP BY c.id ORDER BY spent DESC LIMIT 20`);
  assert.deepEqual(ofStatement, ofTables.all());
});
