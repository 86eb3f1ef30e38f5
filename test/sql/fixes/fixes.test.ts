import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editedText } from '../../../src/sql/text/statementIndex.ts';
import { Diagnosis } from '../../../src/sql/diagnosis/diagnosis.ts';
import { fixesFor } from '../../../src/sql/fixes/fixes.ts';
import { findSyntaxFault, parseStatement } from '../../../src/sql/parser/parser.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { seeded } from '../../fuzz/random.ts';
import { damaged, randomScript } from '../../fuzz/sqlTexts.ts';
import { openShadow } from '../../support/openShadow.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { ddl as corpusDdl } from '../corpus.ts';
import { fixCases, keywordsAsTables, severalFaults } from './fixCases.ts';

const ddl = `${corpusDdl}
CREATE TABLE lines (order_id INT, line INT, price REAL, PRIMARY KEY (order_id, line));
CREATE VIEW all_posts AS SELECT id AS post FROM posts;
CREATE TABLE indexes (id);
CREATE TABLE flags (a BOOLEAN);
CREATE VIEW broken AS SELECT x FROM missing;`;
const statements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));
const schema = Schema.of(ddl);
const shadow = await openShadow(statements);
const oracle = await openSqliteOracle(ddl);

interface FixedText {
  readonly title: string;
  readonly text: string;
  readonly isPreferred: boolean;
}

/** The fixes of all findings of a statement, with `⟦…⟧` as the selection. */
async function fixesIn(marked: string): Promise<FixedText[]> {
  const start = Math.max(0, marked.indexOf('⟦'));
  const end = marked.includes('⟧') ? marked.indexOf('⟧') - 1 : 0;
  const text = marked.replace('⟦', '').replace('⟧', '');
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  const faults = (await diagnosis.faults()) ?? [];
  const fixes = fixesFor({
    text,
    parsed: parseStatement(text),
    schema,
    findings: [...faults, ...diagnosis.lints()],
    selection: { start, end },
  });
  return fixes.map(({ title, edits, isPreferred = false }) => ({ title, text: editedText(text, edits), isPreferred }));
}

for (const [subject, rows] of Object.entries({
  ...fixCases,
  'several faults in one statement': severalFaults,
  'a keyword in the place of a table': keywordsAsTables,
})) {
  test(`fixes of ${subject}`, async () => {
    for (const [statement, ...expected] of rows) {
      const fixes = await fixesIn(statement);
      assert.deepEqual(
        fixes.map(({ title, text, isPreferred }) => [(isPreferred ? '*' : '') + title, text]),
        expected,
        statement,
      );
    }
  });
}

test('SQLite accepts every statement that is fixed', async () => {
  for (const [statement] of Object.values(fixCases).flat()) {
    for (const { title, text } of await fixesIn(statement)) {
      const [first] = splitStatements(text);
      const { kind, message } = oracle.prepare(text.slice(first?.start, first?.end));
      assert.equal(kind, 'statement', `${title}: ${text}: ${message}`);
    }
  }
});

test('fixes of damaged statements do not throw and leave no syntax error', async () => {
  const random = seeded(11);
  let count = 0;
  for (let round = 0; round < 400; round++) {
    const script = damaged(random, damaged(random, randomScript(random)));
    for (const { start, end } of splitStatements(script)) {
      const statement = script.slice(start, end);
      const middle = Math.floor(statement.length / 2);
      for (const { title, text } of await fixesIn(`${statement.slice(0, middle)}⟦⟧${statement.slice(middle)}`)) {
        count++;
        const [first] = splitStatements(text);
        assert.equal(
          findSyntaxFault(text.slice(first?.start, first?.end)),
          undefined,
          `${title}: ${statement} -> ${text}`,
        );
      }
    }
  }
  assert.ok(count > 100, `${count} fixes`);
});
