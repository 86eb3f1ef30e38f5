import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';

/** How long nobody may have typed or gone to another row, in milliseconds. */
const rest = 200;

/**
 * Gives what changes the rows of a list as soon as its keys rest. VS Code hears of a key a moment before we do: rows that
 * change in that moment would take it back, or have an Enter mean another row.
 */
export function updateWhenIdle(pick: vscode.QuickPick<vscode.QuickPickItem>, change: () => void): () => void {
  let cancel: (() => void) | undefined;
  const wait = (): void => {
    cancel?.();
    cancel = systemClock.after(rest, () => {
      cancel = undefined;
      change();
    });
  };
  const goOn = (): void => {
    if (cancel) wait();
  };
  pick.onDidChangeValue(goOn);
  pick.onDidChangeActive(goOn);
  pick.onDidHide(() => cancel?.());
  return wait;
}
