import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { asNonEmptyString, asString, type Infer, lenient, object, optional, parseJson } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';

const decodeStoredKey = object({
  key: asNonEmptyString,
  /** When it was set, as an ISO date. */
  since: lenient(optional(asString)),
  /** The id by which a local service can revoke it. Only keys that the service issued for this extension have one. */
  issuedAs: lenient(optional(asNonEmptyString)),
  /** The workspace whose settings had the project when the key was entered. */
  workspace: lenient(optional(asNonEmptyString)),
});

export type StoredKey = Infer<typeof decodeStoredKey>;

/** A key belongs to the project with this id at this origin. */
type KeyPlace = Pick<Profile, 'origin' | 'projectId'>;

export interface KeyStoreOptions {
  readonly clock: Clock;
  /** Names the workspace of this window. */
  readonly workspace?: () => string | undefined;
}

const prefix = 'sqlProjects.key:';

/**
 * The API keys, in VS Code's secret storage. A key belongs to an origin and a project: an entry that is pointed at another
 * server has no key there until the user enters one.
 *
 * Keys are cached. VS Code reads a secret through the window, so each statement of a script would wait until it is painted.
 */
export class KeyStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #clock: Clock;
  readonly #workspace: () => string | undefined;
  readonly #cache = new Map<string, Promise<StoredKey | undefined>>();
  readonly #listener: Disposable;
  readonly onDidChange: Event<SecretStorageChangeEvent>;

  constructor(secrets: SecretStorage, { clock, workspace = () => undefined }: KeyStoreOptions) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#workspace = workspace;
    this.onDidChange = secrets.onDidChange;
    // This listener is the first, so that all others read the new key.
    this.#listener = secrets.onDidChange(({ key }) => this.#cache.delete(key));
  }

  async get(place: KeyPlace): Promise<string | undefined> {
    return (await this.stored(place))?.key;
  }

  async stored(place: KeyPlace): Promise<StoredKey | undefined> {
    const name = nameOf(place);
    const reading = this.#cache.get(name) ?? this.#read(name);
    this.#cache.set(name, reading);
    const uncache = (): void => {
      if (this.#cache.get(name) === reading) this.#cache.delete(name);
    };
    try {
      const stored = await reading;
      // Another window may set a missing key.
      if (!stored) uncache();
      return stored;
    } catch (thrown) {
      uncache();
      throw thrown;
    }
  }

  /** Stores a key that the user entered. */
  async setEntered(profile: Pick<Profile, 'origin' | 'projectId' | 'scope'>, key: string): Promise<void> {
    const workspace = profile.scope === 'workspace' ? this.#workspace() : undefined;
    await this.#store(profile, { key, since: this.#now(), ...(workspace !== undefined && { workspace }) });
  }

  /** Stores a key that a local service issued under an id. */
  async setIssued(place: KeyPlace, key: string, issuedAs: string | undefined): Promise<void> {
    await this.#store(place, { key, since: this.#now(), ...(issuedAs !== undefined && { issuedAs }) });
  }

  /** Puts back what {@link stored} gave before a change. */
  async restore(place: KeyPlace, stored: StoredKey | undefined): Promise<void> {
    await (stored ? this.#store(place, stored) : this.forget(place));
  }

  async forget(place: KeyPlace): Promise<void> {
    await this.#change(nameOf(place), name => this.#secrets.delete(name));
  }

  /**
   * Deletes the keys that a removed project leaves: its own, and those of addresses that it had before. A key stays if
   * another profile may use it:
   * - a listed profile has the same origin and project;
   * - it was entered for another workspace, whose settings this window cannot read;
   * - a local service issued it for another address, and replaces and revokes it by itself.
   */
  async forgetRemoved(removed: KeyPlace, listed: readonly KeyPlace[]): Promise<void> {
    const usedNames = new Set(listed.map(nameOf));
    const ownName = nameOf(removed);
    for (const name of await this.#secrets.keys()) {
      if (projectIdIn(name) !== removed.projectId || usedNames.has(name)) continue;
      const stored = await this.#read(name);
      if (name !== ownName && (!stored || stored.issuedAs !== undefined)) continue;
      if (stored?.workspace !== undefined && stored.workspace !== this.#workspace()) continue;
      await this.#change(name, unused => this.#secrets.delete(unused));
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#cache.clear();
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  async #store(place: KeyPlace, stored: StoredKey): Promise<void> {
    await this.#change(nameOf(place), name => this.#secrets.store(name, JSON.stringify(stored)));
  }

  /** A read during the change may give the old or the new key, so it does not stay in the cache. */
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
}

/** Whether a change of keys concerns this project. */
export const isKeyOf = (place: KeyPlace, { key }: SecretStorageChangeEvent): boolean => key === nameOf(place);

/** Whether a text can be a key: one word of characters that may stand in an HTTP header. */
export const isKey = (text: string): boolean => /^\s*[\x21-\x7e]+\s*$/.test(text);

const nameOf = ({ origin, projectId }: KeyPlace): string => `${prefix}${origin}/${projectId}`;

/** The part of a stored name after the prefix and the origin. */
const projectIdIn = (name: string): string | undefined =>
  name.startsWith(prefix) ? /^[a-z]+:\/\/[^/]+\/(.*)$/s.exec(name.slice(prefix.length))?.[1] : undefined;
