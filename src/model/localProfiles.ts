import { asRecord, type UnknownRecord } from '../base/decode.ts';
import { misuse } from '../base/errors.ts';
import { addressFields, type ProjectField, projectIdentity } from '../protocol/projectFields.ts';
import { changeRecord, type EntryChange, fieldsOf } from './profileEntries.ts';
import {
  decodeProfile,
  type DecodedProfiles,
  type Profile,
  type ProfileProblem,
  withMinProtection,
} from './profiles.ts';

/**
 * Applies the setting of local projects, which has fields by project id: all but those of the address, which the service
 * knows better. Like any broken entry, an unreadable setting makes its projects read-only.
 */
export function applyLocalFields(profiles: readonly Profile[], setting: unknown): DecodedProfiles {
  const fieldsById = setting === undefined ? {} : asRecord(setting);
  if (!fieldsById) {
    return {
      profiles: profiles.map(profile => ({ ...profile, protection: 'readOnly' })),
      problems: profiles.length > 0 ? [{ scope: 'user', kind: 'localNotAnObject', projectId: undefined }] : [],
    };
  }
  const applied = profiles.map(profile => applyFields(profile, fieldsById[profile.projectId]));
  return {
    profiles: applied.map(({ profile }) => profile),
    problems: applied.flatMap(({ problems }) => problems),
  };
}

/**
 * Adds the local service's projects to those of the settings, unless these have an entry for the same project. The user's
 * own entry decides alone. A workspace's entry cannot lower the protection that the setting of local projects has.
 */
export function mergeLocalProfiles(
  profiles: readonly Profile[],
  localProfiles: readonly Profile[],
  setting: unknown,
): DecodedProfiles {
  const ids = new Set(profiles.map(({ id }) => id));
  const isInSettings = (local: Profile): boolean => ids.has(identityOf(local));
  const replaced = applyLocalFields(localProfiles.filter(isInSettings), setting);
  const added = applyLocalFields(
    localProfiles.filter(local => !isInSettings(local)),
    setting,
  );
  const localProtections = new Map(replaced.profiles.map(local => [identityOf(local), local.protection]));
  const protectedProfiles = profiles.map(profile =>
    profile.scope === 'workspace' ? withMinProtection(profile, localProtections.get(profile.id) ?? 'open') : profile,
  );
  return { profiles: [...protectedProfiles, ...added.profiles], problems: added.problems };
}

const identityOf = ({ origin, projectId }: Profile): string => projectIdentity(origin, projectId);

/** The setting of local projects with some fields of one project changed. Everything else stays as it is. */
export function changeLocalFields(setting: unknown, profile: Profile, change: EntryChange): UnknownRecord {
  const { projectId } = profile;
  const fieldsById = setting === undefined ? {} : asRecord(setting);
  const fields = fieldsById && projectId in fieldsById ? asRecord(fieldsById[projectId]) : {};
  if (!fieldsById || !fields) {
    throw misuse('unreadable_local_setting', 'The setting of local projects is not an object. Fix it in Settings.');
  }
  const allowed = Object.entries(change).filter(([field]) => !addressFields.has(field as ProjectField));
  const changed = changeRecord(fields, Object.fromEntries(allowed));
  if (applyFields(profile, changed).problems.length > 0) {
    throw misuse('invalid_entry', 'A field has a value that is not allowed.');
  }
  return { ...fieldsById, [projectId]: changed };
}

interface AppliedFields {
  readonly profile: Profile;
  readonly problems: readonly ProfileProblem[];
}

function applyFields(profile: Profile, fields: unknown): AppliedFields {
  const { projectId, id, source, scope } = profile;
  if (fields === undefined) return { profile, problems: [] };
  const record = asRecord(fields);
  if (!record) {
    const problem: ProfileProblem = { scope: 'user', kind: 'localNotAnObject', projectId };
    return { profile: { ...profile, protection: 'readOnly' }, problems: [problem] };
  }
  const decoded = decodeProfile({ ...record, ...fieldsOf(profile, [...addressFields]) }, 'user', 0);
  const problems = decoded.problems.flatMap((problem): ProfileProblem[] => {
    if (problem.kind !== 'field') return [];
    const { field, fault } = problem;
    return [{ scope: 'user', kind: 'localField', projectId, field, fault }];
  });
  return { profile: { ...(decoded.profile ?? profile), id, source, scope }, problems };
}
