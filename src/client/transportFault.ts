import { ProjectError } from '../base/errors.ts';
import { asArray, asRecord, asString } from '../base/shape.ts';
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
  message: 'No encrypted connection to the service can be made, or its certificate is not to be trusted.',
};
const badRequest: Meaning = { kind: 'misuse', code: 'invalid_request', message: 'The request cannot be sent.' };

const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  UND_ERR_CONNECT_TIMEOUT: { code: 'connect_timeout', message: 'The service did not take the connection in time.' },
  UND_ERR_HEADERS_TIMEOUT: { code: 'headers_timeout', message: 'The service did not answer in time.' },
  UND_ERR_BODY_TIMEOUT: { code: 'body_timeout', message: 'The service fell silent in the middle of its answer.' },
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: lost,
  ECONNRESET: lost,
  EPIPE: lost,
  ETIMEDOUT: lost,
  // Where they are not of connecting: a route may go in the middle of a call.
  EHOSTUNREACH: lost,
  ENETUNREACH: lost,
  UND_ERR_INVALID_ARG: badRequest,
  UND_ERR_NOT_SUPPORTED: badRequest,
};

/** OpenSSL's words for certificates and handshakes; they are many, and Node.js passes them on as they are. */
const tlsCode = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/;

const malformed: Meaning = {
  kind: 'protocol',
  code: 'invalid_http',
  message: "The service's answer is not valid HTTP.",
};
const other: Meaning = { code: 'transport_failed', message: 'The call failed on its way to the service or back.' };

/** Faults of these codes happen before a byte of the request has left. */
const beforeSending: ReadonlySet<string> = new Set(['connect_failed', 'connect_timeout']);

/** A certificate that is not to be trusted now will not be so in a second. */
export const isLasting = (fault: ProjectError): boolean => fault.code === untrusted.code;

export const wasNeverSent = (fault: unknown): boolean =>
  fault instanceof ProjectError && fault.kind === 'transport' && beforeSending.has(fault.code);

/** The error that something undici threw stands for. */
export function transportFault(thrown: unknown, redactor: Redactor): ProjectError {
  const source = asRecord(thrown);
  const code = asString(source?.['code']) ?? '';
  // By name: undici gives its parser's errors no code in every case.
  const byName = source?.['name'] === 'HTTPParserError' ? malformed : undefined;
  const byCode = byName ?? meanings[code] ?? (tlsCode.test(code) ? untrusted : other);
  const meaning = isOfConnecting(thrown) ? unreachable : byCode;
  return new ProjectError(meaning.kind ?? 'transport', meaning.code, meaning.message, {
    cause: redactor.cause(thrown),
  });
}

/** A name with several addresses gives one error that holds those of its addresses, and that names no call of the system. */
function isOfConnecting(thrown: unknown): boolean {
  const source = asRecord(thrown);
  const errors = asArray(source?.['errors']) ?? [];
  if (errors.length > 0) return errors.every(isOfConnecting);
  return source?.['syscall'] === 'connect' || source?.['syscall'] === 'getaddrinfo';
}
