import assert from 'node:assert/strict';
import { Diagnosis } from '../../src/sql/diagnosis/diagnosis.ts';
import type { Fault } from '../../src/sql/diagnosis/fault.ts';
import { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import type { TextEdit } from '../../src/sql/text/statementIndex.ts';
import type { Random } from '../fuzz/documents.ts';
import { randomSchemaDocument } from '../fuzz/schemaTexts.ts';
import { wasmBinary } from './wasmDatabase.ts';

/** What is said of a document after each of some edits is what an engine says that knows nothing of the ones before. */
export async function checkEdits(ddl: readonly string[], random: Random): Promise<void> {
  const shadow = await ShadowSchema.open({ wasmBinary, ddl });
  let text = randomSchemaDocument(random, 20);
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  for (let edits = 0; edits < 8; edits++) {
    await diagnosis.faults();
    const edit = randomEdit(text, random);
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    diagnosis.apply(edit);
    const found = placesOf(await diagnosis.faults());
    assert.deepEqual(found, placesOf(await freshFaults(ddl, text)), `${JSON.stringify(text)} after edits`);
  }
  shadow.dispose();
}

/** Of two things that are wrong at one place, SQLite may tell one or the other: it knows views that it has looked at. */
const placesOf = (faults: readonly Fault[] = []): string[] => faults.map(({ start, end }) => `${start} ${end}`);

async function freshFaults(ddl: readonly string[], text: string): Promise<Fault[] | undefined> {
  const shadow = await ShadowSchema.open({ wasmBinary, ddl });
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  const faults = await diagnosis.faults();
  shadow.dispose();
  return faults;
}

/** A statement goes, another one comes, or one loses its first letter. */
function randomEdit(text: string, random: Random): TextEdit {
  const statements = splitStatements(text);
  const { start, end } = statements[Math.floor(random() * statements.length)] ?? { start: 0, end: 0 };
  const kind = random();
  if (kind < 0.4) return { start, end, text: '' };
  return kind < 0.8
    ? { start, end: start, text: randomSchemaDocument(random, 1) }
    : { start, end: Math.min(end, start + 1), text: '' };
}
