import { misuse } from '../base/errors.ts';
import { headerNames } from '../wire/headers.ts';
import { userAgent } from '../wire/version.ts';
import type { HttpCall } from './exchange.ts';
import type { ClientOptions } from './options.ts';

/** All headers of a request except the key. Headers of the call replace those of the client. */
export function requestHeaders(
  { holderId, projectName }: Pick<ClientOptions, 'holderId' | 'projectName'>,
  { body, options }: Pick<HttpCall, 'body' | 'options'>,
): Headers {
  const headers = new Headers({ accept: 'application/json', [headerNames.userAgent]: userAgent });
  if (body !== undefined) headers.set(headerNames.contentType, 'application/json');
  if (holderId) setHeader(headers, headerNames.holderId, utf8(holderId));
  if (projectName) setHeader(headers, headerNames.projectName, utf8(projectName));
  if (options.idempotencyKey !== undefined) {
    if (options.idempotencyKey === '')
      throw misuse('invalid_header', 'The idempotency key is empty. Pass a text, or leave it out.');
    setHeader(headers, headerNames.idempotencyKey, options.idempotencyKey);
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) setHeader(headers, name, value);
  return headers;
}

/** Sets a header. The error does not repeat the value, as the platform's own error would. */
export function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    const message = `The header ${name} cannot be sent. Use printable ASCII characters, and no blank in its name.`;
    throw misuse('invalid_header', message);
  }
}

/** A header has one byte for each character, so a name is sent as its UTF-8 bytes. */
function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
