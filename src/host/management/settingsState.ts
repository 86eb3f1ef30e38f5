import * as vscode from 'vscode';
import { decodeProfiles, type Profile } from '../../model/profiles.ts';
import type { BudgetName, FieldTexts, ProjectEntry, SettingsProblem, SettingsState } from '../../protocol/settings.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import { readProfileSettings } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { settings } from '../names.ts';
import { errorMessage, profileProblemMessage } from '../errorMessages.ts';
import { defaultLimits } from '../results/resultLimits.ts';
import { protectionLabels } from './settingsLabels.ts';

/** What the page shows: all projects with whether they have a key, what is wrong with the settings, and the budgets. */
export async function settingsState(projects: Projects, keys: KeyStore): Promise<SettingsState> {
  const { profiles, problems, localFault } = await projects.list();
  // What the user typed, where what counts is more than that.
  const own = new Map(decodeProfiles(readProfileSettings().user).profiles.map(profile => [profile.id, profile]));
  const local: SettingsProblem[] =
    localFault === undefined ? [] : [{ sentence: errorMessage(localFault), scope: undefined }];
  return {
    projects: await Promise.all(
      profiles.map(async one => entryOf(one, own.get(one.id) ?? one, (await keys.stored(one))?.since)),
    ),
    problems: [...problems.map(one => ({ sentence: profileProblemMessage(one), scope: one.scope })), ...local],
    budgets: { maxRows: budget('maxRows'), maxBytesMb: budget('maxBytesMb') },
    hasWorkspace: vscode.workspace.workspaceFolders !== undefined && vscode.workspace.isTrusted,
  };
}

function entryOf(profile: Profile, own: Profile, since: string | undefined): ProjectEntry {
  const { id, name, scope, protection } = profile;
  const raised = protection === own.protection ? undefined : protectionLabels()[protection];
  return {
    ...{ id, name, scope, fields: textsOf(own) },
    keySince: since === undefined ? undefined : inWords(since),
    note: raised && vscode.l10n.t('The workspace raises the protection: {0}.', raised),
  };
}

function textsOf(profile: Profile): FieldTexts {
  const { name, baseUrl, pathPrefix, projectId, holderId = '', projectName = '' } = profile;
  const { protection, color = '', retries, timeoutSeconds, maxRows, maxBytesMb } = profile;
  return {
    ...{ name, baseUrl, pathPrefix, projectId, holderId, projectName, protection, color },
    retries: retries?.toString() ?? '',
    timeoutSeconds: timeoutSeconds?.toString() ?? '',
    maxRows: maxRows?.toString() ?? '',
    maxBytesMb: maxBytesMb?.toString() ?? '',
  };
}

/** What the setting says, also when that is wrong: the field then shows it and says so. */
function budget(name: BudgetName): string {
  const value = vscode.workspace.getConfiguration().get<unknown>(settings[name]) ?? defaultLimits[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function inWords(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(vscode.env.language);
}
