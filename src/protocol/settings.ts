import { asArrayOf, asRecord, asString } from '../base/shape.ts';

/** Between the host and the page of projects and credentials. No key ever travels here, only whether there is one. */

export interface ProjectEntry {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly projectId: string;
  /** Whether it stands in the settings or comes from the local service. */
  readonly source: 'settings' | 'local';
  /** When the key was set, in the user's own words for dates; undefined when there is none. */
  readonly keySince: string | undefined;
}

export interface SettingsState {
  readonly projects: readonly ProjectEntry[];
  /** What is wrong with the settings, in words for people. */
  readonly problems: readonly string[];
}

export const settingsMethods = {
  ready: 'ready',
  setKey: 'setKey',
  forgetKey: 'forgetKey',
  openSettings: 'openSettings',
} as const;

export const settingsEvents = { state: 'state' } as const;

export function decodeProjectRef(params: unknown): string | undefined {
  return asString(asRecord(params)?.['id']);
}

export function decodeSettingsState(payload: unknown): SettingsState | undefined {
  const record = asRecord(payload);
  const projects = asArrayOf(record?.['projects'], decodeProjectEntry);
  const problems = asArrayOf(record?.['problems'], asString);
  return projects && problems && { projects, problems };
}

function decodeProjectEntry(value: unknown): ProjectEntry | undefined {
  const record = asRecord(value);
  if (!record) return undefined;
  const [id, name] = [asString(record['id']), asString(record['name'])];
  const [baseUrl, projectId] = [asString(record['baseUrl']), asString(record['projectId'])];
  const [source, keySince] = [record['source'], record['keySince']];
  if (id === undefined || name === undefined || baseUrl === undefined || projectId === undefined) return undefined;
  if (source !== 'settings' && source !== 'local') return undefined;
  if (keySince !== undefined && typeof keySince !== 'string') return undefined;
  return { id, name, baseUrl, projectId, source, keySince };
}
