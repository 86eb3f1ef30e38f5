import type { KeyRecord, NewKey } from '../../../wire/adminAnswers.ts';
import type { KeyRequest } from '../../../wire/projectRequests.ts';
import {
  expiryOf,
  hashKey,
  hourOf,
  keyIdOf,
  type KeyOwner,
  randomKeyPart,
  storedScope,
  timestamp,
} from '../../folder/keys.ts';
import type { ObjectKeyValues } from '../../engines/durable/objectStorage.ts';

type StoredKeyRecord = Omit<KeyRecord, 'keyId' | 'projectId'>;

export type IssuedKeyFields = Pick<KeyRequest, 'user' | 'scope' | 'expiresInSeconds'>;

const prefix = 'key:';
const keyText = /^sqlp_([0-9a-f-]{36})_/;
const idText = /^([0-9a-f-]{36})_[0-9a-f]{12}$/;

/** The project that a key names. Only the object of the project knows whether the key is valid. */
export const projectInKey = (key: string): string | undefined => keyText.exec(key)?.[1];

export const projectInKeyId = (keyId: string): string | undefined => idText.exec(keyId)?.[1];

/** The keys of one project, in the storage of its object. Only their hashes are stored. */
export class ObjectKeys {
  readonly #kv: ObjectKeyValues;

  constructor(kv: ObjectKeyValues) {
    this.#kv = kv;
  }

  /** The key names its project for the router. It cannot be read again. */
  issue(projectId: string, { user, scope, expiresInSeconds }: IssuedKeyFields, now: number): NewKey {
    const apiKey = `sqlp_${projectId}_${randomKeyPart()}`;
    const hash = hashKey(apiKey).toString('hex');
    const stored: StoredKeyRecord = {
      issuedTo: user,
      issuedAt: timestamp(now),
      revokedAt: undefined,
      expiresAt: expiryOf(now, expiresInSeconds),
      lastUsedAt: undefined,
      scope,
    };
    this.#kv.put(prefix + hash, stored);
    return { keyId: idOf(projectId, hash), apiKey };
  }

  /** An object that is full must not refuse calls that only read, or that make room. */
  #noteUse(hash: string, stored: StoredKeyRecord, now: number): void {
    const lastUsedAt = hourOf(now);
    if (stored.lastUsedAt === lastUsedAt) return;
    try {
      this.#kv.put(prefix + hash, { ...stored, lastUsedAt });
    } catch {
      // The next call tries again.
    }
  }

  /** The id and scope of a valid key. The lookup is by hash, so its time reveals nothing about keys. */
  find(projectId: string, key: string, now: number): Omit<KeyOwner, 'project'> | undefined {
    const hash = hashKey(key).toString('hex');
    const stored = this.#kv.get(prefix + hash) as StoredKeyRecord | undefined;
    if (!stored || stored.revokedAt !== undefined) return undefined;
    if (stored.expiresAt !== undefined && stored.expiresAt <= timestamp(now)) return undefined;
    this.#noteUse(hash, stored, now);
    return { keyId: idOf(projectId, hash), scope: storedScope(stored.scope) };
  }

  /** All keys, including revoked ones. */
  list(projectId: string): KeyRecord[] {
    const keys = Array.from(this.#kv.list({ prefix }), ([name, value]) =>
      recordOf(projectId, name, value as StoredKeyRecord),
    );
    return keys.toSorted((one, other) => one.issuedAt.localeCompare(other.issuedAt));
  }

  /** Revokes a key and returns its record; undefined if no key has that id. */
  revoke(projectId: string, keyId: string, now: number): KeyRecord | undefined {
    for (const [name, value] of this.#kv.list({ prefix })) {
      const stored = value as StoredKeyRecord;
      if (recordOf(projectId, name, stored).keyId !== keyId) continue;
      const revoked = { ...stored, revokedAt: stored.revokedAt ?? timestamp(now) };
      this.#kv.put(name, revoked);
      return recordOf(projectId, name, revoked);
    }
    return undefined;
  }
}

const idOf = (projectId: string, hash: string): string => `${projectId}_${keyIdOf(Buffer.from(hash, 'hex'))}`;

const recordOf = (projectId: string, name: string, stored: StoredKeyRecord): KeyRecord => ({
  keyId: idOf(projectId, name.slice(prefix.length)),
  projectId,
  ...stored,
});
