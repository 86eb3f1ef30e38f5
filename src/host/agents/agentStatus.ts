import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { commandId } from '../names.ts';

/** The item stays between the short calls of an agent, so that the user can read and click it. */
const hideDelayMs = 2000;

/** Shows in the status bar that an agent works. A click stops it. */
export function agentStatus(clock: Clock = systemClock) {
  const item = vscode.window.createStatusBarItem('agents', vscode.StatusBarAlignment.Left, 49);
  const hide = new Debouncer({ delayMs: hideDelayMs, clock, restarts: true, run: () => item.hide() });
  const calls = new Set<AbortController>();
  item.name = vscode.l10n.t('AI Agents');
  item.text = `$(sync~spin) ${vscode.l10n.t('Agent Working')}`;
  item.tooltip = vscode.l10n.t('An AI agent works with your SQL projects. Click to stop it.');
  item.accessibilityInformation = { label: item.tooltip, role: 'button' };
  item.command = commandId('stopAgents');
  const stop = (): void => {
    for (const call of calls) call.abort(new vscode.CancellationError());
  };
  return {
    stop,

    /** Shows the item during a call. The signal aborts when the user stops the agents. */
    async during<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const controller = new AbortController();
      calls.add(controller);
      hide.cancel();
      item.show();
      try {
        return await call(controller.signal);
      } finally {
        calls.delete(controller);
        if (calls.size === 0) hide.schedule();
      }
    },

    dispose(): void {
      stop();
      hide.dispose();
      item.dispose();
    },
  };
}
