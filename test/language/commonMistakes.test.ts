import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSchema } from '../../src/service/sampleShop.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { codeActions, textAfter } from '../support/codeActions.ts';
import { startLanguageServer } from '../support/languageServer.ts';
import { openSqliteOracle } from '../support/sqliteOracle.ts';

/** A mistake in the sample project: the word that is reported, and the statement after the fix that fits. */
interface Mistake {
  readonly text: string;
  readonly word: string;
  readonly code: string;
  readonly fixed?: string;
}

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  'a misspelt table': [
    {
      text: 'SELECT name FROM custmers;',
      word: 'custmers',
      code: 'unknown_table',
      fixed: 'SELECT name FROM customers;',
    },
    {
      text: 'SELECT o.id FROM order o;',
      word: 'order',
      code: 'syntax_error',
      fixed: 'SELECT o.id FROM orders o;',
    },
    {
      text: "UPDATE product SET stock = 0 WHERE name = 'x';",
      word: 'product',
      code: 'unknown_table',
      fixed: "UPDATE products SET stock = 0 WHERE name = 'x';",
    },
  ],
  'a misspelt column': [
    {
      text: 'SELECT c.nmae, c.city FROM customers c;',
      word: 'c.nmae',
      code: 'unknown_column',
      fixed: 'SELECT c.name, c.city FROM customers c;',
    },
    {
      text: 'CREATE VIEW names AS SELECT nmae FROM customers;',
      word: 'nmae',
      code: 'unknown_column',
      fixed: 'CREATE VIEW names AS SELECT name FROM customers;',
    },
    {
      text: 'INSERT INTO categories (nam) VALUES (?);',
      word: 'nam',
      code: 'unknown_column',
      fixed: 'INSERT INTO categories (name) VALUES (?);',
    },
    {
      text: 'SELECT name FROM customers WHERE city = "Porto";',
      word: '"Porto"',
      code: 'unknown_column',
      fixed: "SELECT name FROM customers WHERE city = 'Porto';",
    },
  ],
  'an ambiguous column': [
    {
      text: 'SELECT id, status FROM orders JOIN customers ON customers.id = customer_id;',
      word: 'id',
      code: 'ambiguous_column',
      fixed: 'SELECT orders.id, status FROM orders JOIN customers ON customers.id = customer_id;',
    },
  ],
  'a comparison with NULL': [
    {
      text: 'SELECT id FROM orders WHERE sent_at = NULL;',
      word: '= NULL',
      code: 'equals_null',
      fixed: 'SELECT id FROM orders WHERE sent_at IS NULL;',
    },
    {
      text: 'SELECT id FROM orders WHERE sent_at != NULL;',
      word: '!= NULL',
      code: 'equals_null',
      fixed: 'SELECT id FROM orders WHERE sent_at IS NOT NULL;',
    },
  ],
  'a missing comma': [
    {
      text: 'SELECT id name FROM customers;',
      word: 'name',
      code: 'missing_comma',
      fixed: 'SELECT id, name FROM customers;',
    },
    {
      text: 'SELECT id name city FROM customers;',
      word: 'city',
      code: 'syntax_error',
      fixed: 'SELECT id name, city FROM customers;',
    },
    {
      text: 'SELECT id, name, FROM customers;',
      word: 'FROM',
      code: 'syntax_error',
      fixed: 'SELECT id, name FROM customers;',
    },
  ],
  'a missing WHERE': [
    {
      text: 'DELETE FROM order_lines;',
      word: 'DELETE',
      code: 'missing_where',
      fixed: 'DELETE FROM order_lines WHERE order_id = ? AND line = ?;',
    },
    {
      text: 'UPDATE customers SET city = ?;',
      word: 'UPDATE',
      code: 'missing_where',
      fixed: 'UPDATE customers SET city = ? WHERE id = ?;',
    },
  ],
  'a wrong function': [
    {
      text: 'SELECT lenght(name) FROM customers;',
      word: 'lenght',
      code: 'unknown_function',
      fixed: 'SELECT length(name) FROM customers;',
    },
    { text: 'SELECT round(1, 2, 3);', word: 'round', code: 'wrong_argument_count' },
  ],
  'a wrong number of values': [
    {
      text: "INSERT INTO categories VALUES ('Toys', NULL);",
      word: 'categories',
      code: 'wrong_value_count',
      fixed: "INSERT INTO categories (name, parent_id) VALUES ('Toys', NULL);",
    },
    { text: 'INSERT INTO categories (id, name) VALUES (1);', word: 'categories', code: 'wrong_value_count' },
  ],
  'a misused aggregate': [
    {
      text: 'SELECT status FROM orders WHERE count(*) > 1 GROUP BY status;',
      word: 'count',
      code: 'misused_aggregate',
      fixed: 'SELECT status FROM orders GROUP BY status HAVING count(*) > 1;',
    },
    {
      text: 'SELECT status FROM orders HAVING id > 1;',
      word: 'HAVING',
      code: 'misused_aggregate',
      fixed: 'SELECT status FROM orders WHERE id > 1;',
    },
    { text: 'SELECT status FROM orders GROUP BY count(*);', word: 'count', code: 'misused_aggregate' },
  ],
  'an unclosed quote or parenthesis': [
    {
      text: "SELECT id FROM customers WHERE name = 'Ada;\nSELECT 1;",
      word: "'Ada;",
      code: 'unrecognized_token',
      fixed: "SELECT id FROM customers WHERE name = 'Ada';\nSELECT 1;",
    },
    {
      text: 'SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers',
      word: 'customers',
      code: 'incomplete_statement',
      fixed: 'SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers)',
    },
    {
      text: 'SELECT count(* FROM orders;',
      word: 'FROM',
      code: 'syntax_error',
      fixed: 'SELECT count(*) FROM orders;',
    },
  ],
  'tables that nothing connects': [
    {
      text: 'SELECT customers.name, orders.status FROM customers, orders;',
      word: 'orders',
      code: 'implicit_cross_join',
      fixed: 'SELECT customers.name, orders.status FROM customers JOIN orders ON orders.customer_id = customers.id;',
    },
  ],
};

const oracle = await openSqliteOracle(sampleSchema);

for (const [subject, rows] of Object.entries(mistakes)) {
  test(`${subject} is reported at the right word, with the right fix where there is one`, async context => {
    const server = await startLanguageServer(context, { ddl: sampleSchema });
    for (const { text, word, code, fixed } of rows) {
      const document = await server.open(text);
      const diagnostics = await document.diagnostics();
      const [diagnostic] = diagnostics;
      assert.ok(diagnostic, text);
      assert.deepEqual([document.textOf(diagnostic.range), diagnostic.code], [word, code], text);
      const { range } = diagnostic;
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
