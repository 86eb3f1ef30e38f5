import { asRecord, asString } from '../base/shape.ts';

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
