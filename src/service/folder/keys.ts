import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Only the hash of a key is stored. A key has 256 random bits, so one round of hashing cannot be reversed. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export const newKey = (): string => `sqlp_${randomKeyPart()}`;

/** The part of a key that nobody can guess. */
export const randomKeyPart = (): string => randomBytes(32).toString('base64url');

/** The id of a key in lists: the beginning of its hash, which opens nothing. */
export const keyIdOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').slice(0, 12);

/** Compares other keys with this one. The comparison takes the same time for all wrong keys. */
export function keyMatcher(key: string): (other: string) => boolean {
  const hash = hashKey(key);
  return other => timingSafeEqual(hashKey(other), hash);
}
