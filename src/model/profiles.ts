import { asArray, asNonBlankString, asRecord, type UnknownRecord } from '../base/decode.ts';
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
import { defaultPathPrefix } from '../wire/paths.ts';

export type SettingsScope = 'user' | 'workspace';

/** A project as the user set it up, without its API key. */
export interface Profile {
  /** Stable. The origin and the project id, or the project id alone for the local service, whose port may change. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Scheme, host and port, to which the API key is bound. */
  readonly origin: string;
  readonly pathPrefix: string;
  readonly projectId: string;
  readonly holderId: string | undefined;
  readonly projectName: string | undefined;
  readonly protection: Protection;
  readonly color: ProjectColor | undefined;
  /** Undefined for the client's default. */
  readonly retries: number | undefined;
  /** Undefined for the client's default. */
  readonly timeoutSeconds: number | undefined;
  /** The size limits of a result. Undefined for those that the settings have for all projects. */
  readonly maxRows: number | undefined;
  readonly maxBytesMb: number | undefined;
  readonly source: 'settings' | 'local';
  /** Undefined for a project of the local service, which is not in a list of the settings. */
  readonly scope: SettingsScope | undefined;
}

export type ProfileProblem = { readonly scope: SettingsScope } & (
  | { readonly kind: 'notAList' }
  | { readonly kind: 'notAnObject' | 'duplicate' | 'keyInSetting'; readonly index: number }
  | { readonly kind: 'field'; readonly index: number; readonly field: ProjectField; readonly fault: FieldFault }
  /** In the settings of local projects. Without a `projectId`, the fault is in the setting as a whole. */
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

/** The setting `sqlProjects.projects` in each settings file. */
export interface ProfileSettings {
  readonly user: unknown;
  readonly workspace: unknown;
  /** Entries of a workspace that is not trusted are ignored. */
  readonly trusted: boolean;
}

/**
 * Merges the projects of all settings files. If user and workspace name the same project, the user's entry wins, so that
 * a repository cannot send the API key elsewhere. The higher protection wins, so that it cannot lower that either. If the
 * user's setting is unreadable, its protections are unknown, and all projects of the workspace become read-only.
 */
export function mergeProfiles({ user, workspace, trusted }: ProfileSettings): DecodedProfiles {
  const userList = decodeList(user, 'user');
  const workspaceList = decodeList(trusted ? workspace : undefined, 'workspace');
  const isUserListUnreadable = userList.problems.some(({ kind }) => kind === 'notAList');
  const workspaceProtections = new Map(workspaceList.profiles.map(({ id, protection }) => [id, protection]));
  const ofUser = userList.profiles.map(profile =>
    withMinProtection(profile, workspaceProtections.get(profile.id) ?? 'open'),
  );
  const ofWorkspace = workspaceList.profiles
    .filter(({ id }) => !userList.ids.has(id))
    .map(profile => withMinProtection(profile, isUserListUnreadable ? maxProtection : 'open'));
  return {
    profiles: [...ofUser, ...ofWorkspace],
    problems: [...userList.problems, ...workspaceList.problems],
  };
}

/** Decodes the user's list of entries. A broken entry becomes a problem and leaves the other entries intact. */
export function decodeProfiles(setting: unknown): DecodedProfiles {
  const { profiles, problems } = decodeList(setting, 'user');
  return { profiles, problems };
}

interface DecodedList extends DecodedProfiles {
  /** The ids of all projects in the list, also of those whose entries are broken. */
  readonly ids: ReadonlySet<string>;
}

function decodeList(setting: unknown, scope: SettingsScope): DecodedList {
  const entries = asArray(setting ?? []);
  const ids = new Set<string>();
  if (!entries) return { profiles: [], problems: [{ scope, kind: 'notAList' }], ids };
  const profiles = new Map<string, Profile>();
  const problems: ProfileProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const decoded = decodeProfile(entry, scope, index);
    problems.push(...decoded.problems);
    if (decoded.id !== undefined) ids.add(decoded.id);
    if (!decoded.profile) continue;
    if (profiles.has(decoded.profile.id)) problems.push({ scope, kind: 'duplicate', index });
    else profiles.set(decoded.profile.id, decoded.profile);
  }
  return { profiles: [...profiles.values()], problems, ids };
}

interface DecodedEntry {
  /** Undefined if the entry does not identify a project. */
  readonly id: string | undefined;
  readonly profile: Profile | undefined;
  readonly problems: readonly ProfileProblem[];
}

/** Decodes one entry: its profile, if it has one, and everything that is wrong with it. */
export function decodeProfile(entry: unknown, scope: SettingsScope, index: number): DecodedEntry {
  const record = asRecord(entry);
  if (!record) return { id: undefined, profile: undefined, problems: [{ scope, kind: 'notAnObject', index }] };
  const problems: ProfileProblem[] = [];
  const faultyFields = new Set<ProjectField>();
  for (const field of projectFieldNames) {
    const fault = faultOfField(field, record[field]);
    if (!fault) continue;
    problems.push({ scope, kind: 'field', index, field, fault });
    faultyFields.add(field);
  }
  if ('apiKey' in record) problems.push({ scope, kind: 'keyInSetting', index });
  const isIdentified = !faultyFields.has('baseUrl') && !faultyFields.has('projectId');
  if (!isIdentified) return { id: undefined, profile: undefined, problems };
  const profile = makeProfile({ ...validFields(record, faultyFields), source: 'settings', scope });
  const hasAddress = faultyFields.isDisjointFrom(addressFields);
  return { id: profile.id, profile: hasAddress ? profile : undefined, problems };
}

/** The fields without faults. An unreadable protection becomes the highest: the user meant to have one. */
function validFields(
  record: UnknownRecord,
  faultyFields: ReadonlySet<ProjectField>,
): Omit<ProfileFields, 'source' | 'scope'> {
  const fields = Object.fromEntries(
    projectFieldNames.filter(field => !faultyFields.has(field)).map(field => [field, record[field]]),
  ) as unknown as Omit<ProfileFields, 'source' | 'scope'>;
  return faultyFields.has('protection') ? { ...fields, protection: maxProtection } : fields;
}

const maxProtection: Protection = 'readOnly';

type RequiredField = 'baseUrl' | 'projectId' | 'source';
type OptionalField = Exclude<keyof Profile, RequiredField | 'id' | 'origin'>;

export type ProfileFields = Pick<Profile, RequiredField> & {
  readonly [F in OptionalField]?: Profile[F] | undefined;
};

export function makeProfile(fields: ProfileFields): Profile {
  const { baseUrl, projectId, source } = fields;
  const holderId = asNonBlankString(fields.holderId);
  const projectName = asNonBlankString(fields.projectName);
  const { origin } = new URL(baseUrl);
  return {
    id: source === 'local' ? `local ${projectId}` : projectIdentity(origin, projectId),
    name: withoutLineBreaks(asNonBlankString(fields.name) ?? projectName ?? projectId),
    baseUrl,
    origin,
    pathPrefix: fields.pathPrefix ?? defaultPathPrefix,
    projectId,
    holderId,
    projectName,
    protection: fields.protection ?? 'open',
    color: fields.color,
    retries: fields.retries,
    timeoutSeconds: fields.timeoutSeconds,
    maxRows: fields.maxRows,
    maxBytesMb: fields.maxBytesMb,
    source,
    scope: fields.scope,
  };
}

/** A `-- @project` line must be able to hold the name. */
const withoutLineBreaks = (name: string): string => name.trim().replaceAll(/[\r\n]+/g, ' ');

export const withMinProtection = (profile: Profile, min: Protection): Profile =>
  protections.indexOf(min) > protections.indexOf(profile.protection) ? { ...profile, protection: min } : profile;
