import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { projectColors, protections } from '../../protocol/projectFields.ts';
import { showInformation } from '../notifications.ts';
import { protectionDescription } from '../projectAppearance.ts';
import { swatches } from './swatches.ts';
import { type EditParts, saveProject } from './editProject.ts';
import { colorLabels, protectionLabels } from './settingsLabels.ts';

interface Choice extends vscode.QuickPickItem {
  readonly value: string;
}

/** Sets how carefully statements that write are treated, without the way over the settings page. */
export async function chooseProtection(parts: EditParts, profile: Profile): Promise<void> {
  const labels = protectionLabels();
  const items = protections.map(value => ({ value, label: labels[value], detail: protectionDescription(value) }));
  const title = vscode.l10n.t('Protection of {0}', profile.name);
  const picked = await choose(parts, profile, { field: 'protection', title, items, present: profile.protection });
  const now = await parts.projects.find(profile.id);
  if (picked === undefined || !now || now.protection === picked) return;
  void showInformation(vscode.l10n.t('The workspace raises the protection: {0}.', labels[now.protection]));
}

export async function chooseColor(parts: EditParts, profile: Profile): Promise<void> {
  const labels = colorLabels();
  const items = [
    { value: '', label: vscode.l10n.t('None'), iconPath: new vscode.ThemeIcon('circle-slash') },
    ...projectColors.map(value => ({ value, label: labels[value], iconPath: swatches[value] })),
  ];
  const title = vscode.l10n.t('Colour of {0}', profile.name);
  await choose(parts, profile, { field: 'color', title, items, present: profile.color ?? '' });
}

interface Question {
  readonly field: 'protection' | 'color';
  readonly title: string;
  readonly items: readonly Choice[];
  /** The value that the project has, which is where the list begins: Enter alone changes nothing. */
  readonly present: string;
}

async function choose(parts: EditParts, { id }: Profile, question: Question): Promise<string | undefined> {
  const picked = await pickFrom(question);
  if (picked) await saveProject(parts, { id, fields: { [question.field]: picked.value } });
  return picked?.value;
}

async function pickFrom({ title, items, present }: Question): Promise<Choice | undefined> {
  const pick = vscode.window.createQuickPick<Choice>();
  const { promise, resolve } = Promise.withResolvers<Choice | undefined>();
  pick.title = title;
  pick.ignoreFocusOut = true;
  pick.items = items.map(item => (item.value === present ? { ...item, description: vscode.l10n.t('current') } : item));
  pick.activeItems = pick.items.filter(({ value }) => value === present);
  pick.onDidAccept(() => resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}
