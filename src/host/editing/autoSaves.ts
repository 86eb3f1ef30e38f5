import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { Clock } from '../../base/clock.ts';
import type { TableDocument } from './tableDocument.ts';

const defaultDelayMs = 1000;
/** A save that comes this long before its time is not automatic. On a busy machine, VS Code learns of an undo much earlier. */
const earlyMs = 400;

/** Distinguishes automatic saves from those of the user, as far as possible: VS Code does not say why it saves. */
export class AutoSaves {
  readonly #clock: Clock;
  /** When documents have changed whose automatic save has not come yet. */
  readonly #changes = new WeakMap<TableDocument, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  changed(document: TableDocument): void {
    this.#changes.set(document, this.#clock.now());
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
        const delayMs = asCount(files.get('autoSaveDelay')) ?? defaultDelayMs;
        const changedAt = this.#changes.get(document);
        if (changedAt === undefined || this.#clock.now() < changedAt + delayMs - earlyMs) return false;
        this.#changes.delete(document);
        return true;
      }
    }
  }
}

function isInFront(uri: vscode.Uri): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const input: unknown = activeTab?.input;
  return (
    vscode.window.state.focused && input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()
  );
}
