import * as vscode from 'vscode';
import { decodeProfiles, type Profile } from '../../model/profiles.ts';
import type { BudgetName, FieldTexts, ProjectEntry, SettingsProblem, SettingsState } from '../../protocol/settings.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { readProfileSettings } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { defaultLimits, protectionLabels } from '../../protocol/projectFields.ts';

/** The state of the page: the projects and whether they have a key, the problems of the settings, and the budgets. */
export async function settingsState(projects: Projects, keys: KeyStore): Promise<SettingsState> {
  const { profiles, problems, localFault } = await projects.list();
  // The workspace may raise the protection of a user's project. The form shows the user's own value.
  const userProfiles = decodeProfiles(readProfileSettings().user).profiles;
  const entries = profiles.map(async profile => {
    const own = userProfiles.find(({ id }) => id === profile.id) ?? profile;
    const key = await keys.stored(profile);
    return projectEntry(profile, own, key && (key.since ?? ''));
  });
  const shownProblems: SettingsProblem[] = problems.map(problem => ({
    message: profileProblemMessage(problem),
    scope: problem.scope,
  }));
  if (localFault !== undefined) shownProblems.push({ message: errorMessage(localFault), scope: undefined });
  return {
    projects: await Promise.all(entries),
    problems: shownProblems,
    budgets: { maxRows: budgetText('maxRows'), maxBytesMb: budgetText('maxBytesMb') },
    hasWorkspace: vscode.workspace.workspaceFolders !== undefined && vscode.workspace.isTrusted,
  };
}

function projectEntry(profile: Profile, own: Profile, keySince: string | undefined): ProjectEntry {
  const { id, name, scope, protection } = profile;
  const raised = protection === own.protection ? undefined : protectionLabels()[protection];
  return {
    id,
    name,
    scope,
    fields: fieldTexts(own),
    keySince: keySince === undefined ? undefined : localDate(keySince),
    note: raised && vscode.l10n.t('The workspace settings raise the protection to {0}.', raised),
  };
}

function fieldTexts(profile: Profile): FieldTexts {
  return {
    name: profile.name,
    baseUrl: profile.baseUrl,
    pathPrefix: profile.pathPrefix,
    projectId: profile.projectId,
    holderId: profile.holderId ?? '',
    projectName: profile.projectName ?? '',
    protection: profile.protection,
    color: profile.color ?? '',
    retries: profile.retries?.toString() ?? '',
    timeoutSeconds: profile.timeoutSeconds?.toString() ?? '',
    maxRows: profile.maxRows?.toString() ?? '',
    maxBytesMb: profile.maxBytesMb?.toString() ?? '',
  };
}

/** The setting as text. The field shows a wrong value too, with a message. */
function budgetText(name: BudgetName): string {
  const value = vscode.workspace.getConfiguration().get<unknown>(settings[name]) ?? defaultLimits[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function localDate(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(vscode.env.language);
}
