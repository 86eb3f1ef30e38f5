import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
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
 * at another server has no key there until it is entered again.
 */
export class KeyStore {
  readonly #secrets: SecretStorage;
  readonly #now: () => Date;
  readonly onDidChange: Event<SecretStorageChangeEvent>;

  constructor(secrets: SecretStorage, now: () => Date) {
    this.#secrets = secrets;
    this.#now = now;
    this.onDidChange = secrets.onDidChange;
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
    await this.#secrets.store(nameOf(profile), JSON.stringify(stored));
  }

  async forget(profile: Profile): Promise<void> {
    await this.#secrets.delete(nameOf(profile));
  }

  async stored(profile: Profile): Promise<StoredKey | undefined> {
    const record = asRecord(parseJson((await this.#secrets.get(nameOf(profile))) ?? ''));
    const [key, issuedAs] = [asNonEmptyString(record?.['key']), asNonEmptyString(record?.['issuedAs'])];
    if (key === undefined) return undefined;
    return { key, since: asString(record?.['since']) ?? '', ...(issuedAs !== undefined && { issuedAs }) };
  }
}

/** Whether a change of keys is one of this project's. */
export const isKeyOf = (profile: Profile, { key }: SecretStorageChangeEvent): boolean => key === nameOf(profile);

const nameOf = ({ origin, projectId }: Profile): string => `${prefix}${origin}/${projectId}`;
