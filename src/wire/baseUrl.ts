import { misuse } from '../base/errors.ts';

export interface Address {
  readonly origin: string;
  /** The prefix of every path, without a slash at its end: '' or `/…`. */
  readonly path: string;
}

/** The address of a service. Error messages do not repeat it, because it may hold credentials. */
export function parseBaseUrl(baseUrl: string, allowInsecure: boolean): Address {
  const url = URL.parse(baseUrl) ?? refuse('The address is not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('The address must begin with https:// or http://.');
  if (url.username !== '' || url.password !== '') refuse('The address must not contain a user name or password.');
  if (/[?#]/.test(baseUrl)) refuse('The address must not have a query or a fragment.');
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw misuse('insecure_base_url', 'The address must begin with https:// unless it is on this machine.');
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function refuse(message: string): never {
  throw misuse('invalid_base_url', message);
}
