import type { Profile } from '../../model/profiles.ts';
import type { StoredKey } from './keyStore.ts';

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
