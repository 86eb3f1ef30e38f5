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

interface RetryRules {
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
 * A `Retry-After` in milliseconds. Undefined if it is neither seconds nor a date. A date is compared with the `Date` of the
 * same answer, because the clocks of service and client may differ by hours.
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

const plainRead = /^\s*(?:SELECT|VALUES)(?![\w$\u0080-\uffff])[^;]*(?:;\s*)?$/i;

/**
 * Whether a statement certainly only reads. It begins with SELECT or VALUES, and no semicolon is within it, even in a string or
 * comment. A wrong no costs a retry, but a wrong yes could write twice.
 *
 * The client is a package of its own, without the parser in sql/.
 */
export const isPlainRead = (sql: string): boolean => plainRead.test(sql);
