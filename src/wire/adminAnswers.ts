import {
  arrayOf,
  asNonBlankString,
  asString,
  type Infer,
  lenient,
  object,
  orUndefined,
  type UnknownRecord,
  withDefault,
} from '../base/decode.ts';
import { answerWith, asTextOrEmpty, decodeIssuedKey, fieldOfAnswer, requireField, snakeCase } from './answers.ts';
import { hasScope, type KeyScope, wrongScope } from './keyScope.ts';

// Answers that only the admin key of the local service gets.

/** A new key. The service shows it only once. */
export interface NewKey {
  readonly keyId: string;
  readonly apiKey: string;
}

/** Each field is there, with null for a missing value. */
export const keyBody = (key: KeyRecord): UnknownRecord =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [snakeCase(name), value ?? null]));

export function decodeNewKey(answer: unknown, requestedScope: KeyScope): NewKey {
  const key = decodeIssuedKey(answer);
  if (!hasScope(key, requestedScope)) throw wrongScope(key);
  return { apiKey: key.apiKey, keyId: requireField(key.keyId, 'keyId') };
}

/** An issued key as the service stores it, without the key itself. */
const decodeKeyRecord = object(
  {
    keyId: asNonBlankString,
    projectId: asTextOrEmpty,
    issuedTo: asTextOrEmpty,
    /** In UTC, as ISO 8601. */
    issuedAt: asTextOrEmpty,
    /** Undefined for a key that was not revoked. */
    revokedAt: lenient(orUndefined(asString)),
    /** Undefined if the key never expires. */
    expiresAt: lenient(orUndefined(asString)),
    /** To the hour. Undefined for a key that was not used. */
    lastUsedAt: lenient(orUndefined(asString)),
    /** A `KeyScope`, or one that only another version of the service knows. */
    scope: withDefault(asString, 'full'),
  },
  snakeCase,
);
export type KeyRecord = Infer<typeof decodeKeyRecord>;

export const decodeKey = answerWith('key_id', decodeKeyRecord);

export const decodeKeys = fieldOfAnswer('keys', arrayOf(decodeKeyRecord));

/** The problems that SQLite finds in a database. Empty if there are none. */
export const decodeProblems = fieldOfAnswer('problems', arrayOf(asString));
