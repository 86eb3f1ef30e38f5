import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sampleStatements } from '../../../src/host/local/sampleStatements.ts';
import { sampleSchema } from '../../../src/service/sampleShop.ts';
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
