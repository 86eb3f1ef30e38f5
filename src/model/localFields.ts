import { misuse } from '../base/errors.ts';
import { asRecord, type UnknownRecord } from '../base/shape.ts';
import { addressFields, type ProjectField, projectFieldNames, projectIdentity } from '../protocol/projectFields.ts';
import { changedRecord, type EntryChange } from './profileEntries.ts';
import { atLeast, decodeProfile, type DecodedProfiles, type Profile, type ProfileProblem } from './profiles.ts';

/**
 * What the user settled about projects of the local service, by their ids: all fields but those that say where a project
 * is, which the service knows better. A setting that cannot be read protects as a broken entry of the others does.
 */
export function settleLocal(profiles: readonly Profile[], setting: unknown): DecodedProfiles {
  const byId = setting === undefined ? {} : asRecord(setting);
  if (!byId) {
    return {
      profiles: profiles.map(profile => ({ ...profile, protection: 'readOnly' })),
      problems: profiles.length > 0 ? [{ scope: 'user', kind: 'localNotAnObject', projectId: undefined }] : [],
    };
  }
  const settled = profiles.map(profile => settle(profile, byId[profile.projectId]));
  return { profiles: settled.map(({ profile }) => profile), problems: settled.flatMap(({ problems }) => problems) };
}

/**
 * The projects of the settings, and those of the local service that do not stand there as well: the user may name one, and
 * then has settled it there. A workspace may name one too, and cannot lower its protection by that.
 */
export function withLocal(profiles: readonly Profile[], local: readonly Profile[], setting: unknown): DecodedProfiles {
  const named = new Set(profiles.map(({ id }) => id));
  const hidden = settleLocal(
    local.filter(profile => named.has(identity(profile))),
    setting,
  );
  const protections = new Map(hidden.profiles.map(profile => [identity(profile), profile.protection]));
  const others = settleLocal(
    local.filter(profile => !named.has(identity(profile))),
    setting,
  );
  const raised = profiles.map(profile =>
    profile.scope === 'workspace' ? atLeast(protections.get(profile.id) ?? 'open', profile) : profile,
  );
  return { profiles: [...raised, ...others.profiles], problems: others.problems };
}

/** What an entry of the settings for the same project would be known by. */
const identity = ({ origin, projectId }: Profile): string => projectIdentity(origin, projectId);

/** The setting with fields of one project changed. What is not part of the change stays as it was. */
export function changeLocal(setting: unknown, profile: Profile, change: EntryChange): UnknownRecord {
  const { projectId } = profile;
  const byId = setting === undefined ? {} : asRecord(setting);
  const before = byId && projectId in byId ? asRecord(byId[projectId]) : {};
  if (!byId || !before) throw misuse('unreadable_local_setting', 'It is no object, so nothing is written to it.');
  const own = Object.entries(change).filter(([field]) => !addressFields.has(field as ProjectField));
  const entry = changedRecord(before, Object.fromEntries(own));
  if (settle(profile, entry).problems.length > 0) {
    throw misuse('invalid_entry', 'The project has a field with a value that it cannot have.');
  }
  return { ...byId, [projectId]: entry };
}

interface Settled {
  readonly profile: Profile;
  readonly problems: readonly ProfileProblem[];
}

function settle(profile: Profile, entry: unknown): Settled {
  const { projectId, id, source, scope } = profile;
  if (entry === undefined) return { profile, problems: [] };
  const record = asRecord(entry);
  if (!record) {
    const problem = { scope: 'user', kind: 'localNotAnObject', projectId } as const;
    return { profile: { ...profile, protection: 'readOnly' }, problems: [problem] };
  }
  const decoded = decodeProfile({ ...record, ...addressOf(profile) }, 'user', 0);
  const problems = decoded.problems.flatMap((problem): ProfileProblem[] =>
    problem.kind === 'field'
      ? [{ scope: 'user', kind: 'localField', projectId, field: problem.field, fault: problem.fault }]
      : [],
  );
  return { profile: { ...(decoded.profile ?? profile), id, source, scope }, problems };
}

const addressOf = (profile: Profile): UnknownRecord =>
  Object.fromEntries(projectFieldNames.filter(field => addressFields.has(field)).map(field => [field, profile[field]]));
