import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Projects } from '../connections/projects.ts';
import { themeColors } from '../names.ts';
import { protectionBadges, protectionDescription } from '../projectAppearance.ts';

const scheme = 'sqlproject-entry';

/** The URI by which VS Code asks for the decoration of a protected project. Open projects have none. */
export function decorationUri({ id, protection }: Profile): vscode.Uri | undefined {
  return protection === 'open' ? undefined : vscode.Uri.from({ scheme, path: `/${protection}`, query: id });
}

/** Gives protected projects a colour and a badge in the tree, so that nobody takes them for open ones. */
export class ProjectDecorations implements vscode.FileDecorationProvider, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<undefined>());

  readonly onDidChangeFileDecorations = this.#changes.event;

  constructor(projects: Projects) {
    this.#owned.add(vscode.window.registerFileDecorationProvider(this));
    this.#owned.add(projects.onDidChange(() => this.#changes.fire(undefined)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    return uri.path === '/readOnly'
      ? decoration(protectionBadges.readOnly, protectionDescription('readOnly'), themeColors.readOnly)
      : decoration(protectionBadges.confirmWrites, protectionDescription('confirmWrites'), themeColors.confirmWrites);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const decoration = (badge: string, tooltip: string, color: string): vscode.FileDecoration =>
  new vscode.FileDecoration(badge, tooltip, new vscode.ThemeColor(color));
