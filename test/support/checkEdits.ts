import assert from 'node:assert/strict';
import { Diagnosis } from '../../src/sql/diagnosis/diagnosis.ts';
import type { Fault } from '../../src/sql/diagnosis/fault.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import type { TextEdit } from '../../src/sql/text/statementIndex.ts';
import type { Random } from '../fuzz/random.ts';
import { randomSchemaDocument } from '../fuzz/schemaTexts.ts';
import { openShadow } from './openShadow.ts';

/** Checks that the faults after each of some edits are those of a new engine. */
export async function checkEdits(ddl: readonly string[], random: Random): Promise<void> {
  const shadow = await openShadow(ddl);
  let text = randomSchemaDocument(random, 20);
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  for (let edits = 0; edits < 8; edits++) {
    await diagnosis.faults();
    const edit = randomEdit(text, random);
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    diagnosis.apply(edit);
    const ranges = rangesOf(await diagnosis.faults());
    assert.deepEqual(ranges, rangesOf(await faultsOfNewEngine(ddl, text)), `${JSON.stringify(text)} after edits`);
  }
  shadow.dispose();
}

/** Messages are not compared. SQLite reports one of several faults at a position, depending on the views that it has parsed. */
const rangesOf = (faults: readonly Fault[] = []): string[] => faults.map(({ start, end }) => `${start} ${end}`);

async function faultsOfNewEngine(ddl: readonly string[], text: string): Promise<Fault[] | undefined> {
  const shadow = await openShadow(ddl);
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  const faults = await diagnosis.faults();
  shadow.dispose();
  return faults;
}

/** Removes a statement, inserts another one, or removes the first letter of one. */
function randomEdit(text: string, random: Random): TextEdit {
  const statements = splitStatements(text);
  const { start, end } = statements[Math.floor(random() * statements.length)] ?? { start: 0, end: 0 };
  const kind = random();
  if (kind < 0.4) return { start, end, text: '' };
  return kind < 0.8
    ? { start, end: start, text: randomSchemaDocument(random, 1) }
    : { start, end: Math.min(end, start + 1), text: '' };
}
