import { asArray, asNonEmptyString, asRecord, type UnknownRecord } from '../base/shape.ts';
import { defaultPathPrefix } from '../wire/paths.ts';
import {
  addressFields,
  type FieldFault,
  faultOfField,
  type ProjectColor,
  type ProjectField,
  projectFieldNames,
  projectIdentity,
  type Protection,
  protections,
} from '../protocol/projectFields.ts';

/** Whose settings an entry stands in. */
export type SettingsScope = 'user' | 'workspace';

/** A project as the user knows it, without its key. */
export interface Profile {
  /** Stable, for lists and memory: the endpoint and the project together; the project alone where the port may change. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Scheme, host and port: what a key is bound to. */
  readonly origin: string;
  readonly pathPrefix: string;
  readonly projectId: string;
  readonly holderId: string | undefined;
  readonly projectName: string | undefined;
  readonly protection: Protection;
  readonly color: ProjectColor | undefined;
  /** The client's own defaults count where these are not set. */
  readonly retries: number | undefined;
  readonly timeoutSeconds: number | undefined;
  /** How much a result of the project keeps; what the settings say for all projects counts where these are not set. */
  readonly maxRows: number | undefined;
  readonly maxBytesMb: number | undefined;
  readonly source: 'settings' | 'local';
  /** Whose settings it stands in; undefined for a project of the local service. */
  readonly scope: SettingsScope | undefined;
}

/** What is wrong with one entry of the setting. */
export type ProfileProblem = { readonly scope: SettingsScope } & (
  | { readonly kind: 'notAList' }
  | { readonly kind: 'notAnObject' | 'duplicate' | 'keyInSetting'; readonly index: number }
  | { readonly kind: 'field'; readonly index: number; readonly field: ProjectField; readonly fault: FieldFault }
  /** Of what is settled about a project of the local service; undefined when it is about all of them. */
  | { readonly kind: 'localNotAnObject'; readonly projectId: string | undefined }
  | {
      readonly kind: 'localField';
      readonly projectId: string;
      readonly field: ProjectField;
      readonly fault: FieldFault;
    }
);

export interface DecodedProfiles {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
}

/** The setting `sqlProjects.projects` as it stands in each place. */
export interface ProfileSettings {
  readonly user: unknown;
  readonly workspace: unknown;
  /** Only in a workspace that the user trusts do its own entries count. */
  readonly trusted: boolean;
}

/**
 * The projects of all settings. Where user and workspace name the same project, the user's own entry stands, so that a
 * repository cannot send a key elsewhere, and the higher protection wins, so that it cannot lower that either. While
 * the user's setting cannot be read, nobody knows what it protects: then nothing is written to the workspace's projects.
 */
export function mergeProfiles({ user, workspace, trusted }: ProfileSettings): DecodedProfiles {
  const own = decodeList(user, 'user');
  const shared = decodeList(trusted ? workspace : undefined, 'workspace');
  const unread = own.problems.some(({ kind }) => kind === 'notAList');
  const raised = new Map(shared.profiles.map(({ id, protection }) => [id, protection]));
  return {
    profiles: [
      ...own.profiles.map(profile => atLeast(raised.get(profile.id) ?? 'open', profile)),
      ...shared.profiles
        .filter(({ id }) => !own.named.has(id))
        .map(profile => atLeast(unread ? highest : 'open', profile)),
    ],
    problems: [...own.problems, ...shared.problems],
  };
}

/** Reads one list of entries. A broken entry is a problem to show; it takes no other entry with it. */
export function decodeProfiles(setting: unknown, scope: SettingsScope = 'user'): DecodedProfiles {
  const { profiles, problems } = decodeList(setting, scope);
  return { profiles, problems };
}

interface DecodedList extends DecodedProfiles {
  /** The ids of all projects that the list names, also of those whose entries are broken. */
  readonly named: ReadonlySet<string>;
}

function decodeList(setting: unknown, scope: SettingsScope): DecodedList {
  const entries = asArray(setting ?? []);
  const named = new Set<string>();
  if (!entries) return { profiles: [], problems: [{ scope, kind: 'notAList' }], named };
  const profiles = new Map<string, Profile>();
  const problems: ProfileProblem[] = [];
  entries.forEach((entry, index) => {
    const decoded = decodeProfile(entry, scope, index);
    problems.push(...decoded.problems);
    if (decoded.id !== undefined) named.add(decoded.id);
    if (!decoded.profile) return;
    if (profiles.has(decoded.profile.id)) problems.push({ scope, kind: 'duplicate', index });
    else profiles.set(decoded.profile.id, decoded.profile);
  });
  return { profiles: [...profiles.values()], problems, named };
}

interface DecodedEntry {
  /** Undefined when the entry does not even say which project it means. */
  readonly id: string | undefined;
  readonly profile: Profile | undefined;
  readonly problems: readonly ProfileProblem[];
}

/** The profile of one entry, where there is one, and all that is wrong with the entry. */
export function decodeProfile(entry: unknown, scope: SettingsScope, index: number): DecodedEntry {
  const record = asRecord(entry);
  if (!record) return { id: undefined, profile: undefined, problems: [{ scope, kind: 'notAnObject', index }] };
  const problems: ProfileProblem[] = [];
  const faulty = new Set<ProjectField>();
  for (const field of projectFieldNames) {
    const fault = faultOfField(field, record[field]);
    if (!fault) continue;
    problems.push({ scope, kind: 'field', index, field, fault });
    faulty.add(field);
  }
  if ('apiKey' in record) problems.push({ scope, kind: 'keyInSetting', index });
  if (faulty.has('baseUrl') || faulty.has('projectId')) return { id: undefined, profile: undefined, problems };
  const profile = makeProfile({ ...fieldsOf(record, faulty), source: 'settings', scope });
  return { id: profile.id, profile: faulty.isDisjointFrom(addressFields) ? profile : undefined, problems };
}

/** An entry's fields, without the faulty ones. A protection that cannot be read is the highest: it was not meant to be none. */
function fieldsOf(record: UnknownRecord, faulty: ReadonlySet<ProjectField>): Omit<ProfileFields, 'source'> {
  const sound = Object.fromEntries(
    projectFieldNames.filter(field => !faulty.has(field)).map(field => [field, record[field]]),
  ) as unknown as Omit<ProfileFields, 'source'>;
  return faulty.has('protection') ? { ...sound, protection: highest } : sound;
}

const highest: Protection = 'readOnly';

export interface ProfileFields {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly source: Profile['source'];
  readonly scope?: SettingsScope | undefined;
  readonly name?: string | undefined;
  readonly pathPrefix?: string | undefined;
  readonly holderId?: string | undefined;
  readonly projectName?: string | undefined;
  readonly protection?: Protection | undefined;
  readonly color?: ProjectColor | undefined;
  readonly retries?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly maxRows?: number | undefined;
  readonly maxBytesMb?: number | undefined;
}

export function makeProfile(fields: ProfileFields): Profile {
  const { baseUrl, projectId, source, scope, pathPrefix = defaultPathPrefix, protection = 'open' } = fields;
  const { color, retries, timeoutSeconds, maxRows, maxBytesMb } = fields;
  const [holderId, projectName] = [asNonEmptyString(fields.holderId), asNonEmptyString(fields.projectName)];
  const { origin } = new URL(baseUrl);
  return {
    id: source === 'local' ? `local ${projectId}` : projectIdentity(origin, projectId),
    name: inOneLine(asNonEmptyString(fields.name) ?? projectName ?? projectId),
    ...{ baseUrl, origin, pathPrefix, projectId, holderId, projectName },
    ...{ protection, color, retries, timeoutSeconds, maxRows, maxBytesMb, source, scope },
  };
}

/** A line such as `-- @project` has to be able to say it. */
const inOneLine = (name: string): string => name.trim().replaceAll(/[\r\n]+/g, ' ');

export const atLeast = (least: Protection, profile: Profile): Profile =>
  protections.indexOf(least) > protections.indexOf(profile.protection) ? { ...profile, protection: least } : profile;
