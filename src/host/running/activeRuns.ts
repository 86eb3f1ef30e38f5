import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { contextKeys } from '../names.ts';
import { setDocumentContext } from './documentContext.ts';

/** What runs for which document, so that it can be cancelled from there. */
export class ActiveRuns {
  readonly #cancels = new Map<string, Set<() => void>>();

  /** Until what it gives is disposed. */
  add({ uri }: vscode.TextDocument, cancel: () => void): Disposable {
    const name = uri.toString();
    const cancels = this.#cancels.get(name) ?? new Set();
    cancels.add(cancel);
    this.#cancels.set(name, cancels);
    this.#tell();
    return toDisposable(() => {
      cancels.delete(cancel);
      if (cancels.size === 0) this.#cancels.delete(name);
      this.#tell();
    });
  }

  /** False when nothing ran. */
  cancel({ uri }: vscode.TextDocument): boolean {
    const cancels = [...(this.#cancels.get(uri.toString()) ?? [])];
    for (const cancel of cancels) cancel();
    return cancels.length > 0;
  }

  #tell(): void {
    setDocumentContext(contextKeys.documentsRunning, this.#cancels.keys());
  }
}
