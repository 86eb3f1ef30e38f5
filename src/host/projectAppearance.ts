import * as vscode from 'vscode';
import type { Profile } from '../model/profiles.ts';
import type { ProjectColor, Protection } from '../protocol/projectFields.ts';
import { themeColors } from './names.ts';

/**
 * A project's colour in the present theme: as charts have it, but for orange and yellow, of which themes of high contrast
 * have none or one that looks like the other.
 */
export const projectColor = (color: ProjectColor): vscode.ThemeColor =>
  new vscode.ThemeColor(color === 'orange' || color === 'yellow' ? themeColors[color] : `charts.${color}`);

type Look = Pick<Profile, 'protection' | 'color'>;

const protectionIcons = { open: 'database', confirmWrites: 'shield', readOnly: 'lock' } as const;
/** Of projects without a colour of their own. */
const protectionColors = { open: undefined, confirmWrites: 'yellow', readOnly: 'red' } as const;

/** Shows wherever a project is chosen or listed how it is protected, in its colour. */
export function projectIcon({ protection, color = protectionColors[protection] }: Look): vscode.ThemeIcon {
  return new vscode.ThemeIcon(protectionIcons[protection], color && projectColor(color));
}

/** Of an editor with rows of a project: a protected one is told from others there as well. */
export const editorIcon = (profile: Look, icon: 'table' | 'eye'): vscode.ThemeIcon =>
  profile.protection === 'open' ? new vscode.ThemeIcon(icon) : projectIcon(profile);

/** For where words find no room, in the tree and on tabs. */
export const protectionBadges = { confirmWrites: 'CW', readOnly: 'RO' } as const;

/** How a project is protected, in words that follow its name; '' for one that is open. */
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

/** What a protection does, in a sentence. */
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
