import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { projectColors, protections } from '../../wire/projectFields.ts';
import { tell } from '../notifications.ts';
import { type EditParts, saveProject } from './editProject.ts';
import { colorLabels, protectionLabels } from './settingsLabels.ts';

interface Choice extends vscode.QuickPickItem {
  readonly value: string;
}

/** Sets how carefully statements that write are treated, without the way over the settings page. */
export async function chooseProtection(parts: EditParts, profile: Profile): Promise<void> {
  const labels = protectionLabels();
  const items = protections.map(value => choice(value, labels[value], profile.protection));
  const title = vscode.l10n.t('Protection of {0}', profile.name);
  const picked = await choose(parts, profile, { field: 'protection', title, items });
  const now = await parts.projects.find(profile.id);
  if (picked === undefined || !now || now.protection === picked) return;
  void tell(vscode.l10n.t('The workspace raises the protection: {0}.', labels[now.protection]));
}

export async function chooseColor(parts: EditParts, profile: Profile): Promise<void> {
  const labels = colorLabels();
  const items = [
    choice('', vscode.l10n.t('None'), profile.color ?? ''),
    ...projectColors.map(value => choice(value, labels[value], profile.color ?? '')),
  ];
  await choose(parts, profile, { field: 'color', title: vscode.l10n.t('Colour of {0}', profile.name), items });
}

const choice = (value: string, label: string, present: string): Choice => ({
  value,
  label,
  ...(value === present ? { description: vscode.l10n.t('as it is') } : {}),
});

async function choose(
  parts: EditParts,
  { id }: Profile,
  { field, title, items }: { field: 'protection' | 'color'; title: string; items: readonly Choice[] },
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked) await saveProject(parts, { id, fields: { [field]: picked.value } });
  return picked?.value;
}
