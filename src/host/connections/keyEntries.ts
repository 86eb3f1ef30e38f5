import { arrayOf, asString, parseJson } from '../../base/decode.ts';
import { keyPrefix, type KeyPlace, type KeyUse, nameOf, usePrefix, type KeyStore, type StoredKey } from './keyStore.ts';

// Finds and deletes the keys of a project at all addresses, by the names of all entries.

/** A key that was entered for another path of the same origin. */
export interface ReusableKey {
  /** The address that the user entered the key for. */
  readonly address: string;
  readonly storedKey: StoredKey;
}

/** The newest key that the user entered for another path, unless this path has a key or the user declined. */
export async function findReusableKey(keys: KeyStore, place: KeyPlace): Promise<ReusableKey | undefined> {
  const ownName = nameOf(place);
  const entries = await keys.entries();
  // A local service issues a key of its own for each address.
  if (place.source === 'local' || entries.some(({ name }) => name === ownName)) return undefined;
  const reusableKeys = entries.flatMap(({ name, storedKey }): ReusableKey[] => {
    const parsed = parseKeyName(name);
    if (parsed?.origin !== place.origin || parsed.projectId !== place.projectId) return [];
    return storedKey && storedKey.issuedAs === undefined ? [{ address: parsed.address, storedKey }] : [];
  });
  return reusableKeys
    .toSorted((one, other) => (one.storedKey.since ?? '').localeCompare(other.storedKey.since ?? ''))
    .at(-1);
}

/**
 * Deletes the keys that a removed project leaves: its own, those of other paths, and those of addresses that it had
 * before. A key stays if another profile may use it:
 * - a listed profile has the same address and project;
 * - another workspace has used it, and this window cannot read its settings;
 * - a local service issued it for another address, and replaces and revokes it by itself.
 *
 * The user settings of another VS Code profile cannot be read, and have no name. Their projects ask for a key again.
 */
export async function forgetRemovedKeys(
  keys: KeyStore,
  removedPlace: KeyPlace,
  listed: readonly KeyPlace[],
): Promise<void> {
  const { workspace } = keys;
  const listedNames = new Set(listed.map(nameOf));
  const entries = await keys.entries();
  const usedElsewhere = new Set<string>();
  for (const { name } of entries) {
    const use = parseUseName(name);
    if (!use || parseKeyName(use.keyName)?.projectId !== removedPlace.projectId) continue;
    if (use.workspace !== workspace) usedElsewhere.add(use.keyName);
    else if (!listedNames.has(use.keyName)) await keys.deleteEntry(name);
  }
  for (const { name, storedKey } of entries) {
    if (parseKeyName(name)?.projectId !== removedPlace.projectId) continue;
    if (listedNames.has(name) || usedElsewhere.has(name)) continue;
    const isOwn = name === nameOf(removedPlace);
    if (!isOwn && (!storedKey || storedKey.issuedAs !== undefined)) continue;
    await keys.deleteEntry(name);
  }
}

interface KeyName {
  readonly origin: string;
  /** The origin and the path below which all requests go. */
  readonly address: string;
  readonly projectId: string;
}

/** Undefined if the name is not that of a key. */
function parseKeyName(name: string): KeyName | undefined {
  const [address = '', projectId] = partsOf(name, keyPrefix);
  const origin = URL.parse(address)?.origin;
  return projectId === undefined || origin === undefined ? undefined : { origin, address, projectId };
}

/** Undefined if the name is not that of a use. */
function parseUseName(name: string): KeyUse | undefined {
  const [keyName, workspace] = partsOf(name, usePrefix);
  return keyName === undefined || workspace === undefined ? undefined : { keyName, workspace };
}

const partsOf = (name: string, prefix: string): readonly string[] =>
  (name.startsWith(prefix) && arrayOf(asString)(parseJson(name.slice(prefix.length)))) || [];
