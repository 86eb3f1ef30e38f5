import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ProjectRecord } from '../../wire/answers.ts';
import { type KeyScope, keyScopeOf } from '../../wire/keyScope.ts';
import { forbidden } from '../faults.ts';

/** In UTC, to the second. The texts sort in the order of their times. */
export const timestamp = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Undefined if the key never expires. */
export const expiryOf = (now: number, expiresInSeconds: number | undefined): string | undefined =>
  expiresInSeconds === undefined ? undefined : timestamp(now + expiresInSeconds * 1000);

/** The use of a key is noted to the hour, so that few calls write. */
export const hourOf = (time: number): string => `${timestamp(time).slice(0, 13)}:00:00Z`;

/** The project and the scope of a valid key. */
export interface KeyOwner {
  readonly project: ProjectRecord;
  readonly keyId: string;
  readonly scope: KeyScope;
}

/** Only the hash of a key is stored. A key has 256 random bits, so one round of hashing cannot be reversed. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export const newKey = (): string => `sqlp_${randomKeyPart()}`;

export const randomKeyPart = (): string => randomBytes(32).toString('base64url');

/** The id of a key in lists: the beginning of its hash, which opens nothing. */
export const keyIdOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').slice(0, 12);

/** The comparison takes the same time for all wrong keys. */
export function keyMatcher(key: string): (other: string) => boolean {
  const hash = hashKey(key);
  return other => timingSafeEqual(hashKey(other), hash);
}

/** Throws for an unknown scope, which may allow less than any other. */
export function storedScope(value: unknown): KeyScope {
  const scope = keyScopeOf(value);
  if (scope !== undefined) return scope;
  throw forbidden('The API key has a scope that this version of the service does not know. Use another key.');
}
