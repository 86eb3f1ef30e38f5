import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionAfterCharacter } from '../../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../../src/sql/schema/documentSchema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { corpusSchema } from '../../support/completeMarked.ts';

/** The first proposal when the character before the cursor has just been typed. */
function firstAfterTyping(marked: string): string | undefined {
  const offset = marked.indexOf('¦');
  const index = new StatementIndex(marked.replace('¦', ''));
  const schema = new DocumentSchema(index, corpusSchema);
  return completionAfterCharacter(marked.charAt(offset - 1), index, schema, offset)?.proposals[0]?.label;
}

for (const [marked, first] of [
  ['SELECT * FROM ¦', 'users'],
  ['select * from ¦', 'users'],
  ['SELECT * FROM posts JOIN ¦', 'users'],
  ['SELECT * FROM users u JOIN posts p ON ¦', 'p.user_id = u.id'],
  ['SELECT ¦ FROM emp', 'id'],
  ['INSERT INTO ¦', 'users'],
  ['UPDATE ¦', 'users'],
  ['SELECT u.¦ FROM users u', 'id'],
  ['SELECT "¦" FROM users', 'id'],
  ['SELECT "¦ FROM users', 'id'],
  ['SELECT [¦] FROM users', 'id'],
  ['SELECT `¦` FROM users', 'id'],
  ['INSERT INTO tags(¦)', 'post_id, tag'],
  ['SELECT * FROM users JOIN posts USING (¦)', 'id'],
  ['PRAGMA table_info(¦)', 'users'],
  ['SELECT * FROM users  ¦', undefined],
  ['SELECT * FROM users ¦', undefined],
  ['SELECT 1, ¦', undefined],
  ['SELECT * FROM users WHERE ¦', undefined],
  ['SELECT * FROM  ¦', undefined],
  ['SELECT upper(¦) FROM users', undefined],
  ['SELECT * FROM users WHERE id IN (¦)', undefined],
  ['SELECT "name"¦ FROM users', undefined],
  ['SELECT [name]¦ FROM users', undefined],
  ["SELECT 'x from ¦'", undefined],
  ['-- from ¦', undefined],
  ['SELECT 1.¦', undefined],
] as const) {
  test(`a typed character shows proposals where a name follows: ${JSON.stringify(marked)}`, () => {
    assert.equal(firstAfterTyping(marked), first);
  });
}
