import { asArray, asRecord, type UnknownRecord } from '../base/decode.ts';
import { misuse } from '../base/errors.ts';
import { type ProjectField, projectFieldNames } from '../protocol/projectFields.ts';
import { defaultPathPrefix } from '../wire/paths.ts';
import { decodeProfile, type Profile } from './profiles.ts';

/*
 * Changes to the setting `sqlProjects.projects` of one settings file. Each function returns the list to write. Broken
 * entries and unknown fields stay as they are. A setting that is not a list is never overwritten.
 */

/** Fields to set. An undefined field is removed. */
export type EntryChange = Readonly<Partial<Record<ProjectField, string | number | undefined>>>;

export const addEntry = (setting: unknown, change: EntryChange): unknown[] => addEntries(setting, [change]);

export function addEntries(setting: unknown, changes: readonly EntryChange[]): unknown[] {
  const entries = entriesOf(setting);
  const ids = new Set(entries.map(idOfEntry));
  for (const change of changes) {
    const entry = changeRecord({}, change);
    const { id } = validProfileOf(entry);
    if (ids.has(id)) throw duplicateProject();
    ids.add(id);
    entries.push(entry);
  }
  return entries;
}

export function changeEntry(setting: unknown, id: string, change: EntryChange): unknown[] {
  const entries = entriesOf(setting);
  const index = indexOfExisting(entries, id);
  const entry = changeRecord(asRecord(entries[index]) ?? {}, change);
  const sameProjectIndex = indexOf(entries, validProfileOf(entry).id);
  if (sameProjectIndex >= 0 && sameProjectIndex !== index) throw duplicateProject();
  return entries.with(index, entry);
}

export function removeEntry(setting: unknown, id: string): unknown[] {
  const entries = entriesOf(setting);
  return entries.toSpliced(indexOfExisting(entries, id), 1);
}

/** The entry for a profile, without fields that have their default value. */
export function entryOf(profile: Profile): EntryChange {
  const { name, pathPrefix, projectId, projectName, protection } = profile;
  const defaults: EntryChange = {
    ...(name === (projectName ?? projectId) && { name: undefined }),
    ...(pathPrefix === defaultPathPrefix && { pathPrefix: undefined }),
    ...(protection === 'open' && { protection: undefined }),
  };
  return changeRecord({}, { ...fieldsOf(profile, projectFieldNames), ...defaults });
}

export const fieldsOf = (profile: Profile, fields: readonly ProjectField[]): EntryChange =>
  Object.fromEntries(fields.map(field => [field, profile[field]]));

function entriesOf(setting: unknown): unknown[] {
  const entries = asArray(setting ?? []);
  if (!entries) throw misuse('unreadable_setting', 'The setting of projects is not a list. Fix it in Settings.');
  return [...entries];
}

function indexOf(entries: readonly unknown[], id: string): number {
  return entries.findIndex(entry => idOfEntry(entry) === id);
}

const idOfEntry = (entry: unknown): string | undefined => decodeProfile(entry, 'user', 0).profile?.id;

function indexOfExisting(entries: readonly unknown[], id: string): number {
  const index = indexOf(entries, id);
  if (index < 0) throw misuse('no_such_entry', 'The project is no longer in the settings.');
  return index;
}

export function changeRecord(record: UnknownRecord, change: EntryChange): UnknownRecord {
  const changedFields = projectFieldNames
    .filter(field => field in change)
    .map(field => [field, change[field]] as const);
  const fields = Object.entries({ ...record, ...Object.fromEntries(changedFields) });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The profile of an entry that will be written, which must not have a faulty field. */
function validProfileOf(entry: UnknownRecord): Profile {
  const { profile, problems } = decodeProfile(entry, 'user', 0);
  if (profile && problems.every(({ kind }) => kind !== 'field')) return profile;
  throw misuse('invalid_entry', 'A field has a value that is not allowed.');
}

const duplicateProject = (): Error => misuse('duplicate_project', 'The settings already have this project.');
