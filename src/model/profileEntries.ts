import { misuse } from '../base/errors.ts';
import { asArray, asRecord, type UnknownRecord } from '../base/shape.ts';
import { defaultPathPrefix } from '../wire/paths.ts';
import { type ProjectField, projectFieldNames } from '../protocol/projectFields.ts';
import { decodeProfile, type Profile } from './profiles.ts';

/**
 * Changes to the setting `sqlProjects.projects` as it stands in one file: each gives the list to write. What is not part
 * of a change stays as it was, also entries that are broken and fields that nobody knows; a setting that cannot be read
 * as a list is never written over.
 */

/** Fields to set; one that is undefined is taken out. */
export type EntryChange = Readonly<Partial<Record<ProjectField, string | number | undefined>>>;

export const addEntry = (setting: unknown, change: EntryChange): unknown[] => addEntries(setting, [change]);

export function addEntries(setting: unknown, changes: readonly EntryChange[]): unknown[] {
  const entries = entriesOf(setting);
  const present = new Set(entries.map(idIn));
  for (const change of changes) {
    const entry = changedRecord({}, change);
    const { id } = soundProfile(entry);
    if (present.has(id)) throw duplicate();
    present.add(id);
    entries.push(entry);
  }
  return entries;
}

export function changeEntry(setting: unknown, id: string, change: EntryChange): unknown[] {
  const entries = entriesOf(setting);
  const index = placeOf(entries, id);
  const entry = changedRecord(asRecord(entries[index]) ?? {}, change);
  const other = indexOf(entries, soundProfile(entry).id);
  if (other >= 0 && other !== index) throw duplicate();
  return entries.with(index, entry);
}

export function removeEntry(setting: unknown, id: string): unknown[] {
  const entries = entriesOf(setting);
  return entries.toSpliced(placeOf(entries, id), 1);
}

/** The entry of a profile, without what is usual anyway. */
export function entryOf(profile: Profile): EntryChange {
  const { name, baseUrl, pathPrefix, projectId, holderId, projectName } = profile;
  const { protection, color, retries, timeoutSeconds, maxRows, maxBytesMb } = profile;
  const entry: EntryChange = {
    ...{ name: name === (projectName ?? projectId) ? undefined : name, baseUrl },
    ...{ pathPrefix: pathPrefix === defaultPathPrefix ? undefined : pathPrefix, projectId, holderId, projectName },
    ...{ protection: protection === 'open' ? undefined : protection, color, retries, timeoutSeconds },
    ...{ maxRows, maxBytesMb },
  };
  return changedRecord({}, entry);
}

function entriesOf(setting: unknown): unknown[] {
  const entries = asArray(setting ?? []);
  if (!entries) throw misuse('unreadable_setting', 'The setting of projects is no list, so nothing is written to it.');
  return [...entries];
}

function indexOf(entries: readonly unknown[], id: string): number {
  return entries.findIndex(entry => idIn(entry) === id);
}

const idIn = (entry: unknown): string | undefined => decodeProfile(entry, 'user', 0).profile?.id;

function placeOf(entries: readonly unknown[], id: string): number {
  const index = indexOf(entries, id);
  if (index < 0) throw misuse('no_such_entry', 'The setting has no such project any more.');
  return index;
}

/** A record with fields set and others taken out. */
export function changedRecord(record: UnknownRecord, change: EntryChange): UnknownRecord {
  const set = projectFieldNames.filter(field => field in change).map(field => [field, change[field]] as const);
  const all = Object.entries({ ...record, ...Object.fromEntries(set) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** The profile of an entry that is about to be written. It must be one without any fault of a field. */
function soundProfile(entry: UnknownRecord): Profile {
  const { profile, problems } = decodeProfile(entry, 'user', 0);
  if (profile && problems.every(({ kind }) => kind !== 'field')) return profile;
  throw misuse('invalid_entry', 'The project has a field with a value that it cannot have.');
}

const duplicate = (): Error => misuse('duplicate_project', 'There is such a project already.');
