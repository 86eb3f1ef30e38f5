import type { Clock } from '../base/clock.ts';
import { ProjectError } from '../base/errors.ts';
import { ServiceError } from '../wire/serviceError.ts';
import { isLasting, wasNeverSent } from './transportFault.ts';

export interface Backoff {
  /** Milliseconds before the first retry. Each further wait is twice as long. */
  readonly first: number;
  /** The longest wait in milliseconds. */
  readonly max: number;
}

export interface RetryRules {
  readonly retries: number;
  readonly backoff: Backoff;
  /** A longer `Retry-After` ends the call. */
  readonly maxRetryDelay: number;
  readonly random: () => number;
}

interface FailedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly fault: unknown;
  /** False for a call that must not be sent twice. */
  readonly isRepeatable: boolean;
}

/** How many milliseconds to wait before the next attempt. Undefined if there is none. */
export function retryDelay(rules: RetryRules, { attempt, fault, isRepeatable }: FailedAttempt): number | undefined {
  if (attempt > rules.retries || !isTransient(fault, isRepeatable)) return undefined;
  const ceiling = Math.min(rules.backoff.max, rules.backoff.first * 2 ** (attempt - 1));
  const wait = ceiling * (0.5 + rules.random() / 2);
  const retryAfter = fault instanceof ServiceError ? (fault.retryAfter ?? 0) : 0;
  if (retryAfter > rules.maxRetryDelay) return undefined;
  return Math.max(wait, retryAfter);
}

function isTransient(fault: unknown, isRepeatable: boolean): boolean {
  if (!(fault instanceof ProjectError)) return false;
  if (fault instanceof ServiceError) return fault.status === 429 || (isRepeatable && fault.status >= 500);
  return fault.kind === 'transport' && !isLasting(fault) && (isRepeatable || wasNeverSent(fault));
}

const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/**
 * A `Retry-After` in milliseconds. It may be seconds or a date. Undefined if it is neither. A date comes from the clock of the
 * service, so it is compared with the `Date` of the same answer: that clock and the own one may differ by hours.
 */
export function parseRetryAfter(value: string | undefined, clock: Clock, dateHeader?: string): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - (parseHttpDate(dateHeader?.trim() ?? '') ?? clock.now()));
}

function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined;
  const date = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date;
}

/**
 * Whether a text of SQL may write. A wrong yes costs a retry, but a wrong no could write twice. So a text reads only if its
 * first word says so, and only blanks and comments follow its first semicolon.
 *
 * It stands apart from sql/effect/effectByFirstWord.ts: the client is a package of its own without the folder sql/, and it is
 * stricter, because other databases than SQLite may answer it.
 */
export function mayWriteByFirstWord(sql: string): boolean {
  const start = pastBlanks(sql, 0);
  const first = wordAt(sql, start);
  if (!['SELECT', 'VALUES', 'EXPLAIN'].includes(first)) return true;
  // Other databases than SQLite run a statement that they explain with such an option.
  const second = wordAt(sql, pastBlanks(sql, start + first.length));
  if (first === 'EXPLAIN' && ['', 'ANALYZE', 'VERBOSE'].includes(second)) return true;
  let end = endOfStatement(sql, start);
  while (sql[end] === ';') end = pastBlanks(sql, end + 1);
  return end < sql.length;
}

const longestWordLength = 'EXPLAIN'.length;

/** The word in upper case. A longer word than any that matters here may be cut off. */
function wordAt(sql: string, start: number): string {
  const text = sql.slice(start, start + longestWordLength + 1);
  return /^[a-z]*(?![\w$\u0080-\uffff])/i.exec(text)?.[0].toUpperCase() ?? '';
}

/** The blanks of SQLite, and a byte order mark. */
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\f', '\r', '\uFEFF']);

/** The index after blanks and comments. A comment without an end is not skipped. */
function pastBlanks(sql: string, from: number): number {
  for (let at = from; ;) {
    if (blanks.has(sql.charAt(at))) {
      at++;
    } else {
      const end = endOfComment(sql, at);
      if (end === undefined) return at;
      at = end;
    }
  }
}

/** Undefined if there is no comment, or if it has no end. */
function endOfComment(sql: string, at: number): number | undefined {
  if (sql.startsWith('--', at)) {
    const end = sql.indexOf('\n', at);
    return end === -1 ? sql.length : end;
  }
  if (!sql.startsWith('/*', at)) return undefined;
  const end = sql.indexOf('*/', at + 2);
  return end === -1 ? undefined : end + 2;
}

const closingQuotes: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

/** The place of the first semicolon, of anything that is in doubt, or of the end of the text. */
function endOfStatement(sql: string, from: number): number {
  const special = /['"`[;$@:#]|--|\/\*/g;
  special.lastIndex = from;
  for (let found = special.exec(sql); found; found = special.exec(sql)) {
    const mark = found[0];
    if (mark === ';') return found.index;
    const end = endOfToken(sql, found.index, mark);
    if (end === undefined) return found.index;
    special.lastIndex = end;
  }
  return sql.length;
}

/** Undefined if the quote or comment has no end, or if SQLite would not read a quote in it as one, as in `$name(')`. */
function endOfToken(sql: string, at: number, mark: string): number | undefined {
  if (mark === '--' || mark === '/*') return endOfComment(sql, at);
  const closing = closingQuotes[mark];
  if (closing !== undefined) return endOfQuoted(sql, at, closing);
  const name = /[\w$:@#\u0080-\uffff]+/y;
  name.lastIndex = at;
  name.test(sql);
  return sql[name.lastIndex] === '(' ? undefined : name.lastIndex;
}

/** A doubled quote is read as two quoted texts beside each other. */
function endOfQuoted(sql: string, at: number, closing: string): number | undefined {
  const end = sql.indexOf(closing, at + 1);
  return end === -1 ? undefined : end + 1;
}
