import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { quoteIdentifier } from '../../src/sql/quoting.ts';

for (const name of ['plain', 'two words', 'quo"te', "it's", 'select', '名前', '; DROP TABLE x; --', '']) {
  test(`SQLite reads ${JSON.stringify(name)} back as it was quoted`, () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE ${quoteIdentifier(name)} (a)`);
    assert.equal(database.prepare('SELECT name FROM sqlite_schema').get()?.['name'], name);
    database.close();
  });
}
