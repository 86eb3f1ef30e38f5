import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { Clock } from '../../base/clock.ts';
import type { TableDocument } from './tableDocument.ts';

const defaultDelayMs = 1000;
/** On a busy machine, the extension learns of an undo later than VS Code. An automatic save may come this early. */
const earlyMs = 400;

/** Guesses which saves are automatic: VS Code does not say why it saves. */
export class AutoSaves {
  readonly #clock: Clock;
  /** The last change whose automatic save is due, and the latest change. A key in a field and its edit soon after count as one. */
  readonly #changes = new WeakMap<TableDocument, readonly number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  changed(document: TableDocument): void {
    const now = this.#clock.now();
    // A change during its delay makes VS Code wait anew.
    const earlier = (this.#changes.get(document) ?? []).filter(changedAt => changedAt <= now - delayMs());
    this.#changes.set(document, [...earlier.slice(-1), now]);
  }

  /** Whether a save of a document may be automatic. Call it once for each save. */
  mayBeAutomatic(document: TableDocument): boolean {
    const files = vscode.workspace.getConfiguration('files');
    switch (files.get('autoSave')) {
      case 'off':
        return false;
      case 'onFocusChange':
      case 'onWindowChange':
        return !isInFront(document.uri);
      default: {
        // VS Code saves once after each change.
        const [changedAt, ...later] = this.#changes.get(document) ?? [];
        if (changedAt === undefined || this.#clock.now() < changedAt + delayMs() - earlyMs) return false;
        this.#changes.set(document, later);
        return true;
      }
    }
  }
}

const delayMs = (): number =>
  asCount(vscode.workspace.getConfiguration('files').get('autoSaveDelay')) ?? defaultDelayMs;

function isInFront(uri: vscode.Uri): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const input: unknown = activeTab?.input;
  return (
    vscode.window.state.focused && input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()
  );
}
