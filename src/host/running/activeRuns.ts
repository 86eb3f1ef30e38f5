import type * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { setDocumentContext } from '../documents/runnableDocuments.ts';
import { contextKeys } from '../names.ts';

/** Update the context key this often. A shorter run needs no button to cancel it. */
const refreshMs = 100;

/** The runs of each document, so that a command of the editor can cancel them. */
export class ActiveRuns implements Disposable {
  readonly #cancels = new Map<string, Set<() => void>>();
  readonly #contextUpdate = new Debouncer({ delayMs: refreshMs, run: () => this.#updateContext() });
  #documentsInContext: ReadonlySet<string> = new Set();

  /** Dispose the returned value when the run has ended. */
  add({ uri }: vscode.TextDocument, cancel: () => void): Disposable {
    const name = uri.toString();
    const cancels = this.#cancels.get(name) ?? new Set();
    cancels.add(cancel);
    this.#cancels.set(name, cancels);
    this.#contextUpdate.schedule();
    return toDisposable(() => {
      cancels.delete(cancel);
      if (cancels.size === 0) this.#cancels.delete(name);
      this.#contextUpdate.schedule();
    });
  }

  /** Returns false when no run was active. */
  cancel({ uri }: vscode.TextDocument): boolean {
    const cancels = [...(this.#cancels.get(uri.toString()) ?? [])];
    for (const cancel of cancels) cancel();
    return cancels.length > 0;
  }

  dispose(): void {
    this.#contextUpdate.dispose();
  }

  #updateContext(): void {
    const documents = new Set(this.#cancels.keys());
    if (documents.symmetricDifference(this.#documentsInContext).size === 0) return;
    this.#documentsInContext = documents;
    setDocumentContext(contextKeys.documentsRunning, documents);
  }
}
