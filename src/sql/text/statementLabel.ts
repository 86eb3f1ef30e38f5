import { oneLine } from '../../base/oneLine.ts';

/** A statement as the label of a list or a tab: on one line, without the semicolon that ends it. */
export function statementLabel(statement: string, maxLength = Infinity): string {
  // A pattern such as /[;\s]+$/ starts again at each blank of a run. Long runs of blanks would take minutes.
  let end = statement.length;
  while (end > 0 && /[;\s]/.test(statement.charAt(end - 1))) end--;
  return oneLine(statement.slice(0, end), maxLength);
}
