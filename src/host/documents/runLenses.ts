import * as vscode from 'vscode';
import { type Clock, monotonicClock } from '../../base/clock.ts';
import { asCount, asString, type Infer, object } from '../../base/decode.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { ResultColumns } from '../../protocol/languageBridge.ts';
import { commands, settings } from '../names.ts';
import { columnsNote } from './columnsNote.ts';
import type { DocumentStatements } from './documentStatements.ts';
import type { RunnableDocuments } from './runnableDocuments.ts';

/** The statement of a lens: the one with this text nearest to the offset, since edits may have moved it. */
export type LensTarget = Infer<typeof decodeLensTarget>;
export const decodeLensTarget = object({ uri: asString, start: asCount, sql: asString });

/** Gives the columns of the result of a statement, by its start. Undefined if they are not known. */
export type FindResultColumns = (
  document: vscode.TextDocument,
  start: vscode.Position,
) => Promise<ResultColumns | undefined>;

/** A lens is only shown when it is resolved. After this time it is shown without the columns. */
const maxWaitMs = 150;

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
  readonly #findColumns: FindResultColumns;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(statements: DocumentStatements, runnable: RunnableDocuments, findColumns: FindResultColumns) {
    this.#statements = statements;
    this.#runnable = runnable;
    this.#findColumns = findColumns;
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

  async resolveCodeLens(lens: RunLens): Promise<RunLens> {
    const { document, statement } = lens;
    const { start, end } = statement;
    const target: LensTarget = {
      uri: document.uri.toString(),
      start,
      sql: this.#statements.for(document).slice(start, end),
    };
    const columns = await within(maxWaitMs, this.#findColumns(document, lens.range.start), monotonicClock);
    const runStatement = vscode.l10n.t('Run this statement');
    lens.command = {
      command: commands.runStatement,
      title: `$(play) ${vscode.l10n.t('Run')}`,
      tooltip: columns ? `${runStatement}\n${columnsNote(columns)}` : runStatement,
      arguments: [target],
    };
    return lens;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** Undefined if the value takes longer. */
async function within<T>(milliseconds: number, value: Promise<T>, clock: Clock): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancelTimer = clock.after(milliseconds, () => resolve(undefined));
  try {
    return await Promise.race([value, late]);
  } finally {
    cancelTimer();
  }
}
