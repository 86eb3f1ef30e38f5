import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { asNonBlankString, asString, type Infer, lenient, object, optional, parseJson } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';

const decodeStoredKey = object({
  key: asNonBlankString,
  /** When it was set, as an ISO date. */
  since: lenient(optional(asString)),
  /** The id by which a local service can revoke it. Only keys that the service issued for this extension have one. */
  issuedAs: lenient(optional(asNonBlankString)),
});

export type StoredKey = Infer<typeof decodeStoredKey>;

interface KeyEntry {
  readonly name: string;
  /** Undefined for an entry without a key. */
  readonly storedKey: StoredKey | undefined;
}

interface KeyStoreOptions {
  readonly clock: Clock;
  /** Names the workspace of this window, if it is trusted. */
  readonly workspace?: () => string | undefined;
}

/** The entry of a place for which the user has refused the key of another path. */
const refusedEntry = '{}';

/**
 * The API keys, in VS Code's secret storage. A key belongs to an address with its path, and to a project there. When a
 * settings entry gets another address or path, it has no key until the user enters or confirms one.
 *
 * Keys are cached. VS Code reads a secret through the window, so each statement of a script would wait until it is painted.
 */
export class KeyStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #options: KeyStoreOptions;
  readonly #cache = new Map<string, Promise<StoredKey | undefined>>();
  /** The uses that this window has stored. */
  readonly #storedUses = new Set<string>();
  readonly #listener: Disposable;
  readonly onDidChange: Event<SecretStorageChangeEvent>;

  constructor(secrets: SecretStorage, options: KeyStoreOptions) {
    this.#secrets = secrets;
    this.#options = options;
    this.onDidChange = secrets.onDidChange;
    // Registered first, so that all other listeners read the new key.
    this.#listener = secrets.onDidChange(({ key }) => this.#cache.delete(key));
  }

  get workspace(): string | undefined {
    return this.#options.workspace?.();
  }

  /** The key for a call. Records that this workspace uses it. */
  async get(place: KeyPlace): Promise<string | undefined> {
    const stored = await this.stored(place);
    // Only the removal of a project needs the use, so the call continues without it.
    if (stored) await this.#storeUse(place).catch(() => undefined);
    return stored?.key;
  }

  async stored(place: KeyPlace): Promise<StoredKey | undefined> {
    const name = nameOf(place);
    const reading = this.#cache.get(name) ?? this.#read(name);
    this.#cache.set(name, reading);
    let stored: StoredKey | undefined;
    try {
      stored = await reading;
      return stored;
    } finally {
      // Do not cache a failure. Another window may set a missing key.
      if (!stored && this.#cache.get(name) === reading) this.#cache.delete(name);
    }
  }

  async setEntered(place: KeyPlace, key: string): Promise<void> {
    await this.#store(place, { key, since: this.#now() });
    await this.#storeUse(place);
  }

  async setIssued(place: KeyPlace, key: string, issuedAs: string | undefined): Promise<void> {
    await this.#store(place, { key, since: this.#now(), ...(issuedAs !== undefined && { issuedAs }) });
  }

  /** Undoes a change. `storedKey` is the answer of {@link stored} before it. */
  async restore(place: KeyPlace, storedKey: StoredKey | undefined): Promise<void> {
    await (storedKey ? this.#store(place, storedKey) : this.deleteEntry(nameOf(place)));
  }

  /** Deletes the key. No key of another path is offered in its place, but a local service issues a new one. */
  async forget(place: KeyPlace): Promise<void> {
    await (place.source === 'local' ? this.deleteEntry(nameOf(place)) : this.decline(place));
  }

  /** Remembers that the user wants no key of another path here. */
  async decline(place: KeyPlace): Promise<void> {
    await this.#change(nameOf(place), name => this.#secrets.store(name, refusedEntry));
  }

  async entries(): Promise<readonly KeyEntry[]> {
    const names = await this.#secrets.keys();
    return Promise.all(names.map(async name => ({ name, storedKey: await this.#read(name) })));
  }

  async deleteEntry(name: string): Promise<void> {
    this.#storedUses.delete(name);
    await this.#change(name, unused => this.#secrets.delete(unused));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#cache.clear();
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }

  async #store(place: KeyPlace, storedKey: StoredKey): Promise<void> {
    await this.#change(nameOf(place), name => this.#secrets.store(name, JSON.stringify(storedKey)));
  }

  /** Do not cache what was read during the change: it may be the old key. */
  async #change(name: string, change: (name: string) => Thenable<void>): Promise<void> {
    try {
      await change(name);
    } finally {
      this.#cache.delete(name);
    }
  }

  async #read(name: string): Promise<StoredKey | undefined> {
    return decodeStoredKey(parseJson((await this.#secrets.get(name)) ?? ''));
  }

  /** Marks the key as used by the settings of this workspace. */
  async #storeUse(place: KeyPlace): Promise<void> {
    const { workspace } = this;
    if (place.scope !== 'workspace' || workspace === undefined) return;
    const use = useNameOf({ keyName: nameOf(place), workspace });
    if (this.#storedUses.has(use)) return;
    await this.#secrets.store(use, '1');
    this.#storedUses.add(use);
  }
}

export const isKeyOf = (place: KeyPlace, { key }: SecretStorageChangeEvent): boolean => key === nameOf(place);

/** Whether a text can be a key: one word of characters that an HTTP header may have. */
export const isKey = (text: string): boolean => /^\s*[\x21-\x7e]+\s*$/.test(text);

/** Issues and revokes keys at the local service that the settings choose. */
export interface LocalKeys {
  /** Issues a key for a project and stores it in place of the former one, which stays valid until it is revoked. */
  issue(profile: Profile): Promise<void>;
  revoke(keyId: string): Promise<void>;
}

/** Revokes a key that is no longer stored. No failure is reported: the service may be gone for good. */
export function revokeInBackground(localKeys: Pick<LocalKeys, 'revoke'>, storedKey: StoredKey | undefined): void {
  if (storedKey?.issuedAs !== undefined) void localKeys.revoke(storedKey.issuedAs).catch(() => undefined);
}

// The names of entries in the secret storage. A name shows the address and the project, but nothing of the key.

/** The fields of a profile that decide where its key is sent. */
export type KeyPlace = Pick<Profile, 'origin' | 'baseUrl' | 'pathPrefix' | 'projectId' | 'source' | 'scope'>;

export const keyPrefix = 'sqlProjects.key:';
export const usePrefix = 'sqlProjects.keyUse:';

/** The address below which all requests of a project go. Two spellings of a path are two addresses. */
export function addressOf({ origin, baseUrl, pathPrefix }: KeyPlace): string {
  return origin + withoutLastSlash(new URL(baseUrl).pathname) + withoutLastSlash(pathPrefix);
}

const withoutLastSlash = (path: string): string => path.replace(/\/+$/, '');

export const nameOf = (place: KeyPlace): string => keyPrefix + JSON.stringify([addressOf(place), place.projectId]);

/** Says that the settings of a workspace have a project that uses this key. */
export interface KeyUse {
  readonly keyName: string;
  readonly workspace: string;
}

/** Each use is a separate entry, so that windows can write at the same time. */
const useNameOf = ({ keyName, workspace }: KeyUse): string => usePrefix + JSON.stringify([keyName, workspace]);
