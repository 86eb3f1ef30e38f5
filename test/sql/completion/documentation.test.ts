import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentationOf } from '../../../src/sql/completion/documentation.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { completeMarked } from '../../support/completeMarked.ts';

const schema = Schema.of(`
  CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE "p""\`\`\`q"(user_id INT REFERENCES users(id), "a\`\`\`b" TEXT, PRIMARY KEY (user_id, "a\`\`\`b"));
  CREATE TABLE wide(${Array.from({ length: 100 }, (_, n) => `c${n}`).join()});
`);

const code = (text: string, fence = '```'): string => `${fence}sql-projects-sqlite\n${text}\n${fence}`;

for (const [marked, label, expected] of [
  ['SELECT ¦ FROM users', 'name', `${code('name TEXT')}\n\nColumn of table \`users\``],
  ['SELECT ¦ FROM users u', 'id', `${code('id INTEGER')}\n\nColumn of table \`users\` · primary key`],
  ['SELECT * FROM ¦', 'users', code('id INTEGER PRIMARY KEY\nname TEXT')],
  [
    'SELECT * FROM ¦',
    'p"```q',
    code('user_id INT REFERENCES users(id)\n"a```b" TEXT\nPRIMARY KEY (user_id, "a```b")', '````'),
  ],
  ['WITH c AS (SELECT id FROM users) SELECT * FROM ¦', 'c', code('id INTEGER')],
  [
    'SELECT ¦ FROM users',
    'abs',
    `${code('abs(x) → number')}\n\nThe distance of a number from zero\\; NULL for NULL and 0\\.0 for text that is not a number\\.`,
  ],
  ['INSERT INTO users ¦', '(id, name) VALUES (?, ?)', code('(id, name) VALUES (?, ?)')],
  ['SELECT * FROM users ¦', 'WHERE', undefined],
] as const) {
  test(`the documentation of ${JSON.stringify(label)} in ${marked}`, () => {
    const proposal = completeMarked(marked, schema).proposals.find(other => other.label === label)!;
    assert.equal(documentationOf(proposal), expected);
  });
}

test('every function has its signatures and sentences, and a wide table is cut', () => {
  const { proposals } = completeMarked('SELECT max¦ FROM users', schema);
  const max = documentationOf(proposals.find(({ label }) => label === 'max')!);
  assert.match(max ?? '', /max\(x, y[^]*max\(x\)/);
  const wide = completeMarked('SELECT * FROM ¦', schema).proposals.find(({ label }) => label === 'wide')!;
  assert.match(documentationOf(wide) ?? '', /c39\n-- 60 more columns/);
});
