import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import type { RunMark, RunMarks } from './runMarks.ts';

/** The readable messages for names that a schema does not have. */
const unknownName = /\bno such (?:table|column|view|index|trigger)\b|\bhas no column\b/;

/**
 * Notices that others have changed the schema of a project: a statement ran although the language server does not know its
 * names, or the service does not know names that the language server knows.
 */
export class StaleSchema implements Disposable {
  readonly #marks: RunMarks;
  readonly #faults: LanguageFaults;
  readonly #owned = new DisposableStore();

  constructor(marks: RunMarks, faults: LanguageFaults, request: (document: vscode.TextDocument) => void) {
    this.#marks = marks;
    this.#faults = faults;
    this.#owned.add(
      marks.onDidChange(({ document, range }) => {
        if (range && this.#marks.inRange(document, range).some(mark => this.#isContradicted(document, mark))) {
          request(document);
        }
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #isContradicted(document: vscode.TextDocument, { start, end, state }: RunMark): boolean {
    const isUnknownToService = state.kind === 'failed' && unknownName.test(state.fault?.message ?? '');
    if (state.kind !== 'ok' && !isUnknownToService) return false;
    const statement = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const isUnknownToServer = this.#faults
      .of(document.uri)
      .some(({ message, range }) => unknownName.test(message) && statement.contains(range));
    return isUnknownToServer !== isUnknownToService;
  }
}
