import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Projects } from '../connections/projects.ts';
import { themeColors } from '../names.ts';
import { protectionBadges, protectionDescription } from '../projectAppearance.ts';

const scheme = 'sqlproject-entry';

/** What a protected project is decorated by. One that is open has none, so that those which are not stand out. */
export function decoratedUri({ id, protection }: Profile): vscode.Uri | undefined {
  return protection === 'open' ? undefined : vscode.Uri.from({ scheme, path: `/${protection}`, query: id });
}

/** Colours the names of protected projects in the tree, and marks them, so that nobody takes one for another. */
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
