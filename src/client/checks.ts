import { misuse } from '../base/errors.ts';
import type { Route } from '../wire/routes.ts';

// Checks of what callers pass. They throw errors of the kind `misuse`.

const maxTimerMs = 2 ** 31 - 1;

/** A JavaScript program has no compiler that finds a misspelt name. */
export function checkNames(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find(name => !names.includes(name));
  if (unknown === undefined) return;
  const meant = names.find(name => name.toLowerCase() === unknown.toLowerCase());
  const hint = meant === undefined ? `The options are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  throw misuse('invalid_option', `There is no option ${unknown}. ${hint}`);
}

export function checkMilliseconds(name: string, value: number): number {
  if (value >= 0 && value <= maxTimerMs) return value;
  throw misuse('invalid_option', `The option ${name} must be a number of milliseconds from 0 to ${maxTimerMs}.`);
}

export function checkCount(name: string, value: number, min = 0): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw misuse('invalid_option', `The option ${name} must be a whole number from ${min} on.`);
}

const segmentNames: Readonly<Record<string, string>> = {
  projectId: 'project id',
  table: 'table name',
  keyId: 'key id',
};

/** A dot segment is not encoded, and the URL parser would resolve it. The call would then reach another path. */
export function checkSegments(route: Route): void {
  for (const [field, segment] of Object.entries(route)) {
    if (segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed()) continue;
    throw misuse('invalid_path', `The ${segmentNames[field]} is empty or cannot be part of a path.`);
  }
}

/** The prefix without a slash at its end: '' or `/…`. */
export function checkPrefix(prefix: string): string {
  if (/^(?:\/[^?#\s]*)?$/.test(prefix)) return prefix.replace(/\/+$/, '');
  throw misuse('invalid_option', 'The option pathPrefix must begin with a slash and must not have a query.');
}
