import assert from 'node:assert/strict';
import { FoldingScan, limitedRanges } from '../../src/sql/folding/foldingRanges.ts';
import { highlightsOf } from '../../src/sql/highlighting/highlights.ts';
import { inlayHintsOf } from '../../src/sql/hints/inlayHints.ts';
import { type OutlineItem, outlineOf } from '../../src/sql/outline/outline.ts';
import { parseStatement } from '../../src/sql/parser/parser.ts';
import { selectionRangesAt } from '../../src/sql/selection/selectionRanges.ts';
import { signatureHelpAt } from '../../src/sql/signatures/signatureHelp.ts';
import { CoarseScanner } from '../../src/sql/text/tokens.ts';
import { corpusSchema } from './completeMarked.ts';

/** Asserts that colors, outline, selection and hints lie within the statement and in order, whatever its text is. */
export function checkFeatures(statement: string, offset: number): void {
  checkHighlights(statement);
  checkOutline(outlineOf(statement), statement);
  checkSelection(statement, offset);
  let previous = -1;
  for (const hint of inlayHintsOf(statement, corpusSchema, { insertColumns: true, parameters: true })) {
    assert.ok(hint.offset > previous && hint.offset < statement.length, 'hints are in order');
    previous = hint.offset;
  }
  const help = signatureHelpAt(statement, offset, corpusSchema);
  if (help) assert.ok(help.signatures[help.activeSignature], 'one of the signatures is active');
  const scan = new FoldingScan(statement);
  while (scan.read(1000));
  const lines = statement.split('\n').length;
  for (const { startLine, endLine } of limitedRanges(scan.ranges, 100)) {
    assert.ok(startLine >= 0 && startLine < endLine && endLine < lines, 'folds are within the text');
  }
}

/** Every word, string, number, parameter and comment has a kind, as far as the parser reads. */
function checkHighlights(statement: string): void {
  const ends = new Map<number, number>();
  let previousEnd = 0;
  for (const { start, end } of highlightsOf(statement)) {
    assert.ok(start >= previousEnd && start < end && end <= statement.length, 'highlights are in order');
    previousEnd = end;
    ends.set(start, end);
  }
  // At a NUL character and a byte order mark the tokens of the parser differ.
  if (/[\0\ufeff]/.test(statement)) return;
  const scanner = new CoarseScanner(statement);
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    const hasKind = kind !== 'space' && kind !== 'semicolon' && kind !== 'other';
    if (hasKind) assert.ok(ends.has(start), `no kind for ${statement.slice(start, end)}`);
  }
}

function checkOutline({ name, start, end, selection, children }: OutlineItem, statement: string): void {
  assert.notEqual(name, '');
  assert.ok(
    start <= selection.start && selection.start <= selection.end && selection.end <= end,
    'a selection is within',
  );
  assert.ok(start >= 0 && end <= statement.length, 'an entry is within the statement');
  for (const child of children) {
    assert.ok(start <= child.start && child.end <= end, 'an entry contains those below it');
    checkOutline(child, statement);
  }
}

function checkSelection(statement: string, offset: number): void {
  const ranges = selectionRangesAt(statement, parseStatement(statement).ast, offset);
  for (const [index, { start, end }] of ranges.entries()) {
    assert.ok(start <= offset && offset <= end, 'a selection contains its cursor');
    const inner = ranges[index - 1];
    if (inner) assert.ok(start <= inner.start && inner.end <= end && end - start > inner.end - inner.start, 'it grows');
  }
  assert.deepEqual(ranges.at(-1), { start: 0, end: statement.length });
}
