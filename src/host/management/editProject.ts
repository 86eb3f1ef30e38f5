import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { ProjectError } from '../../base/errors.ts';
import { statusOf, testConnection } from '../../model/connectionTest.ts';
import { changeLocalFields } from '../../model/localProfiles.ts';
import { addEntry, changeEntry, entryOf, removeEntry } from '../../model/profileEntries.ts';
import type { Profile, SettingsScope } from '../../model/profiles.ts';
import type { SaveRequest, TestOutcome } from '../../protocol/settings.ts';
import { type ProjectField, valueOfText } from '../../protocol/projectFields.ts';
import { remedyFor, projectErrorMessage } from '../remedies.ts';
import type { Clients } from '../connections/clients.ts';
import { forgetRemovedKeys } from '../connections/keyEntries.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { ProfileWriter } from './profileWriter.ts';
import type { Projects } from '../connections/projects.ts';
import { connectionReportMessage } from '../errorMessages.ts';
import { showInformation } from '../notifications.ts';
import { confirm, projectLook } from '../questions.ts';

export interface EditParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly keys: KeyStore;
  readonly writer: ProfileWriter;
}

/** Writes fields, as typed, to the settings that have the project's entry or its local fields. */
export async function saveProject({ projects, writer }: EditParts, { id, fields }: SaveRequest): Promise<void> {
  const profile = await projects.find(id);
  const change = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, valueOfText(name as ProjectField, text)]),
  );
  if (profile?.source === 'local') await writer.writeLocal(setting => changeLocalFields(setting, profile, change));
  else await writer.write(scopeOf(profile), setting => changeEntry(setting, id, change));
}

/** Asks, then removes the project's entry from its settings, and its keys unless another profile may use them. */
export async function removeProject({ projects, keys, writer }: EditParts, profile: Profile): Promise<void> {
  const scope = scopeOf(profile);
  const question =
    scope === 'user'
      ? vscode.l10n.t("Remove '{0}' from your settings?", profile.name)
      : vscode.l10n.t("Remove '{0}' from the workspace settings?", profile.name);
  const detail = vscode.l10n.t('Its API key is deleted from this machine. Nothing changes at the service.');
  if (!(await confirm(question, detail, projectLook(profile), vscode.l10n.t('Remove Project')))) return;
  await writer.write(scope, setting => removeEntry(setting, profile.id));
  projects.refresh();
  await forgetRemovedKeys(keys, profile, (await projects.list()).profiles);
}

/** Calls the project once, and says what it answered. */
export async function connectionMessage({ clients }: Pick<EditParts, 'clients'>, profile: Profile): Promise<string> {
  const client = await clients.for(profile);
  const report = await testConnection(client, profile.projectId, { clock: monotonicClock });
  return connectionReportMessage(profile, report, await statusOf(client, profile.projectId));
}

/** Calls the project once, and says what it answered or what the user can do. */
export async function testProject(parts: EditParts, profile: Profile): Promise<TestOutcome> {
  try {
    return { remedy: undefined, message: await connectionMessage(parts, profile) };
  } catch (thrown) {
    return { remedy: remedyFor(thrown, profile), message: projectErrorMessage(thrown, profile) };
  }
}

/** Shares the project, without its key, with everybody who opens the workspace. */
export async function copyToWorkspace({ writer }: EditParts, profile: Profile): Promise<void> {
  await writer.write('workspace', setting => addEntry(setting, entryOf(profile)));
  void showInformation(vscode.l10n.t('Saved to workspace settings. Each user sets their own API key.'));
}

function scopeOf(profile: Profile | undefined): SettingsScope {
  if (profile?.scope) return profile.scope;
  throw new ProjectError('misuse', 'no_such_entry', 'The project is not in the settings.');
}
