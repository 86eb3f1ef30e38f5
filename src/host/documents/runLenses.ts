import * as vscode from 'vscode';
import { asCount, asString, type Infer, object } from '../../base/decode.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import { commands, settings } from '../names.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';

/** The statement of a lens: the one with this text nearest to the offset, since edits may have moved it. */
export type LensTarget = Infer<typeof decodeLensTarget>;
export const decodeLensTarget = object({ uri: asString, start: asCount, sql: asString });

/** Holds the statement until VS Code asks for the lens's command. */
class RunLens extends vscode.CodeLens {
  readonly document: vscode.TextDocument;
  readonly statement: TextRange;

  constructor(document: vscode.TextDocument, statement: TextRange) {
    const position = document.positionAt(statement.start);
    super(new vscode.Range(position, position));
    this.document = document;
    this.statement = statement;
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
    // VS Code drops clicks while it replaces lenses, so keep those of a new document: they are right already.
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
    const isEnabled = vscode.workspace.getConfiguration(undefined, document).get(settings.runLens, true);
    if (!isEnabled || !(await this.#runnable.check(document))) return [];
    return this.#statements
      .for(document)
      .statements()
      .map(statement => new RunLens(document, statement));
  }

  resolveCodeLens(lens: RunLens): RunLens {
    const { document, statement } = lens;
    const { start, end } = statement;
    const target: LensTarget = {
      uri: document.uri.toString(),
      start,
      sql: this.#statements.for(document).slice(start, end),
    };
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
