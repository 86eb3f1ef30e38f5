import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commands, settings } from '../names.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';

/** What a lens runs: the statement that reads so, at or near the place where the lens was made. */
export interface LensTarget {
  readonly uri: string;
  readonly start: number;
  readonly sql: string;
}

/** A lens, with the document of which VS Code asks for its command when it comes into view. */
class RunLens extends vscode.CodeLens {
  readonly document: vscode.TextDocument;
  readonly start: number;
  readonly end: number;

  constructor(document: vscode.TextDocument, { start, end }: { start: number; end: number }) {
    const at = document.positionAt(start);
    super(new vscode.Range(at, at));
    this.document = document;
    this.start = start;
    this.end = end;
  }
}

/** "Run" above each statement of the documents that belong to a project. */
export class RunLenses implements vscode.CodeLensProvider<RunLens>, Disposable {
  readonly #statements: DocumentStatements;
  readonly #runnable: RunnableDocuments;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(statements: DocumentStatements, runnable: RunnableDocuments) {
    this.#statements = statements;
    this.#runnable = runnable;
    // While VS Code replaces lenses, a click on one comes to nothing: those of a new document are right at first.
    this.#owned.add(
      runnable.onDidChange(({ isNew }) => {
        if (!isNew) this.#changes.fire();
      }),
    );
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(settings.runLens)) this.#changes.fire();
      }),
    );
    this.#owned.add(vscode.languages.registerCodeLensProvider({ language: 'sql' }, this));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<RunLens[]> {
    const wanted = vscode.workspace.getConfiguration(undefined, document).get(settings.runLens, true);
    if (!wanted || !(await this.#runnable.settled(document))) return [];
    return this.#statements
      .for(document)
      .statements()
      .map(statement => new RunLens(document, statement));
  }

  resolveCodeLens(lens: RunLens): RunLens {
    const { document, start, end } = lens;
    const sql = this.#statements.for(document).slice(start, end);
    const target: LensTarget = { uri: document.uri.toString(), start, sql };
    lens.command = {
      command: commands.runStatement,
      title: `$(play) ${vscode.l10n.t('Run')}`,
      tooltip: vscode.l10n.t('Run this statement'),
      arguments: [target],
    };
    return lens;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
