import { cutText } from '../../base/oneLine.ts';
import { followsMissingSemicolon, missingSemicolonHint } from '../parser/missingSemicolon.ts';
import { findSyntaxFault, type SyntaxFault } from '../parser/parser.ts';
import type { ShadowReport } from '../shadow/shadowReport.ts';
import type { TextRange } from '../text/textRange.ts';
import { meaningfulTokens } from '../text/tokens.ts';

/** Stable codes for settings and tests. Messages may change. */
type FaultCode =
  | 'syntax_error'
  | 'unrecognized_token'
  | 'incomplete_statement'
  | 'unknown_table'
  | 'unknown_column'
  | 'unknown_function'
  | 'unknown_name'
  | 'ambiguous_column'
  | 'wrong_argument_count'
  | 'wrong_value_count'
  | 'misused_aggregate'
  | 'name_taken'
  | 'refused'
  | 'not_checked';

/**
 * - `error`: SQLite refuses the statement.
 * - `warning`: SQLite refuses it when the new view is used.
 * - `information`: about the check itself, or a CREATE of an object that the project already has.
 */
export type FaultSeverity = 'error' | 'warning' | 'information';

export interface Fault extends TextRange {
  /** In SQLite's words. `readableError` turns them into a text for people. */
  readonly message: string;
  /** A sentence that suggests a fix. */
  readonly hint?: string;
  readonly code: FaultCode;
  readonly severity: FaultSeverity;
}

const codesByMessage: readonly (readonly [message: RegExp, code: FaultCode])[] = [
  [/^no such table:/, 'unknown_table'],
  [
    /^no such column:|has no column named|^unknown column|^cannot join using column|BY term does not match any column/,
    'unknown_column',
  ],
  [/^(?:no such|unknown) function:/, 'unknown_function'],
  [/^ambiguous column name:/, 'ambiguous_column'],
  [/^wrong number of arguments/, 'wrong_argument_count'],
  [/\d values? for \d+ columns|columns but \d+ values were supplied/, 'wrong_value_count'],
  [
    /^misuse of aggregate|^HAVING clause on a non-aggregate query|^aggregate functions are not allowed/,
    'misused_aggregate',
  ],
  [/ already exists$|^there is already /, 'name_taken'],
  [/^(?:no such|unknown) /, 'unknown_name'],
];

/** The faults that SQLite finds in a statement. Only the caller knows whether a taken name is one of the project. */
export function meaningFaults(
  statement: string,
  report: ShadowReport,
  nameTakenSeverity: FaultSeverity = 'error',
): Fault[] {
  const faults = report.problems.map(({ start, end, message }): Fault => {
    const code = codesByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? 'refused';
    return { start, end, message, code, severity: code === 'name_taken' ? nameTakenSeverity : 'error' };
  });
  return report.outcome === 'limitExceeded' ? [...faults, notCheckedFault(statement)] : faults;
}

function notCheckedFault(statement: string): Fault {
  const firstWordLength = /^\S*/.exec(statement)?.[0].length ?? 0;
  return {
    start: 0,
    end: firstWordLength,
    message: 'The check took too much time or memory. Only the syntax was checked.',
    code: 'not_checked',
    severity: 'information',
  };
}

/** The faults of a statement that do not depend on the schema, with offsets within the statement. */
export function syntaxFaults(statement: string): Fault[] {
  const fault = findSyntaxFault(statement);
  return fault ? [describe(statement, fault)] : [];
}

/** An open quote makes one token of the rest of the document. */
const maxTokenLength = 41;

function describe(statement: string, { offset, length, token }: SyntaxFault): Fault {
  const severity = 'error';
  if (length === 0) {
    return { ...lastToken(statement), message: 'incomplete input', code: 'incomplete_statement', severity };
  }
  const range = { start: offset, end: offset + length };
  const shortToken = cutText(token, maxTokenLength);
  if (isOpenQuote(token)) {
    // The token extends to the end of the document, but the closing quote is most likely missing on this line.
    const firstLine = { start: offset, end: offset + /^.*/.exec(token)![0].length };
    return { ...firstLine, message: `unrecognized token: "${shortToken}"`, code: 'unrecognized_token', severity };
  }
  return {
    ...range,
    message: `near "${shortToken}": syntax error`,
    ...(followsMissingSemicolon(statement, token, offset) && {
      hint: missingSemicolonHint(statement, offset),
    }),
    code: 'syntax_error',
    severity,
  };
}

function isOpenQuote(token: string): boolean {
  if (!/^(?:'|"|`|\[|x')/i.test(token)) return false;
  const closingQuote = token.startsWith('[') ? ']' : token.charAt(/^x/i.test(token) ? 1 : 0);
  return !token.endsWith(closingQuote) || token.length === 1;
}

function lastToken(statement: string): TextRange {
  let last = { start: 0, end: statement.length };
  for (const { kind, start, end } of meaningfulTokens(statement)) if (kind !== 'semicolon') last = { start, end };
  return last;
}
