import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { distinctNames } from '../../../src/base/distinctNames.ts';
import { isAlwaysTrue } from '../../../src/sql/effect/alwaysTrue.ts';
import { touchedTables } from '../../../src/sql/effect/touchedTables.ts';
import { builtInFunction } from '../../../src/sql/functions/builtInFunctions.ts';
import { affinityOf } from '../../../src/sql/lints/affinity.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { columnDefinitions } from '../../../src/sql/shadow/shadowSchema.ts';
import { freeName } from '../../../src/sql/text/freeNames.ts';
import { isSameName, keyOf } from '../../../src/sql/text/names.ts';

/** Letters that JavaScript makes an ASCII letter of, in lower or in upper case. */
const letters = [
  ['k', '\u212A'],
  ['i', '\u0131'],
  ['s', '\u017F'],
] as const;

test('names are the same where they are to SQLite', () => {
  using database = new DatabaseSync(':memory:');
  const pairs = [...letters, ['k', 'K'], ['\u00C4', '\u00E4'], ['a\u00E4', 'A\u00E4'], ['\u0130', 'i\u0307']] as const;
  for (const [one, other] of pairs) {
    database.exec(`CREATE TABLE "${one}" (a)`);
    const { count } = database.prepare('SELECT count(*) AS count FROM pragma_table_info(?)').get(other)!;
    assert.equal(isSameName(one, other), count === 1, `${one} and ${other}`);
    database.exec(`DROP TABLE "${one}"`);
  }
});

test('a letter that only JavaScript folds makes another table, column, function and type', () => {
  for (const [ascii, letter] of letters) {
    const { ast } = parseStatement(`SELECT * FROM ${ascii}, ${letter} WHERE ${ascii} = ${letter}`);
    assert.deepEqual(
      touchedTables(ast!).map(({ name }) => name),
      [ascii, letter],
    );
    assert.ok(ast?.type === 'SelectStmt' && ast.body.select.type === 'SelectFrom');
    assert.equal(isAlwaysTrue(ast.body.select.whereClause!), false);
    const columns = [ascii, letter].map(name => ({
      name,
      table: undefined,
      column: undefined,
      declaredType: undefined,
    }));
    assert.equal(columnDefinitions(columns), `("${ascii}", "${letter}")`);
  }
  assert.equal(builtInFunction('li\u212Aely'), undefined);
  assert.equal(affinityOf('\u0131NT'), 'numeric');
});

test('a free name is not taken in any case of its letters', () => {
  assert.equal(freeName('copy', []), 'copy');
  assert.equal(freeName('copy', ['COPY', 'copy_3']), 'copy_2');
  assert.equal(freeName('copy', ['copy', 'Copy_2']), 'copy_3');
  // SQLite ignores the case of ASCII letters only.
  assert.equal(freeName('ä', ['Ä']), 'ä');
});

test('columns of the same name get numbers as in SQLite', () => {
  const names = ['a', 'A', 'a:1', 'b', 'a'];
  assert.deepEqual(distinctNames(names), ['a', 'A', 'a:1', 'b', 'a:2']);
  assert.deepEqual(distinctNames(names, keyOf), ['a', 'A:1', 'a:1:1', 'b', 'a:2']);
});
