import { misuse } from '../base/errors.ts';

/** Dots survive encoding and would be resolved away on the other side, so that the call would reach another path. */
export function checkSegment(what: string, segment: string): string {
  if (segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed()) return segment;
  throw misuse('invalid_path', `The ${what} is empty or cannot be part of a path.`);
}

/** What stands before the service's paths: '' or `/…`, without a slash at its end. */
export function checkPrefix(prefix: string): string {
  if (/^(?:\/[^?#\s]*)?$/.test(prefix)) return prefix.replace(/\/+$/, '');
  throw misuse('invalid_option', 'The option pathPrefix must begin with a slash and hold no query.');
}
