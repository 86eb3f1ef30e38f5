import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { type NameInDocument, nameAt, statementNames, textOfName } from '../../../src/sql/symbols/documentNames.ts';
import { renameEdits } from '../../../src/sql/symbols/rename.ts';
import type { ShadowSchema } from '../../../src/sql/shadow/shadowSchema.ts';
import { unquoted } from '../../../src/sql/text/quoting.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { editedText } from '../../../src/sql/text/statementIndex.ts';
import { checkDocument } from '../../support/checkDocument.ts';
import { corpusSchema } from '../../support/completeMarked.ts';
import { namedDocument } from '../../support/namedDocument.ts';
import { openShadow } from '../../support/openShadow.ts';
import { ddl, validStatements } from '../corpus.ts';
import { heldOutValid } from '../heldOutCases.ts';

/* SQLite itself says what statements mean before and after a rename: what they read, write and call, and their columns. */

const ddlStatements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));
const shadow = await openShadow(ddlStatements);
const empty = await openShadow([]);

/** The answer of SQLite to each statement. The old name is written as the new one. */
async function meaningOf(schema: ShadowSchema, text: string, old: string, newName: string): Promise<unknown[]> {
  const current = (name: string | undefined): string | undefined =>
    name?.toLowerCase() === old.toLowerCase() ? newName.toLowerCase() : name?.toLowerCase();
  return (await checkDocument(schema, text, true)).map(({ report }) => ({
    outcome: report.outcome,
    problems: report.problems.length,
    columns: report.columns.map(({ table, column, declaredType }) => [current(table), current(column), declaredType]),
    uses: report.uses
      // SQLite names an automatic index by its table.
      .filter(({ name }) => !name.startsWith('sqlite_autoindex_'))
      .map(({ action, name, column, through }) => [action, current(name), current(column), current(through)].join())
      .toSorted(),
  }));
}

function namesIn(text: string, schema: Schema): NameInDocument[] {
  return Array.from(statementNames(namedDocument(text, schema), () => true)).flatMap(statement =>
    statement.occurrences.filter(({ isImplied }) => !isImplied).map(occurrence => ({ statement, occurrence })),
  );
}

/** How many of the other names of a text each declared name gets. They are the likeliest to be taken. */
const newNamesEach = 8;

interface Counts {
  renamed: number;
  refused: number;
}

async function checkRenames(schema: ShadowSchema, tables: Schema, text: string, counts: Counts): Promise<void> {
  const document = namedDocument(text, tables);
  const names = namesIn(text, tables);
  const texts = [...new Set(names.map(name => textOfName(document, name)))];
  for (const [index, { statement, occurrence }] of names.entries()) {
    const [symbol] = occurrence.symbols;
    const name = nameAt(document, statement.start + occurrence.start);
    if (occurrence.role !== 'declaration' || !symbol || !name) continue;
    const otherNames = texts.map((_text, offset) => texts[(index + offset) % texts.length]!).slice(0, newNamesEach);
    for (const newName of [...otherNames, 'brand_new', 'a "new" name']) {
      const result = renameEdits(document, name, newName);
      if ('refusal' in result) {
        counts.refused++;
        continue;
      }
      counts.renamed++;
      const edited = editedText(text, result.edits);
      const actual: unknown = await meaningOf(schema, edited, symbol.name, unquoted(newName));
      const expected: unknown = await meaningOf(schema, text, symbol.name, unquoted(newName));
      assert.deepEqual(actual, expected, `${text}\n${symbol.kind} ${symbol.name} → ${newName}\n${edited}`);
    }
  }
}

test('a renamed statement means the same to SQLite', async () => {
  const counts = { renamed: 0, refused: 0 };
  for (const text of [...validStatements, ...heldOutValid]) {
    const { outcome } = await shadow.check(text);
    if (outcome === 'prepared') await checkRenames(shadow, corpusSchema, text, counts);
  }
  assert.ok(counts.renamed > 500 && counts.refused > 50, JSON.stringify(counts));
});

const scripts: readonly string[] = [
  `CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, boss REFERENCES people(id), CHECK (length(name) > 1));
  CREATE TABLE tasks(id INTEGER PRIMARY KEY, person REFERENCES people(id), title TEXT, FOREIGN KEY (person) REFERENCES people(id));
  CREATE INDEX by_person ON tasks(person, lower(title)) WHERE title IS NOT NULL;
  CREATE VIEW work AS SELECT p.name, t.title AS task FROM people p JOIN tasks t ON t.person = p.id;
  CREATE VIEW named(who, what) AS SELECT name, task FROM work;
  CREATE TRIGGER log AFTER UPDATE OF title ON tasks WHEN NEW.title <> OLD.title BEGIN
    UPDATE people SET name = NEW.title WHERE id = NEW.person; END;
  INSERT INTO people(id, name) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE people.name;
  SELECT name, task, who FROM work, named WHERE task = what ORDER BY name;
  WITH RECURSIVE chain(id, depth) AS (SELECT id, 0 FROM people UNION ALL
    SELECT p.id, depth + 1 FROM people p JOIN chain c ON p.boss = c.id) SELECT chain.id, max(depth) AS deepest FROM chain;
  SELECT s.name, s.n FROM (SELECT people.*, count(*) AS n FROM people GROUP BY name) s WHERE s.boss IN (SELECT id FROM tasks);
  UPDATE tasks SET (title, person) = (SELECT name, id FROM people WHERE people.id = tasks.person) RETURNING title;
  DELETE FROM tasks AS t WHERE t.person IN (SELECT id FROM people EXCEPT SELECT boss FROM people ORDER BY id);
  ALTER TABLE tasks ADD COLUMN done INT; SELECT done, rowid FROM tasks INDEXED BY by_person WHERE title IS NOT NULL;
  ALTER TABLE tasks RENAME COLUMN done TO finished; SELECT finished FROM tasks;`,
  `CREATE TABLE a(x INT, y INT); CREATE TABLE b(x INT, z INT); CREATE TABLE c AS SELECT a.x, y AS w FROM a;
  SELECT x, y, z FROM a JOIN b USING (x); SELECT w, c.x FROM c; SELECT * FROM a NATURAL JOIN c;
  SELECT x AS y, y AS q FROM a ORDER BY y, q; SELECT (SELECT z FROM b WHERE b.x = a.x AND y) FROM a;
  SELECT y FROM a UNION SELECT z FROM b ORDER BY y; SELECT sum(y) OVER v FROM a WINDOW v AS (PARTITION BY x ORDER BY y);`,
];

for (const [number, script] of scripts.entries()) {
  test(`the renamed script ${number + 1} means the same to SQLite`, async () => {
    const counts = { renamed: 0, refused: 0 };
    await checkRenames(empty, Schema.empty, script, counts);
    assert.ok(counts.renamed > 50 && counts.refused > 10, JSON.stringify(counts));
  });
}
