import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { schemaChangeOf } from '../../src/sql/shadow/definition.ts';
import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { SqliteConnection } from '../../src/sql/shadow/sqliteConnection.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { checkDocument } from './checkDocument.ts';
import { wasmBinary } from './wasmDatabase.ts';

/**
 * What SQLite says of each statement of a document, in a database in which each change of the schema really is made. It
 * ends at a change that can be prepared and not be made: ALTER TABLE wants the whole schema to be sound, also where it
 * changes nothing, and the shadow does not look there.
 */
function saidOf(database: SqliteConnection, statements: readonly string[]): string[] {
  const said: string[] = [];
  for (const statement of statements) {
    const verdict = database.prepare(statement, false);
    said.push(verdict.kind === 'error' ? verdict.message : '');
    if (verdict.kind !== 'prepared' || !schemaChangeOf(statement)) continue;
    if (database.execute(statement).kind !== 'ok') break;
  }
  return said;
}

/** Holds the shadow's word on each statement against that of such a database. Tells how many there were. */
export async function checkAgainstRun(shadow: ShadowSchema, schema: readonly string[], text: string): Promise<number> {
  const database = await SqliteConnection.open(wasmBinary, systemClock);
  for (const sql of schema) database.execute(sql);
  const statements = splitStatements(text).map(({ start, end }) => text.slice(start, end));
  const expected = saidOf(database, statements);
  const checked = await checkDocument(shadow, text);
  for (const [index, said] of expected.entries()) {
    const found = checked[index]?.report.problems.at(-1)?.message ?? '';
    if (bothAreFaults(found, said) && isCircle(`${found}\n${said}`)) continue;
    assert.equal(found, said, statements.slice(0, index + 1).join('\n'));
  }
  return expected.length;
}

const bothAreFaults = (one: string, other: string): boolean => one !== '' && other !== '';

/** SQLite sees that views go in a circle only when it works out their columns, which it may have done before they did. */
const isCircle = (messages: string): boolean => /circularly defined/.test(messages);
