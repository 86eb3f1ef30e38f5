import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  primaryStatement,
  type SelectedStatement,
  selectedStatements,
} from '../../../src/host/documents/selectedStatements.ts';
import type { SqlEditor } from '../../../src/host/documents/sqlEditor.ts';
import { embeddedStatements } from '../../../src/sql/embedded/embeddedStatements.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';

/** Positions count as offsets: every document of these tests is one long line. */
function editorWith(text: string, ...selections: readonly (readonly [start: number, end: number])[]): SqlEditor {
  const document = {
    getText: ({ start, end }: { start: number; end: number }) => text.slice(start, end),
    offsetAt: (position: number) => position,
  };
  const withIsEmpty = selections.map(([start, end]) => ({ start, end, active: end, isEmpty: start === end }));
  return { document, selections: withIsEmpty } as unknown as SqlEditor;
}

function select(text: string, ...selections: readonly (readonly [start: number, end: number])[]): SelectedStatement[] {
  return selectedStatements(editorWith(text, ...selections), new StatementIndex(text));
}

const sqlOf = (selected: readonly SelectedStatement[]): string[] => selected.map(({ sql }) => sql);

const text = 'SELECT 1; SELECT 2; SELECT 3;';
const first = [0, 9] as const;
const second = [10, 19] as const;
const third = [20, 29] as const;
const cursorAt = (offset: number) => [offset, offset] as const;

const primary = (...selections: readonly (readonly [start: number, end: number])[]): string | undefined =>
  primaryStatement(editorWith(text, ...selections), new StatementIndex(text))?.sql;

for (const [claim, selections, expected] of [
  ['a cursor without a selection selects its statement', [cursorAt(12)], ['SELECT 2;']],
  ['all selections run, in document order', [third, first], ['SELECT 1;', 'SELECT 3;']],
  ['each of several cursors selects its statement', [cursorAt(25), cursorAt(3)], ['SELECT 1;', 'SELECT 3;']],
  ['several cursors in one statement select it once', [cursorAt(11), cursorAt(15)], ['SELECT 2;']],
  ['cursors without a selection are ignored beside selected text', [cursorAt(3), second], ['SELECT 2;']],
  ['a selection across statements selects each', [[0, 19], third], ['SELECT 1;', 'SELECT 2;', 'SELECT 3;']],
] as const) {
  test(claim, () => assert.deepEqual(sqlOf(select(text, ...selections)), expected));
}

test('a selected part of a statement runs as that part', () => {
  const [selected] = select('SELECT 1 WHERE 0;', [0, 8]);
  assert.equal(selected?.sql, 'SELECT 1');
  assert.equal(selected.end, 8);
});

test('a command for one statement takes that of the primary cursor or selection, which VS Code lists first', () => {
  assert.equal(primary(cursorAt(25), cursorAt(3)), 'SELECT 3;');
  assert.equal(primary(cursorAt(12), first), 'SELECT 2;');
  assert.equal(primary([10, 29], first), 'SELECT 2;');
  assert.equal(primary(), undefined);
});

test('selected blanks and comments select no statement', () => {
  assert.deepEqual(select('SELECT 1; -- about', [9, 18]), []);
});

test('a statement has the parameters of the line above it', () => {
  const withParams = 'SELECT ?;\n-- @params [7]\nSELECT ?;';
  const selected = select(withParams, [0, withParams.length]);
  assert.deepEqual(
    selected.map(({ paramsJson }) => paramsJson),
    [undefined, '[7]'],
  );
});

test('the comment directly above a statement names it', () => {
  for (const [above, heading] of [
    ['-- Best customers\nSELECT 1', 'Best customers'],
    ['SELECT 0;\n\n-- 2. Best customers. They come back.\n-- In 2026\nSELECT 1', 'Best customers'],
    ['/*\n * Best customers\n * in 2026\n */\nSELECT 1', 'Best customers'],
    ['-- Best customers\n-- @params [7]\nSELECT ?', 'Best customers'],
    ['-- @project Shop\n-- Version 1.5\nSELECT 1', 'Version 1.5'],
    ['SELECT 0; -- zero\nSELECT 1', undefined],
    ['-- License\n\nSELECT 1', undefined],
    ['-- SELECT * FROM old;\nSELECT 1', undefined],
    ['-- ----\nSELECT 1', undefined],
  ] as const) {
    const [last] = select(above, [above.lastIndexOf('SELECT'), above.length]);
    assert.equal(last?.heading, heading, above);
  }
});

const program = 'a = sql`SELECT 1`; b = sql`SELECT ${x}; SELECT 3`; c = 4;';

/** Selections in a program, and the statements that they select. */
function inProgram(...selections: readonly (readonly [start: number, end: number])[]): string[] {
  const editor = editorWith(program, ...selections);
  Object.assign(editor.document, { languageId: 'typescript' });
  return sqlOf(selectedStatements(editor, embeddedStatements(program, 'script')));
}

test('in a program a cursor selects only the statement that it is in', () => {
  assert.deepEqual(inProgram(cursorAt(program.indexOf('ECT 1'))), ['SELECT 1']);
  assert.deepEqual(inProgram(cursorAt(program.indexOf('${x}'))), ['SELECT ?   ;']);
  assert.deepEqual(inProgram(cursorAt(0)), []);
  assert.deepEqual(inProgram(cursorAt(program.indexOf('b ='))), []);
  assert.deepEqual(inProgram(cursorAt(program.length)), []);
});

test('in a program selected text selects the statement at its cursor, as it may have code of the program', () => {
  const start = program.indexOf('SELECT $');
  assert.deepEqual(inProgram([start, program.indexOf('}') + 1]), ['SELECT ?   ;']);
});
