import { protocolError } from '../base/errors.ts';
import { asArrayOf, asNonEmptyString, asRecord, asString, type UnknownRecord } from '../base/shape.ts';
import { decodeIssuedKey } from './answers.ts';

/** What is known of an issued key. The key itself is known to its holder alone. */
export interface KeyRecord {
  readonly keyId: string;
  readonly projectId: string;
  readonly issuedTo: string;
  /** In UTC, as ISO 8601. */
  readonly issuedAt: string;
  /** Undefined while the key opens its project. */
  readonly revokedAt: string | undefined;
}

/** A key as it is seen once. */
export interface NewKey {
  readonly keyId: string;
  readonly apiKey: string;
}

export const keyBody = ({ keyId, projectId, issuedTo, issuedAt, revokedAt }: KeyRecord): UnknownRecord => ({
  key_id: keyId,
  project_id: projectId,
  issued_to: issuedTo,
  issued_at: issuedAt,
  revoked_at: revokedAt ?? null,
});

export function decodeNewKey(answer: unknown): NewKey {
  const { apiKey, keyId = refuse('keyId') } = decodeIssuedKey(answer);
  return { apiKey, keyId };
}

export function decodeKey(answer: unknown): KeyRecord {
  return asKey(answer) ?? refuse('key_id');
}

export function decodeKeys(answer: unknown): KeyRecord[] {
  return asArrayOf(asRecord(answer)?.['keys'], asKey) ?? refuse('keys');
}

function asKey(value: unknown): KeyRecord | undefined {
  const record = asRecord(value);
  const keyId = asNonEmptyString(record?.['key_id']);
  if (!record || keyId === undefined) return undefined;
  return {
    keyId,
    projectId: asString(record['project_id']) ?? '',
    issuedTo: asString(record['issued_to']) ?? '',
    issuedAt: asString(record['issued_at']) ?? '',
    revokedAt: asString(record['revoked_at']),
  };
}

/** What is wrong with a database, in SQLite's words; nothing when it is whole. */
export function decodeProblems(answer: unknown): string[] {
  return asArrayOf(asRecord(answer)?.['problems'], asString) ?? refuse('problems');
}

function refuse(what: string): never {
  throw protocolError('unexpected_answer', `The service's answer has no usable "${what}".`);
}
