import type * as vscode from 'vscode';
import { Debouncer } from '../base/debouncer.ts';

/** The user is idle after this time without a key or a change of the active item. */
const idleMs = 200;

/**
 * Gives a function that changes the items of a quick pick as soon as the user is idle. VS Code learns of a key before the
 * extension does: a change in between would drop the key, or make Enter choose another item.
 */
export function updateWhenIdle(pick: vscode.QuickPick<vscode.QuickPickItem>, update: () => void): () => void {
  const debouncer = new Debouncer({ run: update, delayMs: idleMs, restarts: true });
  const restart = (): void => {
    if (debouncer.isPending) debouncer.schedule();
  };
  pick.onDidChangeValue(restart);
  pick.onDidChangeActive(restart);
  pick.onDidHide(() => debouncer.dispose());
  return () => debouncer.schedule();
}
