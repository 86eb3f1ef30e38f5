import type { FieldTexts, ProjectEntry, SettingsState } from '../../src/protocol/settings.ts';

/** A project as the settings page receives it. */
export function projectEntry(name: string, changes: Partial<ProjectEntry> = {}): ProjectEntry {
  const projectId = name.toLowerCase();
  const baseUrl = 'http://127.0.0.1:9';
  const id = `${baseUrl} ${projectId}`;
  return { id, name, scope: 'user', keySince: undefined, note: undefined, fields: texts({ name }), ...changes };
}

export function texts(changes: Partial<FieldTexts>): FieldTexts {
  const baseUrl = 'http://127.0.0.1:9';
  const projectId = (changes.name ?? '').toLowerCase();
  return {
    name: '',
    baseUrl,
    pathPrefix: '/serviceSql',
    projectId,
    holderId: '',
    projectName: '',
    protection: 'open',
    color: '',
    retries: '',
    timeoutSeconds: '',
    maxRows: '',
    maxBytesMb: '',
    ...changes,
  };
}

export const settingsStateOf = (...projects: ProjectEntry[]): SettingsState => ({
  projects,
  problems: [],
  hasWorkspace: true,
  budgets: { maxRows: '1000000', maxBytesMb: '1024' },
});
