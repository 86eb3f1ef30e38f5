import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NestingScanner } from '../../src/base/jsonBytes.ts';

/** The index just past the first value of a text that arrives in pieces of one size. */
function endInPieces(text: string, pieceSize: number): number {
  const bytes = Buffer.from(text);
  const scanner = new NestingScanner(0);
  for (let start = 0; start < bytes.length; start += pieceSize) {
    const end = scanner.pastEnd(bytes.subarray(start, start + pieceSize), 0);
    if (end !== -1) return start + end;
  }
  return -1;
}

const long = 'x'.repeat(100);
for (const [what, string] of [
  ['a short string', 'x'],
  ['a long string', long],
  ['an escaped quote in a long string', `${long}"${long}`],
  ['many escaped quotes', `${long}${'"'.repeat(300)}`],
  ['backslashes at the end of a long string', `${long}\\`],
  ['an even number of backslashes at the end', `${long}\\\\`],
  ['many backslashes', `${long}${'\\'.repeat(301)}`],
  ['a quote after backslashes', `${long}\\\\\\"${long}`],
  ['brackets in a long string', `${long}}]{[${long}`],
] as const) {
  test(`the end of an object with ${what} is found in pieces of any size`, () => {
    const row = JSON.stringify({ a: string, b: [{ c: string }] });
    for (let pieceSize = 1; pieceSize <= row.length + 10; pieceSize++) {
      assert.equal(endInPieces(`${row},{"next":"}"}`, pieceSize), row.length, `pieces of ${pieceSize} bytes`);
    }
  });
}

test('an object whose long string is cut off has no end', () => {
  for (const end of ['', '\\', '\\\\', '\\"']) assert.equal(endInPieces(`{"a":"${long}${end}`, 1000), -1);
});
