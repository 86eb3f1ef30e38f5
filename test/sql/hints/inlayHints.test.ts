import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InlayHintOptions, inlayHintsOf } from '../../../src/sql/hints/inlayHints.ts';
import { corpusSchema } from '../../support/completeMarked.ts';
import { everyStatement } from '../corpus.ts';

/** The statement with its hints as `«column type»`. */
function withHints(statement: string, options: Partial<InlayHintOptions> = {}): string {
  const hints = inlayHintsOf(statement, corpusSchema, { insertColumns: true, parameters: true, ...options });
  return hints.reduceRight((text, { offset, column, type }) => {
    const label = type === '' ? column : `${column} ${type}`;
    return `${text.slice(0, offset)}«${label}»${text.slice(offset)}`;
  }, statement);
}

const cases: readonly (readonly [expected: string, options?: Partial<InlayHintOptions>])[] = [
  ["INSERT INTO tags VALUES («post_id INT»1, «tag TEXT»'a'), («post_id INT»2, «tag TEXT»upper('b'))"],
  ['INSERT INTO users (name, email) VALUES («name TEXT»?, «email TEXT»1 + 2) RETURNING id'],
  ['INSERT INTO "order" ("group", "total price") VALUES («group TEXT»1, «total price REAL»-2)'],
  ['INSERT INTO nothing (x, y) VALUES («x»1, «y»2, 3)'],
  ['INSERT INTO nothing VALUES (1, 2)'],
  // A single column is plain to see, and so is a value with its name.
  ['INSERT INTO users (name) VALUES (1)'],
  ['INSERT INTO tags VALUES (:post_id, @tag)'],
  ['INSERT INTO tags SELECT 1, 2'],
  ['SELECT * FROM users WHERE id IN («id INTEGER»?, «id INTEGER»?)'],
  ['SELECT * FROM users WHERE id BETWEEN «id INTEGER»? AND «id INTEGER»?'],
  ['SELECT * FROM users u WHERE u.id = ? AND name NOT LIKE ? AND "email" IS NOT ?'],
  ['SELECT ?, abs(?) LIMIT ? OFFSET ?'],
  ['UPDATE users SET name = ?, email = upper(«email TEXT»?)'],
  ['EXPLAIN INSERT INTO tags VALUES («post_id INT»1, «tag TEXT»2)'],
  ['INSERT INTO tags VALUES (1, ?)', { insertColumns: false, parameters: false }],
  ['INSERT INTO tags VALUES (1, «tag TEXT»?)', { insertColumns: false }],
  ['INSERT INTO tags VALUES («post_id INT»1, «tag TEXT»?)', { parameters: false }],
];

for (const [expected, options] of cases) {
  test(`the hints of ${expected}${options ? ` with ${JSON.stringify(options)}` : ''}`, () =>
    assert.equal(withHints(expected.replaceAll(/«.*?»/g, ''), options), expected));
}

test('the hints of any half-typed statement are in order', () => {
  for (const statement of everyStatement) {
    for (let length = 1; length <= statement.length; length += 5) {
      const text = statement.slice(0, length);
      const offsets = inlayHintsOf(text, corpusSchema, { insertColumns: true, parameters: true }).map(
        ({ offset }) => offset,
      );
      assert.deepEqual(
        offsets,
        offsets.toSorted((a, b) => a - b),
      );
    }
  }
});
