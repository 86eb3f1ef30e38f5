import { ProjectError } from '../base/errors.ts';
import type { UnknownRecord } from '../base/decode.ts';

/** The codes of this interface. Codes of other services are passed on unchanged. */
export const serviceCodes = {
  badRequest: 'bad_request',
  sqlError: 'sql_error',
  multipleStatements: 'multiple_statements',
  parameterMismatch: 'parameter_mismatch',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  notFound: 'not_found',
  projectNotFound: 'project_not_found',
  tableNotFound: 'table_not_found',
  keyNotFound: 'key_not_found',
  methodNotAllowed: 'method_not_allowed',
  projectExists: 'project_exists',
  unprovenBackup: 'unproven_backup',
  requestTimeout: 'request_timeout',
  headersTooLarge: 'headers_too_large',
  tooLarge: 'too_large',
  unsupportedMediaType: 'unsupported_media_type',
  deniedStatement: 'denied_statement',
  idempotencyConflict: 'idempotency_conflict',
  rateLimited: 'rate_limited',
  busy: 'busy',
  statementTimeout: 'statement_timeout',
  readerTimeout: 'reader_timeout',
  diskFull: 'disk_full',
  internal: 'internal_error',
} as const;

export interface ServiceFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: UnknownRecord | undefined;
  /** The beginning of the answer's body, for diagnosis. */
  readonly excerpt?: string | undefined;
  /** How many milliseconds the service asked to wait, if it did. */
  readonly retryAfter?: number | undefined;
  /** Whether this is the answer of an earlier call with the same idempotency key. */
  readonly replayed?: boolean | undefined;
}

/** The service refused the call. */
export class ServiceError extends ProjectError {
  readonly status: number;
  readonly details: UnknownRecord | undefined;
  readonly excerpt: string;
  readonly retryAfter: number | undefined;
  readonly replayed: boolean;

  constructor({ status, code, message, details, excerpt, retryAfter, replayed }: ServiceFault) {
    super('service', code, message);
    this.status = status;
    this.details = details;
    this.excerpt = excerpt ?? '';
    this.retryAfter = retryAfter;
    this.replayed = replayed ?? false;
  }
}

export function asServiceError(thrown: unknown): ServiceError | undefined {
  return thrown instanceof ServiceError ? thrown : undefined;
}
