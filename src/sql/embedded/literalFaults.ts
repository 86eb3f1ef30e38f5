import type { Fault } from '../diagnosis/fault.ts';
import type { StatementList } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import type { EmbeddedSql } from './embeddedSql.ts';

/**
 * The faults of embedded SQL that the user can mend. An interpolation may stand for more than a value. If there is a fault at
 * one, the statement is another one when the program runs, so that its other faults may be none either.
 */
export function literalFaults(
  literal: EmbeddedSql,
  statements: StatementList,
  faults: readonly Fault[],
): readonly Fault[] {
  if (literal.isFragment) return [];
  const numberOf = (fault: Fault): number => {
    const number = statements.firstEndingAfter(fault.start);
    // A fault at the end of a statement is behind its last token.
    return (statements.at(number)?.start ?? Infinity) <= fault.start ? number : number - 1;
  };
  const unknown = new Set(faults.filter(fault => isAtInterpolation(literal, fault)).map(numberOf));
  return faults.filter(fault => !unknown.has(numberOf(fault)));
}

/** Whether a range is at an interpolation, or begins with the token behind one. */
function isAtInterpolation({ text, programParts }: EmbeddedSql, range: TextRange): boolean {
  return programParts.some(
    ({ kind, start, end }) =>
      kind !== 'join' && start <= range.end && (range.start <= end || text.slice(end, range.start).trim() === ''),
  );
}
