import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSchema } from '../../src/service/sampleShop.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { codeActions, textAfter } from '../support/codeActions.ts';
import { startLanguageServer } from '../support/languageServer.ts';
import { openSqliteOracle } from '../support/sqliteOracle.ts';

/** Mistakes in the sample project, each reported at `⟦…⟧`, and the statement after the fix that fits. */
const mistakes: Readonly<Record<string, readonly (readonly [marked: string, code: string, fixed?: string])[]>> = {
  'a misspelt table': [
    ['SELECT name FROM ⟦custmers⟧;', 'unknown_table', 'SELECT name FROM customers;'],
    ['SELECT o.id FROM ⟦order⟧ o;', 'syntax_error', 'SELECT o.id FROM orders o;'],
    [
      "UPDATE ⟦product⟧ SET stock = 0 WHERE name = 'x';",
      'unknown_table',
      "UPDATE products SET stock = 0 WHERE name = 'x';",
    ],
  ],
  'a misspelt column': [
    ['SELECT ⟦c.nmae⟧, c.city FROM customers c;', 'unknown_column', 'SELECT c.name, c.city FROM customers c;'],
    [
      'CREATE VIEW names AS SELECT ⟦nmae⟧ FROM customers;',
      'unknown_column',
      'CREATE VIEW names AS SELECT name FROM customers;',
    ],
    ['INSERT INTO categories (⟦nam⟧) VALUES (?);', 'unknown_column', 'INSERT INTO categories (name) VALUES (?);'],
    [
      'SELECT name FROM customers WHERE city = ⟦"Porto"⟧;',
      'unknown_column',
      "SELECT name FROM customers WHERE city = 'Porto';",
    ],
  ],
  'an ambiguous column': [
    [
      'SELECT ⟦id⟧, status FROM orders JOIN customers ON customers.id = customer_id;',
      'ambiguous_column',
      'SELECT orders.id, status FROM orders JOIN customers ON customers.id = customer_id;',
    ],
  ],
  'a comparison with NULL': [
    ['SELECT id FROM orders WHERE sent_at ⟦= NULL⟧;', 'equals_null', 'SELECT id FROM orders WHERE sent_at IS NULL;'],
    [
      'SELECT id FROM orders WHERE sent_at ⟦!= NULL⟧;',
      'equals_null',
      'SELECT id FROM orders WHERE sent_at IS NOT NULL;',
    ],
  ],
  'a missing comma': [
    ['SELECT id ⟦name⟧ FROM customers;', 'missing_comma', 'SELECT id, name FROM customers;'],
    ['SELECT id name ⟦city⟧ FROM customers;', 'syntax_error', 'SELECT id name, city FROM customers;'],
    ['SELECT id, name, ⟦FROM⟧ customers;', 'syntax_error', 'SELECT id, name FROM customers;'],
  ],
  'a missing WHERE': [
    ['⟦DELETE⟧ FROM order_lines;', 'missing_where', 'DELETE FROM order_lines WHERE order_id = ? AND line = ?;'],
    ['⟦UPDATE⟧ customers SET city = ?;', 'missing_where', 'UPDATE customers SET city = ? WHERE id = ?;'],
  ],
  'a wrong function': [
    ['SELECT ⟦lenght⟧(name) FROM customers;', 'unknown_function', 'SELECT length(name) FROM customers;'],
    ['SELECT ⟦round⟧(1, 2, 3);', 'wrong_argument_count'],
  ],
  'a wrong number of values': [
    [
      "INSERT INTO ⟦categories⟧ VALUES ('Toys', NULL);",
      'wrong_value_count',
      "INSERT INTO categories (name, parent_id) VALUES ('Toys', NULL);",
    ],
    ['INSERT INTO ⟦categories⟧ (id, name) VALUES (1);', 'wrong_value_count'],
  ],
  'a misused aggregate': [
    [
      'SELECT status FROM orders WHERE ⟦count⟧(*) > 1 GROUP BY status;',
      'misused_aggregate',
      'SELECT status FROM orders GROUP BY status HAVING count(*) > 1;',
    ],
    ['SELECT status FROM orders ⟦HAVING⟧ id > 1;', 'misused_aggregate', 'SELECT status FROM orders WHERE id > 1;'],
    ['SELECT status FROM orders GROUP BY ⟦count⟧(*);', 'misused_aggregate'],
  ],
  'an unclosed quote or parenthesis': [
    [
      "SELECT id FROM customers WHERE name = ⟦'Ada;⟧\nSELECT 1;",
      'unrecognized_token',
      "SELECT id FROM customers WHERE name = 'Ada';\nSELECT 1;",
    ],
    [
      'SELECT id FROM orders WHERE customer_id IN (SELECT id FROM ⟦customers⟧',
      'incomplete_statement',
      'SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers)',
    ],
    ['SELECT count(* ⟦FROM⟧ orders;', 'syntax_error', 'SELECT count(*) FROM orders;'],
  ],
  'tables that nothing connects': [
    [
      'SELECT customers.name, orders.status FROM customers, ⟦orders⟧;',
      'implicit_cross_join',
      'SELECT customers.name, orders.status FROM customers JOIN orders ON orders.customer_id = customers.id;',
    ],
  ],
};

const oracle = await openSqliteOracle(sampleSchema);

for (const [subject, rows] of Object.entries(mistakes)) {
  test(`${subject} is reported at the right word, with the right fix where there is one`, async context => {
    const server = await startLanguageServer(context, { ddl: sampleSchema });
    for (const [marked, code, fixed] of rows) {
      const text = marked.replaceAll(/[⟦⟧]/g, '');
      const document = await server.open(text);
      const diagnostics = await document.diagnostics();
      const [diagnostic] = diagnostics;
      assert.ok(diagnostic, text);
      const { range } = diagnostic;
      const shown = document.withEdits([{ range, newText: `⟦${document.textOf(range)}⟧` }]);
      assert.deepEqual([shown, diagnostic.code], [marked, code]);
      const offered = await codeActions(document, { range, diagnostics: [diagnostic], only: ['quickfix'] });
      const actions = offered.filter(action => action.diagnostics?.length);
      if (fixed === undefined) {
        assert.deepEqual(actions, [], text);
        continue;
      }
      const [best] = actions;
      assert.ok(best, text);
      assert.equal(textAfter(document, best), fixed);
      assert.deepEqual(best.diagnostics, [diagnostic], text);
      const [first] = splitStatements(fixed);
      assert.equal(oracle.prepare(fixed.slice(first?.start, first?.end)).kind, 'statement', fixed);
    }
  });
}
