import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import {
  colorLabels,
  type ProjectColor,
  projectColors,
  protectionDescriptions,
  protectionLabels,
  protections,
} from '../../protocol/projectFields.ts';
import { showInformation } from '../notifications.ts';
import { protectionIcons } from '../projectAppearance.ts';
import { type EditParts, saveProject } from './editProject.ts';

interface FieldItem extends vscode.QuickPickItem {
  readonly value: string;
}

interface FieldPrompt {
  readonly field: 'protection' | 'color';
  readonly title: string;
  readonly items: readonly FieldItem[];
  /** The selected item, so that Enter alone changes nothing. */
  readonly currentValue: string;
}

export async function chooseProtection(parts: EditParts, profile: Profile): Promise<void> {
  const labels = protectionLabels();
  const chosen = await chooseField(parts, profile, {
    field: 'protection',
    title: vscode.l10n.t("Protection of '{0}'", profile.name),
    items: protections.map(value => ({
      value,
      label: labels[value],
      detail: protectionDescriptions()[value],
      iconPath: new vscode.ThemeIcon(protectionIcons[value]),
    })),
    currentValue: profile.protection,
  });
  const saved = await parts.projects.find(profile.id);
  if (chosen === undefined || !saved || saved.protection === chosen) return;
  void showInformation(vscode.l10n.t('The workspace settings raise the protection to {0}.', labels[saved.protection]));
}

export async function chooseColor(parts: EditParts, profile: Profile): Promise<void> {
  const labels = colorLabels();
  await chooseField(parts, profile, {
    field: 'color',
    title: vscode.l10n.t("Color of '{0}'", profile.name),
    items: [
      { value: '', label: vscode.l10n.t('None'), iconPath: new vscode.ThemeIcon('circle-slash') },
      ...projectColors.map(value => ({ value, label: labels[value], iconPath: colorDots[value] })),
    ],
    currentValue: profile.color ?? '',
  });
}

async function chooseField(
  parts: EditParts,
  { id }: Profile,
  { field, title, items, currentValue }: FieldPrompt,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<FieldItem>();
  const { promise, resolve } = Promise.withResolvers<FieldItem | undefined>();
  pick.title = title;
  pick.ignoreFocusOut = true;
  pick.items = items.map(item =>
    item.value === currentValue ? { ...item, description: vscode.l10n.t('current') } : item,
  );
  pick.activeItems = pick.items.filter(({ value }) => value === currentValue);
  pick.onDidAccept(() => resolve(pick.selectedItems[0]));
  pick.onDidHide(() => resolve(undefined));
  pick.show();
  const choice = await promise;
  pick.dispose();
  if (choice) await saveProject(parts, { id, fields: { [field]: choice.value } });
  return choice?.value;
}

/** Quick picks show theme icons without their color, so the dots are images. */
const colorDots: Readonly<Record<ProjectColor, vscode.IconPath>> = {
  red: { light: dot('#d1242f'), dark: dot('#f85149') },
  orange: { light: dot('#c4620a'), dark: dot('#ff9b3d') },
  yellow: { light: dot('#8a7600'), dark: dot('#e5c100') },
  green: { light: dot('#2e7d32'), dark: dot('#89d185') },
  blue: { light: dot('#0b66d6'), dark: dot('#4aa0ff') },
  purple: { light: dot('#652d90'), dark: dot('#b180d7') },
};

function dot(color: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5" fill="${color}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
