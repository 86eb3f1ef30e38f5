import * as vscode from 'vscode';
import type { Profile } from '../model/profiles.ts';
import type { ProjectColor, Protection } from '../protocol/projectFields.ts';
import { themeColors } from './names.ts';

/**
 * A project's colour in the current theme. Orange and yellow are the extension's own: the chart colours of high contrast
 * themes lack them or look the same.
 */
export const projectColor = (color: ProjectColor): vscode.ThemeColor =>
  new vscode.ThemeColor(color === 'orange' || color === 'yellow' ? themeColors[color] : `charts.${color}`);

type Appearance = Pick<Profile, 'protection' | 'color'>;

const protectionIcons = { open: 'database', confirmWrites: 'shield', readOnly: 'lock' } as const;
/** For projects without a colour. */
const protectionColors = { open: undefined, confirmWrites: 'yellow', readOnly: 'red' } as const;

/** Shows the protection of a project in its colour, wherever projects are listed. */
export function projectIcon({ protection, color = protectionColors[protection] }: Appearance): vscode.ThemeIcon {
  return new vscode.ThemeIcon(protectionIcons[protection], color && projectColor(color));
}

/** The icon of an editor with rows. Rows of a protected project have the icon of the project. */
export const editorIcon = (profile: Appearance, icon: 'table' | 'eye'): vscode.ThemeIcon =>
  profile.protection === 'open' ? new vscode.ThemeIcon(icon) : projectIcon(profile);

/** Short marks for the tree and for tabs. */
export const protectionBadges = { confirmWrites: 'CW', readOnly: 'RO' } as const;

/** Follows the name of a project; empty for an open one. */
export function protectionNote(protection: Protection): string {
  switch (protection) {
    case 'open':
      return '';
    case 'confirmWrites':
      return vscode.l10n.t('asks before writes');
    case 'readOnly':
      return vscode.l10n.t('read-only');
  }
}

/** Says what a protection does. */
export function protectionDescription(protection: Protection): string {
  switch (protection) {
    case 'open':
      return vscode.l10n.t('Statements run. Writes to all rows and DROP ask first.');
    case 'confirmWrites':
      return vscode.l10n.t('You are asked before a statement writes.');
    case 'readOnly':
      return vscode.l10n.t('Statements that write are refused.');
  }
}
