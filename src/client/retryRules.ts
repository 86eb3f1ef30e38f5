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

export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly fault: unknown;
  /** False for a call that must not be sent twice. */
  readonly repeatable: boolean;
}

/** How many milliseconds to wait before the next attempt. Undefined if there is none. */
export function retryDelay(rules: RetryRules, { attempt, fault, repeatable }: FailedAttempt): number | undefined {
  if (attempt > rules.retries || !isTransient(fault, repeatable)) return undefined;
  const ceiling = Math.min(rules.backoff.max, rules.backoff.first * 2 ** (attempt - 1));
  const wait = ceiling * (0.5 + rules.random() / 2);
  const retryAfter = fault instanceof ServiceError ? (fault.retryAfter ?? 0) : 0;
  if (retryAfter > rules.maxRetryDelay) return undefined;
  return Math.max(wait, retryAfter);
}

function isTransient(fault: unknown, repeatable: boolean): boolean {
  if (!(fault instanceof ProjectError)) return false;
  if (fault instanceof ServiceError) return fault.status === 429 || (repeatable && fault.status >= 500);
  return fault.kind === 'transport' && !isLasting(fault) && (repeatable || wasNeverSent(fault));
}

const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** A `Retry-After` in milliseconds. It may be seconds or a date. Undefined if it is neither. */
export function parseRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return undefined;
  const date = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

const leadingBlank = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/;

/** Whether a statement may write. A wrong yes costs a retry, but a wrong no could write twice. */
export function mayWrite(sql: string): boolean {
  return !/^(?:select|values|explain)\b/i.test(sql.replace(leadingBlank, ''));
}
