import { KeyStore } from '../../src/host/connections/keyStore.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';
import { HandClock } from './handClock.ts';
import { secretStorage } from './secretStorage.ts';

export const profileAt = (baseUrl: string, fields: Partial<Profile> = {}): Profile =>
  makeProfile({ baseUrl, projectId: 'p1', source: 'settings', scope: 'user', ...fields });

export const profile = profileAt('http://127.0.0.1:9');

/** The name of the key of `profile` before keys were bound to the path. */
export const formerName = 'sqlProjects.key:http://127.0.0.1:9/p1';
export const formerKey = JSON.stringify({ key: 'former', since: '2026-01-01T00:00:00.000Z' });

export const newKeyStore = (): KeyStore => new KeyStore(secretStorage(), { clock: new HandClock() });

/** The key stores of two windows with the same secret storage. */
export function openWindows() {
  const secrets = secretStorage();
  let readCount = 0;
  const countingSecrets = {
    ...secrets,
    get: (name: string) => {
      readCount++;
      return secrets.get(name);
    },
  };
  const open = (workspace: string): KeyStore =>
    new KeyStore(countingSecrets, { clock: new HandClock(), workspace: () => workspace });
  return {
    keys: open('file:///a'),
    otherKeys: open('file:///b'),
    secrets,
    readCount: () => readCount,
  };
}
