import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Gathering } from '../../base/gathering.ts';
import { contextKeys } from '../names.ts';
import { setDocumentContext } from '../documents/documentContext.ts';

/** How often VS Code is told, at most. It looks for a place for Cancel then, and what is over sooner needs none. */
const refreshMs = 100;

/** What runs for which document, so that it can be cancelled from there. */
export class ActiveRuns implements Disposable {
  readonly #cancels = new Map<string, Set<() => void>>();
  readonly #changed = new Gathering<string>(refreshMs, () => this.#tell());
  #told: ReadonlySet<string> = new Set();

  /** Until what it gives is disposed. */
  add({ uri }: vscode.TextDocument, cancel: () => void): Disposable {
    const name = uri.toString();
    const cancels = this.#cancels.get(name) ?? new Set();
    cancels.add(cancel);
    this.#cancels.set(name, cancels);
    this.#changed.add(name);
    return toDisposable(() => {
      cancels.delete(cancel);
      if (cancels.size === 0) this.#cancels.delete(name);
      this.#changed.add(name);
    });
  }

  /** False when nothing ran. */
  cancel({ uri }: vscode.TextDocument): boolean {
    const cancels = [...(this.#cancels.get(uri.toString()) ?? [])];
    for (const cancel of cancels) cancel();
    return cancels.length > 0;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #tell(): void {
    const running = new Set(this.#cancels.keys());
    if (running.symmetricDifference(this.#told).size === 0) return;
    this.#told = running;
    setDocumentContext(contextKeys.documentsRunning, running);
  }
}
