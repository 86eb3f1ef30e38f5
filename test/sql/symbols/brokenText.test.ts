import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOf } from '../../../src/sql/symbols/definition.ts';
import { nameAt, sameNames, linkedNames } from '../../../src/sql/symbols/documentNames.ts';
import { hoverText } from '../../../src/sql/symbols/hover.ts';
import { renameEdits } from '../../../src/sql/symbols/rename.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { seeded } from '../../fuzz/random.ts';
import { randomScript } from '../../fuzz/sqlTexts.ts';
import { namedDocument } from '../../support/namedDocument.ts';
import { sqlMutants } from '../../support/sqlMutants.ts';
import { ddl, everyStatement } from '../corpus.ts';

const statements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));

/** Asks everything about the names at each of some offsets. */
function checkNames(text: string, step: number): void {
  const document = namedDocument(text);
  for (let offset = 0; offset <= text.length; offset += step) {
    const name = nameAt(document, offset);
    if (!name) continue;
    const { start, end } = name.occurrence;
    const from = name.statement.start;
    assert.ok(from + start <= offset && offset <= from + end && start < end, `${text} at ${offset}`);
    hoverText(document, name, { statements, rowCount: () => 1 });
    definitionOf(document, name, statements);
    linkedNames(document, name);
    const same = Array.from(sameNames(document, name)).flat();
    if (name.occurrence.symbols.length > 0) {
      const isSame = same.some(
        ({ statement, occurrence }) =>
          statement.number === name.statement.number && occurrence.start === name.occurrence.start,
      );
      assert.ok(isSame, `${text} at ${offset}`);
    }
    renameEdits(document, name, 'brand new');
  }
}

test('names of damaged statements have answers', () => {
  for (const sql of everyStatement) for (const mutant of sqlMutants(sql)) checkNames(mutant, 13);
});

test('names of random scripts have answers', () => {
  const random = seeded(7);
  for (let count = 0; count < 1000; count++) checkNames(randomScript(random), 5);
});
