import { asProjectError } from '../base/errors.ts';
import { asArray, asNonEmptyString, asRecord, asString } from '../base/shape.ts';
import { parseBaseUrl } from '../wire/baseUrl.ts';
import { defaultPathPrefix } from '../wire/paths.ts';

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
  readonly source: 'settings' | 'local';
}

/** What is wrong with one entry of the setting. */
export type ProfileProblem =
  | { readonly kind: 'notAList' }
  | { readonly kind: 'notAnObject' | 'duplicate'; readonly index: number }
  | { readonly kind: 'missingField'; readonly index: number; readonly field: string }
  | { readonly kind: 'badUrl' | 'insecureUrl'; readonly index: number };

export interface DecodedProfiles {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
}

/** Reads the setting `sqlProjects.projects`. A broken entry is a problem to show; it takes no other entry with it. */
export function decodeProfiles(setting: unknown): DecodedProfiles {
  const entries = asArray(setting ?? []);
  if (!entries) return { profiles: [], problems: [{ kind: 'notAList' }] };
  const profiles = new Map<string, Profile>();
  const problems: ProfileProblem[] = [];
  entries.forEach((entry, index) => {
    const decoded = decodeProfile(entry, index);
    if ('kind' in decoded) problems.push(decoded);
    else if (profiles.has(decoded.id)) problems.push({ kind: 'duplicate', index });
    else profiles.set(decoded.id, decoded);
  });
  return { profiles: [...profiles.values()], problems };
}

function decodeProfile(entry: unknown, index: number): Profile | ProfileProblem {
  const record = asRecord(entry);
  if (!record) return { kind: 'notAnObject', index };
  const baseUrl = asNonEmptyString(record['baseUrl']);
  const projectId = asNonEmptyString(record['projectId']);
  if (baseUrl === undefined) return { kind: 'missingField', index, field: 'baseUrl' };
  if (projectId === undefined) return { kind: 'missingField', index, field: 'projectId' };
  const fault = faultOfUrl(baseUrl);
  if (fault) return { kind: fault, index };
  return makeProfile({
    baseUrl,
    projectId,
    source: 'settings',
    name: asNonEmptyString(record['name']),
    pathPrefix: asString(record['pathPrefix']),
    holderId: asNonEmptyString(record['holderId']),
    projectName: asNonEmptyString(record['projectName']),
  });
}

export interface ProfileFields {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly source: Profile['source'];
  readonly name?: string | undefined;
  readonly pathPrefix?: string | undefined;
  readonly holderId?: string | undefined;
  readonly projectName?: string | undefined;
}

export function makeProfile(fields: ProfileFields): Profile {
  const { baseUrl, projectId, source, pathPrefix = defaultPathPrefix, holderId, projectName } = fields;
  const { origin } = new URL(baseUrl);
  return {
    id: source === 'local' ? `local ${projectId}` : `${origin} ${projectId}`,
    name: fields.name ?? projectName ?? projectId,
    ...{ baseUrl, origin, pathPrefix, projectId, holderId, projectName, source },
  };
}

/** What the client would refuse later is a problem to show now, before a key is asked for. */
function faultOfUrl(baseUrl: string): 'badUrl' | 'insecureUrl' | undefined {
  try {
    parseBaseUrl(baseUrl, false);
    return undefined;
  } catch (thrown) {
    return asProjectError(thrown)?.code === 'insecure_base_url' ? 'insecureUrl' : 'badUrl';
  }
}
