import { placeholders } from '../parameters/placeholders.ts';
import { checkStatement, type SyntaxFault } from '../parser/parser.ts';
import { CoarseScanner } from '../text/tokens.ts';
import type { Fault } from './fault.ts';

/** What is wrong with a statement whatever the schema is, with offsets within it. */
export function syntaxFaults(statement: string): Fault[] {
  const fault = checkStatement(statement);
  return fault ? [syntaxFault(statement, fault)] : parameterFaults(statement);
}

/** In SQLite's own words. */
function syntaxFault(statement: string, { offset, length, token }: SyntaxFault): Fault {
  const severity = 'error';
  if (length === 0) {
    return { ...lastToken(statement), message: 'incomplete input', code: 'incomplete_statement', severity };
  }
  const place = { start: offset, end: offset + length };
  const shown = token.length > longestShown ? `${token.slice(0, longestShown)}…` : token;
  if (isUnreadable(token)) {
    return { ...place, message: `unrecognized token: "${shown}"`, code: 'unrecognized_token', severity };
  }
  const hint = beginsStatement(statement, offset, token) ? ' (is a semicolon missing before it?)' : '';
  return { ...place, message: `near "${shown}": syntax error${hint}`, code: 'syntax_error', severity };
}

/** An open quote makes a token of the whole rest of a document. */
const longestShown = 40;

const isUnreadable = (token: string): boolean => /^(?:'|"|`|\[|x')/i.test(token) && isOpen(token);

function isOpen(token: string): boolean {
  const quote = token.startsWith('[') ? ']' : token.charAt(/^x/i.test(token) ? 1 : 0);
  return !token.endsWith(quote) || token.length === 1;
}

const starters = /^(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|PRAGMA|REPLACE|VALUES)$/i;

const beginsStatement = (statement: string, offset: number, token: string): boolean =>
  starters.test(token) && /\n[ \t]*$/.test(statement.slice(Math.max(0, offset - 80), offset));

function lastToken(statement: string): { readonly start: number; readonly end: number } {
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
      message: `The service binds values in order and takes only a plain ? here, not ${statement.slice(start, end)}.`,
      code: 'parameter_not_positional',
      severity: 'warning',
    }));
}
