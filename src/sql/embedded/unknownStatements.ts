import type { StatementList } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import type { EmbeddedSql } from './embeddedSql.ts';

/**
 * The numbers of the statements that differ when the program runs: those with a fault at an interpolation, which may stand for
 * more than a value. Other findings in them may not hold then.
 */
export function unknownStatements(
  literal: EmbeddedSql,
  statements: StatementList,
  faults: readonly TextRange[],
): ReadonlySet<number> {
  const atInterpolations = faults.filter(fault => isAtInterpolation(literal, fault));
  return new Set(atInterpolations.map(fault => statementOf(statements, fault)));
}

/** The number of the statement that a fault is in. At the end of a statement it is after its last token. */
export function statementOf(statements: StatementList, { start }: TextRange): number {
  const number = statements.firstEndingAfter(start);
  return (statements.at(number)?.start ?? Infinity) <= start ? number : number - 1;
}

/** Whether a range is at an interpolation, or begins with the token after one. */
function isAtInterpolation({ text, programParts }: EmbeddedSql, range: TextRange): boolean {
  return programParts.some(
    ({ kind, start, end }) =>
      kind !== 'join' && start <= range.end && (range.start <= end || text.slice(end, range.start).trim() === ''),
  );
}
