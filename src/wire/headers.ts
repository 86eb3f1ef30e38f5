export const headerNames = {
  apiKey: 'x-api-key',
  holderId: 'x-holder-id',
  projectName: 'x-project-name',
  idempotencyKey: 'x-idempotency-key',
  idempotencyReplayed: 'x-idempotency-replayed',
  contentType: 'content-type',
  userAgent: 'user-agent',
  retryAfter: 'retry-after',
  /** Both ids identify a request in logs. A service may send the first one, and a client the second one. */
  requestId: 'x-request-id',
  correlationId: 'x-correlation-id',
} as const;

/** The media type of a lease. Another program that has taken the port of a service does not answer with this type. */
export const leaseMediaType = 'application/vnd.sql-project-explorer.lease';

/** How long a service keeps the answer to a call with an idempotency key. */
export const rememberedMs = 24 * 60 * 60 * 1000;

/** Replaces a key wherever headers are shown. */
export const redacted = '[redacted]';
