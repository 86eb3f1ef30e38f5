/** Header names of the interface, in one place. */
export const headerNames = {
  apiKey: 'x-api-key',
  holderId: 'x-holder-id',
  projectName: 'x-project-name',
  idempotencyKey: 'x-idempotency-key',
  idempotencyReplayed: 'x-idempotency-replayed',
  contentType: 'content-type',
  userAgent: 'user-agent',
  retryAfter: 'retry-after',
} as const;

/** How long a service remembers a call by its idempotency key, in milliseconds. */
export const rememberedMs = 24 * 60 * 60 * 1000;

/** What stands for a key wherever a header set is shown. */
export const redacted = '[redacted]';
