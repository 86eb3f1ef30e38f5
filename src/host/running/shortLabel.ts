import { statementLabel } from '../../sql/text/statementLabel.ts';

const maxLength = 80;

/** The beginning of a statement, for messages and lists of running. */
export const shortLabel = (sql: string): string => statementLabel(sql, maxLength);
