import {
  arrayOf,
  asNonBlankString,
  asString,
  type Decoder,
  lenient,
  object,
  orUndefined,
  type UnknownRecord,
  withDefault,
} from '../base/decode.ts';
import { asTextOrEmpty, decodeIssuedKey, requireField, snakeCase } from './answers.ts';
import { hasScope, type KeyScope, wrongScope } from './keyScope.ts';

// Answers that only the admin key of the local service gets.

/** An issued key as the service stores it, without the key itself. */
export interface KeyRecord {
  readonly keyId: string;
  readonly projectId: string;
  readonly issuedTo: string;
  /** In UTC, as ISO 8601. */
  readonly issuedAt: string;
  /** Undefined for a key that was not revoked. */
  readonly revokedAt: string | undefined;
  /** Undefined if the key never expires. */
  readonly expiresAt: string | undefined;
  /** To the hour. Undefined for a key that was not used. */
  readonly lastUsedAt: string | undefined;
  /** A `KeyScope`, or one that only another version of the service knows. */
  readonly scope: string;
}

/** A new key. The service shows it only once. */
export interface NewKey {
  readonly keyId: string;
  readonly apiKey: string;
}

export const keyBody = (key: KeyRecord): UnknownRecord => ({
  key_id: key.keyId,
  project_id: key.projectId,
  issued_to: key.issuedTo,
  issued_at: key.issuedAt,
  revoked_at: key.revokedAt ?? null,
  expires_at: key.expiresAt ?? null,
  last_used_at: key.lastUsedAt ?? null,
  scope: key.scope,
});

export function decodeNewKey(answer: unknown, requestedScope: KeyScope): NewKey {
  const key = decodeIssuedKey(answer);
  if (!hasScope(key, requestedScope)) throw wrongScope(key);
  return { apiKey: key.apiKey, keyId: requireField(key.keyId, 'keyId') };
}

const decodeKeyRecord: Decoder<KeyRecord> = object(
  {
    keyId: asNonBlankString,
    projectId: asTextOrEmpty,
    issuedTo: asTextOrEmpty,
    issuedAt: asTextOrEmpty,
    revokedAt: lenient(orUndefined(asString)),
    expiresAt: lenient(orUndefined(asString)),
    lastUsedAt: lenient(orUndefined(asString)),
    scope: withDefault(asString, 'full'),
  },
  snakeCase,
);

export function decodeKey(answer: unknown): KeyRecord {
  return requireField(decodeKeyRecord(answer), 'key_id');
}

const decodeKeyList = object({ keys: arrayOf(decodeKeyRecord) });

export function decodeKeys(answer: unknown): readonly KeyRecord[] {
  return requireField(decodeKeyList(answer)?.keys, 'keys');
}

const decodeProblemList = object({ problems: arrayOf(asString) });

/** The problems that SQLite finds in a database. Empty if there are none. */
export function decodeProblems(answer: unknown): readonly string[] {
  return requireField(decodeProblemList(answer)?.problems, 'problems');
}
