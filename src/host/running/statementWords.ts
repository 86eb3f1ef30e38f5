import { statementLabel } from '../../sql/text/statementLabel.ts';

const maxLength = 80;

/** The beginning of a statement, as the user recognizes it among others. */
export function firstWords(sql: string): string {
  return statementLabel(sql, maxLength);
}
