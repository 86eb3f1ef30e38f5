import { KeyStore } from '../../src/host/connections/keyStore.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';
import { HandClock } from './handClock.ts';
import { secretStorage } from './secretStorage.ts';

export const profileAt = (baseUrl: string, fields: Partial<Profile> = {}): Profile =>
  makeProfile({ baseUrl, projectId: 'p1', source: 'settings', scope: 'user', ...fields });

export const profile = profileAt('http://127.0.0.1:9');

export const newKeyStore = (): KeyStore => new KeyStore(secretStorage(), { clock: new HandClock() });

/** The key stores of two windows with the same secret storage. */
export function openWindows() {
  const secrets = secretStorage();
  const clock = new HandClock();
  let readCount = 0;
  const countingSecrets = {
    ...secrets,
    get: (name: string) => {
      readCount++;
      return secrets.get(name);
    },
  };
  const open = (workspace: string): KeyStore => new KeyStore(countingSecrets, { clock, workspace: () => workspace });
  return {
    keys: open('file:///a'),
    otherKeys: open('file:///b'),
    secrets,
    clock,
    readCount: () => readCount,
  };
}
