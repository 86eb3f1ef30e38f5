import { cutText } from '../../base/oneLine.ts';
import { placeholders } from '../parameters/placeholders.ts';
import { followsMissingSemicolon } from '../parser/missingSemicolon.ts';
import { findSyntaxFault, type SyntaxFault } from '../parser/parser.ts';
import type { TextRange } from '../text/textRange.ts';
import { CoarseScanner } from '../text/tokens.ts';
import type { Fault } from './fault.ts';

/** The faults of a statement that do not depend on the schema, with offsets within the statement. */
export function syntaxFaults(statement: string): Fault[] {
  const fault = findSyntaxFault(statement);
  return fault ? [describe(statement, fault)] : parameterFaults(statement);
}

/** An open quote makes one token of the rest of the document. */
const maxTokenLength = 41;

/** Describes a fault in SQLite's words. */
function describe(statement: string, { offset, length, token }: SyntaxFault): Fault {
  const severity = 'error';
  if (length === 0) {
    return { ...lastToken(statement), message: 'incomplete input', code: 'incomplete_statement', severity };
  }
  const range = { start: offset, end: offset + length };
  const shortToken = cutText(token, maxTokenLength);
  if (isOpenQuote(token)) {
    // The token extends to the end of the document, but the quote is missing on its line.
    const firstLine = { start: offset, end: offset + /^.*/.exec(token)![0].length };
    return { ...firstLine, message: `unrecognized token: "${shortToken}"`, code: 'unrecognized_token', severity };
  }
  return {
    ...range,
    message: `near "${shortToken}": syntax error`,
    ...(followsMissingSemicolon(statement, token, offset) && { hint: 'Is a semicolon missing before it?' }),
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
  const scanner = new CoarseScanner(statement);
  let last = { start: 0, end: statement.length };
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    if (kind !== 'space' && kind !== 'comment' && kind !== 'semicolon') last = { start, end };
  }
  return last;
}

function parameterFaults(statement: string): Fault[] {
  if (!/[?:@$]/.test(statement)) return [];
  return placeholders(statement)
    .filter(({ positional }) => !positional)
    .map(({ start, end }) => ({
      start,
      end,
      message: `The service binds values in order. Write ? instead of '${statement.slice(start, end)}'.`,
      code: 'parameter_not_positional',
      severity: 'warning',
    }));
}
