import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportEnd } from '../../../src/model/importing/importEnd.ts';
import type { ImportMode } from '../../../src/model/importing/importOptions.ts';
import { firstProgress, type ImportPlan, type ImportProgress } from '../../../src/model/importing/journal.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { endText, unfinishedText, unknownRowsText } = await import('../../../src/host/importing/workTexts.ts');

const project = { profileId: 'p', name: 'Shop', baseUrl: 'http://127.0.0.1', projectId: 'shop' };
const planOf = (mode: ImportMode = 'insert', work: ImportPlan['work'] = 'import'): ImportPlan => ({
  id: 'i',
  work,
  project,
  source: { name: 'old pets', project, table: 'old pets', columns: ['a'], key: [], rowCount: 9 },
  target: { table: 'pets', mode, columns: [], key: [], hasJsonb: false },
  stopsAtRejection: false,
  finish: [],
});

const copy = planOf('insert', 'copy');

const progressOf = (sentRows: number, changedRows = sentRows, rejectedRows = 0): ImportProgress => ({
  ...firstProgress,
  counts: { sentRows, changedRows, rejectedRows },
});

const textOf = (progress: ImportProgress, end: Partial<ImportEnd> = {}, plan = planOf()): string =>
  endText(plan, {
    state: 'done',
    progress,
    isLastCallUnknown: false,
    lastRejection: undefined,
    hasOrphans: false,
    isSourceChanged: false,
    refusedStatements: [],
    ...end,
  });

/** Two of five rows have changed nothing. */
const textIn = (mode: ImportMode): string => textOf(progressOf(5, 3), {}, planOf(mode));

/** A call with rows 1001 to 1500 of the file, 3 of which cannot be read. */
const open: ImportProgress = {
  ...progressOf(1000),
  place: { rows: 1000, line: 1001, bytes: 5000 },
  pending: { rows: 503, pieces: [{ first: 0, count: 500 }], attempt: 0, since: 0, batch: undefined },
};

test('an import that is done says how many rows it has written and rejected', () => {
  assert.equal(textOf(progressOf(1)), "Imported 1 row into 'pets'.");
  assert.equal(textOf(progressOf(1234)), "Imported 1,234 rows into 'pets'.");
  assert.equal(textOf(progressOf(0, 0, 1)), "Imported 0 rows into 'pets'. 1 row was rejected.");
  assert.equal(textOf(progressOf(7, 7, 2000)), "Imported 7 rows into 'pets'. 2,000 rows were rejected.");
});

test('rows that change nothing are explained by the mode of the import', () => {
  assert.equal(textIn('ignore'), "Imported 3 rows into 'pets'. 2 rows already existed.");
  assert.equal(textIn('update'), "Imported 3 rows into 'pets'. 2 rows matched no row, or had the key of a later one.");
  assert.equal(textIn('upsert'), "Imported 3 rows into 'pets'.");
});

test('an import that is cancelled, or that fails, says so before its figures', () => {
  assert.equal(textOf(progressOf(5), { state: 'cancelled' }), "The import was cancelled. Imported 5 rows into 'pets'.");
  assert.equal(
    textOf(progressOf(5, 5, 1), { state: 'failed' }),
    "The import has stopped. Imported 5 rows into 'pets'. 1 row was rejected.",
  );
});

test('an import that stops at a bad row says which and why', () => {
  const reason = { kind: 'refused', message: 'UNIQUE constraint failed: pets.id' } as const;
  const lastRejection = { line: 1200, column: 'id', reason, text: '1' };
  assert.equal(
    textOf(progressOf(5, 5, 1), { state: 'stopped', lastRejection }, { ...planOf(), stopsAtRejection: true }),
    "The import stopped at line 1,200: UNIQUE constraint failed: pets.id Imported 5 rows into 'pets'. 1 row was rejected.",
  );
  assert.match(
    textOf(progressOf(5, 5, 100), { state: 'stopped', lastRejection }),
    /Imported 5 rows into 'pets'\. 100 rows in a row were rejected\. Resume continues, however many follow\./,
  );
});

test('rows of a call without an answer are not counted, and named', () => {
  const text = "Imported 1,000 rows into 'pets'.";
  const unknown = 'It is not known yet whether rows 1,001 to 1,503 are, too. Resume to find out.';
  assert.equal(
    textOf(open, { state: 'failed', isLastCallUnknown: true }),
    `The import has stopped. ${text} ${unknown}`,
  );
  assert.equal(textOf(open, { state: 'failed' }), `The import has stopped. ${text}`);
  const batch = { json: ['[1]', '[2]'], lines: [4, 9], blobs: [], end: open.place };
  const waiting: ImportProgress = {
    ...open,
    pending: { ...open.pending!, rows: 2, pieces: [{ first: 0, count: 2 }], batch, round: 1 },
  };
  assert.equal(
    textOf(waiting, { state: 'failed', isLastCallUnknown: true }),
    `The import has stopped. ${text} It is not known yet whether the rows of lines 4, 9 are, too. Resume to find out.`,
  );
});

test('rows without their parents, a source that changed and triggers that are missing are reported', () => {
  const orphans = textOf(progressOf(5, 5, 2), { hasOrphans: true });
  assert.match(
    orphans,
    /^Imported 5 rows.*2 rows were rejected\. Some refer to rows that are not there: .*'Update Only'\.$/,
  );
  assert.equal(
    textOf(progressOf(5), { isSourceChanged: true }, copy),
    "Copied 5 rows into 'pets'. Rows of old pets were added or deleted during the copy: compare both tables.",
  );
  assert.equal(
    textOf(progressOf(5), { refusedStatements: ['no such function: f'] }, copy),
    "Copied 5 rows into 'pets'. A trigger was not created: no such function: f",
  );
});

test('copies and generated rows have their own sentences', () => {
  const cancelled = { state: 'cancelled' } as const;
  const generated = planOf('insert', 'generate');
  assert.equal(textOf(progressOf(5), cancelled, copy), "The copy was cancelled. Copied 5 rows into 'pets'.");
  assert.equal(
    textOf(progressOf(5), cancelled, generated),
    "The generated rows were cancelled. Added 5 generated rows to 'pets'.",
  );
});

test('an import that an earlier window has left says what is written and what may be', () => {
  assert.equal(
    unfinishedText(planOf('ignore'), progressOf(9, 5)),
    "The import of old pets into 'pets' has not ended. 5 rows are imported.",
  );
  assert.equal(
    unfinishedText(planOf(), open),
    "The import of old pets into 'pets' has not ended. 1,000 rows are imported. It is not known yet whether rows 1,001 to 1,503 are, too. Resume to find out.",
  );
});

test('the question about rows that the service has forgotten names them', () => {
  assert.match(
    unknownRowsText({ from: 1001, to: 1500 }, 'pets'),
    /^The answer to rows 1,001 to 1,500 was lost.*'pets'/,
  );
  const lines = Array.from({ length: 21 }, (_, line) => line);
  assert.match(unknownRowsText({ lines }, 'pets'), /rows of lines 0, 1, .*, 19, … was lost.*'pets'/);
});
