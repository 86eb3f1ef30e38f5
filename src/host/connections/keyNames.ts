import type { Profile } from '../../model/profiles.ts';

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
export const useNameOf = ({ keyName, workspace }: KeyUse): string => usePrefix + JSON.stringify([keyName, workspace]);
