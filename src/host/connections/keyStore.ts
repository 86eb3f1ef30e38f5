import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { asNonEmptyString, asRecord, asString, parseJson } from '../../base/shape.ts';
import type { Profile } from '../../model/profiles.ts';

export interface StoredKey {
  readonly key: string;
  /** When it was set, as an ISO date. */
  readonly since: string;
  /** What a local service calls it, when it was issued for us and not entered by somebody. */
  readonly issuedAs?: string;
}

const prefix = 'sqlProjects.key:';

/**
 * The API keys, in SecretStorage and nowhere else. A key belongs to an origin and a project: an entry that is pointed
 * at another server has no key there until it is entered again. A key that was read is known until it changes: VS Code
 * gives it by way of the window, which has each statement of a script wait until it is painted.
 */
export class KeyStore implements Disposable {
  readonly #secrets: SecretStorage;
  readonly #now: () => Date;
  readonly #known = new Map<string, Promise<StoredKey | undefined>>();
  readonly #listener: Disposable;
  readonly onDidChange: Event<SecretStorageChangeEvent>;

  constructor(secrets: SecretStorage, now: () => Date) {
    this.#secrets = secrets;
    this.#now = now;
    this.onDidChange = secrets.onDidChange;
    // Comes first, so that whoever hears of a change reads what there is now.
    this.#listener = secrets.onDidChange(({ key }) => this.#known.delete(key));
  }

  async get(profile: Profile): Promise<string | undefined> {
    return (await this.stored(profile))?.key;
  }

  /** When the key was set, as an ISO date; undefined when there is none. */
  async since(profile: Profile): Promise<string | undefined> {
    return (await this.stored(profile))?.since;
  }

  async set(profile: Profile, key: string, issuedAs?: string): Promise<void> {
    const stored: StoredKey = { key, since: this.#now().toISOString(), ...(issuedAs !== undefined && { issuedAs }) };
    await this.#change(profile, name => this.#secrets.store(name, JSON.stringify(stored)));
  }

  async forget(profile: Profile): Promise<void> {
    await this.#change(profile, name => this.#secrets.delete(name));
  }

  async stored(profile: Profile): Promise<StoredKey | undefined> {
    const name = nameOf(profile);
    const reading = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, reading);
    const drop = (): void => {
      if (this.#known.get(name) === reading) this.#known.delete(name);
    };
    try {
      const stored = await reading;
      // One that is not there yet may come from another window.
      if (!stored) drop();
      return stored;
    } catch (thrown) {
      drop();
      throw thrown;
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#known.clear();
  }

  /** What is read while it changes may be either, and is not kept. */
  async #change(profile: Profile, change: (name: string) => Thenable<void>): Promise<void> {
    const name = nameOf(profile);
    try {
      await change(name);
    } finally {
      this.#known.delete(name);
    }
  }

  async #read(name: string): Promise<StoredKey | undefined> {
    const record = asRecord(parseJson((await this.#secrets.get(name)) ?? ''));
    const [key, issuedAs] = [asNonEmptyString(record?.['key']), asNonEmptyString(record?.['issuedAs'])];
    if (key === undefined) return undefined;
    return { key, since: asString(record?.['since']) ?? '', ...(issuedAs !== undefined && { issuedAs }) };
  }
}

/** Whether a change of keys is one of this project's. */
export const isKeyOf = (profile: Profile, { key }: SecretStorageChangeEvent): boolean => key === nameOf(profile);

const nameOf = ({ origin, projectId }: Profile): string => `${prefix}${origin}/${projectId}`;
