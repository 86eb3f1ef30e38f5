import type * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';

/** The diagnostics that the language server shows now, by document. */
export class LanguageFaults {
  readonly #diagnostics = new Map<string, readonly vscode.Diagnostic[]>();
  readonly #changes = new Emitter<string>();

  /** Fires with the URI of a document. */
  readonly onDidChange = this.#changes.on;

  diagnosticsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
    return this.#diagnostics.get(uri.toString()) ?? [];
  }

  set(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    const name = uri.toString();
    if (diagnostics.length > 0) this.#diagnostics.set(name, diagnostics);
    else if (!this.#diagnostics.delete(name)) return;
    this.#changes.fire(name);
  }

  /** The server has ended, and VS Code removes what it showed. */
  clear(): void {
    const names = [...this.#diagnostics.keys()];
    this.#diagnostics.clear();
    for (const name of names) this.#changes.fire(name);
  }
}
