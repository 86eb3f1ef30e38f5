import { asRecord, type Decoder, oneOf } from '../base/decode.ts';
import { asProjectError, type ProjectError, protocolError } from '../base/errors.ts';

/** `full` allows everything in the project of the key, `read` only what changes nothing. */
export const keyScopes = ['full', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const asKeyScope: Decoder<KeyScope> = oneOf(keyScopes);

/** A key without a scope is full: it is older than scopes. Undefined for an unknown scope. */
export const keyScopeOf = (value: unknown): KeyScope | undefined => (value === undefined ? 'full' : asKeyScope(value));

/** Whether a call was refused because its key only reads. */
export const isReadOnlyKeyFault = (thrown: unknown): boolean => {
  const error = asProjectError(thrown);
  return error?.code === 'forbidden' && asRecord(asRecord(error)?.['details'])?.['scope'] === 'read';
};

interface IssuedScope {
  readonly scope?: KeyScope;
  readonly keyId?: string;
}

/** False if a key that only reads was requested, but not issued. Services without scopes issue full keys. */
export const hasScope = ({ scope }: IssuedScope, requestedScope: KeyScope = 'full'): boolean =>
  requestedScope === 'full' || scope === requestedScope;

export function wrongScope({ keyId }: IssuedScope, isRevoked = false): ProjectError {
  const name = keyId === undefined ? 'the key' : `the key ${keyId}`;
  const revoke = isRevoked ? 'It is revoked. Update' : 'Revoke it, and update';
  const message = `The service issues no keys that only read. It issued ${name}, which may write. ${revoke} the service.`;
  return protocolError('scope_not_offered', message);
}
