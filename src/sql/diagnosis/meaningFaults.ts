import type { ShadowReport } from '../shadow/shadowReport.ts';
import type { Fault, FaultCode, FaultSeverity } from './fault.ts';

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

/**
 * The faults that SQLite finds in a statement with valid syntax, with offsets within the statement. Only the caller knows which
 * object has a name that is already taken.
 */
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
