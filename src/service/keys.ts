import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is kept of a key. A key is 256 random bits, so one round of hashing cannot be turned back. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export const newKey = (): string => `sqlp_${randomBytes(32).toString('base64url')}`;

/** What a key is called where it is listed or revoked: the beginning of its hash, which opens nothing. */
export const keyIdOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').slice(0, 12);

/** Tells whether a key is the given one. It takes the same time for all that are not. */
export function keyMatcher(key: string): (other: string) => boolean {
  const hash = hashKey(key);
  return other => timingSafeEqual(hashKey(other), hash);
}
