import * as vscode from 'vscode';
import type { Profile } from '../model/profiles.ts';
import type { ProjectColor } from '../protocol/projectFields.ts';
import { themeColors } from './names.ts';

/** Orange and yellow are the extension's own: the chart colors of high contrast themes lack them or look the same. */
export const projectColor = (color: ProjectColor): vscode.ThemeColor =>
  new vscode.ThemeColor(color === 'orange' || color === 'yellow' ? themeColors[color] : `charts.${color}`);

/** A project with its machine, such as "Shop (sql.example.com)". */
export const placeOf = ({ name, baseUrl }: Pick<Profile, 'name' | 'baseUrl'>): string =>
  vscode.l10n.t('{0} ({1})', name, URL.parse(baseUrl)?.hostname ?? baseUrl);

type Appearance = Pick<Profile, 'protection' | 'color'>;

export const protectionIcons = { open: 'database', confirmWrites: 'shield', readOnly: 'lock' } as const;

/** The icon shows the protection of a project, its color distinguishes projects. */
export function projectIcon({ protection, color }: Appearance): vscode.ThemeIcon {
  return new vscode.ThemeIcon(protectionIcons[protection], color && projectColor(color));
}

/** An editor of a protected project has the icon of the project. */
export const editorIcon = (profile: Appearance, kind: 'table' | 'view'): vscode.ThemeIcon =>
  profile.protection === 'open' ? tableIcon(kind) : projectIcon(profile);

export const tableIcon = (kind: 'table' | 'view'): vscode.ThemeIcon =>
  new vscode.ThemeIcon(kind === 'table' ? 'table' : 'eye');
