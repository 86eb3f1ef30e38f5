import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { commandId } from '../names.ts';

/** The item stays between the short calls of an agent, so that the user can read and click it. */
const hideDelayMs = 2000;

/** Shows in the status bar that an agent works. A click stops it. */
export class AgentStatus implements Disposable {
  readonly #item = vscode.window.createStatusBarItem('agents', vscode.StatusBarAlignment.Left, 49);
  readonly #hide: Debouncer;
  readonly #calls = new Set<AbortController>();

  constructor(clock: Clock = systemClock) {
    this.#hide = new Debouncer({ delayMs: hideDelayMs, clock, restarts: true, run: () => this.#item.hide() });
    this.#item.name = vscode.l10n.t('AI Agents');
    this.#item.text = `$(sync~spin) ${vscode.l10n.t('Agent Working')}`;
    this.#item.tooltip = vscode.l10n.t('An AI agent works with your SQL projects. Click to stop it.');
    this.#item.accessibilityInformation = { label: this.#item.tooltip, role: 'button' };
    this.#item.command = commandId('stopAgents');
  }

  /** Shows the item during a call. The signal aborts when the user stops the agents. */
  async during<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#calls.add(controller);
    this.#hide.cancel();
    this.#item.show();
    try {
      return await call(controller.signal);
    } finally {
      this.#calls.delete(controller);
      if (this.#calls.size === 0) this.#hide.schedule();
    }
  }

  stop(): void {
    for (const call of this.#calls) call.abort(new vscode.CancellationError());
  }

  dispose(): void {
    this.stop();
    this.#hide.dispose();
    this.#item.dispose();
  }
}
