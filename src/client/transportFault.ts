import { asArray, asRecord, asString } from '../base/decode.ts';
import { ProjectError } from '../base/errors.ts';
import type { Redactor } from './redactor.ts';

interface Meaning {
  readonly code: string;
  readonly message: string;
  readonly kind?: 'protocol' | 'misuse';
}

const unreachable: Meaning = { code: 'connect_failed', message: 'The service cannot be reached.' };
const lost: Meaning = { code: 'connection_lost', message: 'The connection to the service was lost.' };
const untrusted: Meaning = {
  code: 'tls_failed',
  message: 'The encrypted connection to the service failed, or its certificate is not trusted.',
};
const badRequest: Meaning = {
  kind: 'misuse',
  code: 'invalid_request',
  message: 'The request is invalid and was not sent. Check its options.',
};

const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  UND_ERR_CONNECT_TIMEOUT: { code: 'connect_timeout', message: 'The service did not accept the connection in time.' },
  UND_ERR_HEADERS_TIMEOUT: { code: 'headers_timeout', message: 'The service did not answer in time.' },
  UND_ERR_BODY_TIMEOUT: { code: 'body_timeout', message: 'The service stopped sending in the middle of its answer.' },
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: lost,
  ECONNRESET: lost,
  EPIPE: lost,
  ETIMEDOUT: lost,
  // These also occur in the middle of a call, when a route is lost.
  EHOSTUNREACH: lost,
  ENETUNREACH: lost,
  UND_ERR_INVALID_ARG: badRequest,
  UND_ERR_NOT_SUPPORTED: badRequest,
};

/** Codes of OpenSSL for certificates and handshakes. */
const tlsCode = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/;

const malformed: Meaning = {
  kind: 'protocol',
  code: 'invalid_http',
  message: "The service's answer is not valid HTTP.",
};
const other: Meaning = { code: 'transport_failed', message: 'The connection to the service failed.' };

/** After a fault with one of these codes, nothing of the request was sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'connect_failed',
  'connect_timeout',
  'service_unproven',
  'local_service_not_running',
]);

/** A retry cannot help: a certificate stays untrusted, and a slow statement stays slow. */
export const isLasting = (fault: ProjectError): boolean =>
  fault.code === untrusted.code || fault.code === 'row_timeout';

export const wasNeverSent = (fault: unknown): boolean =>
  fault instanceof ProjectError && fault.kind === 'transport' && beforeSending.has(fault.code);

/** Why no connection was made. */
const connectReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ENOTFOUND: 'no machine has this name',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
};

/** The ProjectError for an error of undici. `origin` is the address that was called. */
export function transportFault(thrown: unknown, redactor: Redactor, origin: string): ProjectError {
  const source = asRecord(thrown);
  const code = asString(source?.['code']) ?? '';
  // Errors of undici's parser do not always have a code.
  const byName = source?.['name'] === 'HTTPParserError' ? malformed : undefined;
  const byCode = byName ?? meanings[code] ?? (tlsCode.test(code) ? untrusted : other);
  const meaning = isConnectFault(thrown) ? unreachable : byCode;
  const message = meaning === unreachable ? unreachableMessage(origin, connectReasons[code]) : meaning.message;
  return new ProjectError(meaning.kind ?? 'transport', meaning.code, message, { cause: redactor.cause(thrown) });
}

const unreachableMessage = (origin: string, reason: string | undefined): string =>
  `The service at ${origin} cannot be reached${reason === undefined ? '' : `: ${reason}`}.`;

/** If a name has several addresses, the error has an error for each, and no `syscall` of its own. */
function isConnectFault(thrown: unknown): boolean {
  const source = asRecord(thrown);
  const errors = asArray(source?.['errors']) ?? [];
  if (errors.length > 0) return errors.every(isConnectFault);
  return source?.['syscall'] === 'connect' || source?.['syscall'] === 'getaddrinfo';
}
